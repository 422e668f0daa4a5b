import { readdirSync, readFileSync } from 'node:fs';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Eye, type LucideIcon, OctagonAlert } from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PLAIN_ICONS, plainIcon } from './plain-icons.ts';

const ours = PLAIN_ICONS.replace(/^\s*import .*$/m, '').replace('export default', 'return');
const createIcon = new Function('createElement', ours)(createElement) as (parts: unknown, side?: number) => LucideIcon;
const icons = new URL('../../../node_modules/lucide-react/dist/esm/icons/', import.meta.url);

describe('PERF-4 icons without the library’s builder', () => {
  it.each([
    ['eye', Eye],
    ['octagon-exclamation-point', OctagonAlert],
  ])('PERF-4 %s is drawn as the library draws it, its names apart', (name, icon) => {
    const module = plainIcon(readFileSync(new URL(`${name}.mjs`, icons), 'utf8'));
    expect(module).not.toMatch(/key|name|aliases/);
    const [, of] = /export default (.*);/s.exec(module) ?? [];
    const plainOne = new Function('createLucideIcon', `return ${of}`)(createIcon) as LucideIcon;
    for (const label of [undefined, 'What it says']) {
      const plain = renderToStaticMarkup(createElement(Icon, { of: plainOne, label }));
      const library = renderToStaticMarkup(createElement(Icon, { of: icon, label }));
      expect(attributesOf(plain)).toEqual(attributesOf(library));
      expect(plain.slice(plain.indexOf('>'))).toBe(library.slice(library.indexOf('>')));
    }
  });

  it('PERF-4 UI-1 nothing but the kit’s Icon draws one, since nothing else of the library’s settings is kept', () => {
    const sources = ['../../../apps/web/src/', '../../../packages/ui/src/'].flatMap((folder) => {
      const at = new URL(folder, import.meta.url);
      const files = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
      return files.map((file) => [file, readFileSync(new URL(file, at), 'utf8')] as const);
    });
    const draws = ([, code]: (typeof sources)[number]) => {
      const names = [...code.matchAll(/import \{([^}]*)\} from 'lucide-react'/g)].flatMap(([, list = '']) =>
        list.split(','),
      );
      return names.some((name) => code.includes(`<${name.trim().split(' as ').at(-1)} `));
    };
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter(draws).map(([file]) => file)).toEqual([]);
  });
});

/** Of the first tag, in no order; the names that the library gives its icons stand in no style. */
function attributesOf(markup: string): string[] {
  const tag = markup.slice(0, markup.indexOf('>'));
  const all = [...tag.matchAll(/[\w-]+="[^"]*"/gi)].map(([attribute]) => attribute);
  return all
    .filter((attribute) => !attribute.startsWith('xmlns'))
    .map((attribute) => attribute.replace(/lucide(-[\w-]+)? /g, ''))
    .sort();
}
