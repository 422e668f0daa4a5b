import type { Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { routeFiles } from './route-files.ts';

const chunk = (fileName: string, fields: Partial<Rolldown.OutputChunk> & { css?: string[] } = {}) => ({
  type: 'chunk',
  fileName,
  isEntry: false,
  facadeModuleId: null,
  imports: [],
  ...fields,
  viteMetadata: { importedCss: new Set(fields.css ?? []), importedAssets: new Set() },
});
const split = (route: string) => `/x/src/routes/${route}.tsx?tsr-split=component`;
const bundle = Object.fromEntries(
  [
    chunk('entry.js', { isEntry: true, imports: ['base.js'], css: ['entry.css'] }),
    chunk('base.js'),
    chunk('public.js', { facadeModuleId: split('_public'), imports: ['base.js', 'kit.js'], css: ['public.css'] }),
    chunk('start.js', { facadeModuleId: split('_public/index'), imports: ['kit.js', 'entry.js'] }),
    chunk('about.js', { facadeModuleId: split('_public/about') }),
    chunk('kit.js', { imports: ['base.js'] }),
  ].map((file) => [file.fileName, file]),
) as unknown as Rolldown.OutputBundle;

it('SHELL-2 a page names the files of its routes and what they import, and not those of the entry', () => {
  const { scripts, styles } = routeFiles(bundle, ['__root__', '/_public', '/_public/']);
  expect([...scripts].sort()).toEqual(['/kit.js', '/public.js', '/start.js']);
  expect(styles).toEqual(['/public.css']);
});
