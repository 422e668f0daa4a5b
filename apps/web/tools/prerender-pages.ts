import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import type { AheadPage } from '#/entry-prerender.tsx';
import { pageFile, shellPaths } from '../src/app/router/app-paths.ts';
import { fillPage, fillShell, payloadText } from './fill-shell.ts';
import { routeFiles } from './route-files.ts';

interface PrerenderEntry {
  renderPages(): Promise<AheadPage[]>;
  renderShell(): Promise<string>;
}

/**
 * Renders the public pages once the client is built and puts each into a copy of its index.html: `{path}/index.html`
 * with a payload file beside it, and `shell.html`, which holds the frame of a page and serves all other addresses.
 */
export function renderAhead(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'wardline-prerender-pages',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = resolve(config.root, config.build.outDir);
    },
    writeBundle: {
      sequential: true,
      async handler(_options, bundle) {
        const template = await readFile(join(outDir, 'index.html'), 'utf8');
        const { renderPages, renderShell } = await buildEntry(root);
        await write(join(outDir, 'shell.html'), fillShell(template, await renderShell()));
        await write(join(outDir, 'pages.json'), JSON.stringify({ shell: shellPaths }));
        for (const page of await renderPages()) {
          const file = join(outDir, pageFile(page.path));
          await write(file, fillPage(template, page, routeFiles(bundle, page.routeIds)));
          const payload = payloadText(page);
          if (payload !== null) await write(join(dirname(file), '_payload.json'), payload);
        }
      },
    },
  };
}

/** Builds the entry that renders, for this process, into a folder that is gone afterwards. */
async function buildEntry(root: string): Promise<PrerenderEntry> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [neitherSide()],
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'src/entry-prerender.tsx',
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        output: { codeSplitting: false, entryFileNames: 'entry.mjs' },
        // 'use client' means nothing here.
        onwarn: (warning, say) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && say(warning),
      },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'wardline-ahead-'));
  try {
    const file = join(folder, 'entry.mjs');
    await writeFile(file, codeOf(output));
    return (await import(pathToFileURL(file).href)) as PrerenderEntry;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function codeOf(output: Awaited<ReturnType<typeof build>>): string {
  const chunks = [output].flat().flatMap((part) => ('output' in part ? part.output : []));
  const entry = chunks.find((chunk): chunk is Rolldown.OutputChunk => chunk.type === 'chunk' && chunk.isEntry);
  if (!entry) throw new Error('The entry that renders pages ahead was not built.');
  return entry.code;
}

/** The router asks this module where it runs; without an answer it goes by its own option. */
function neitherSide(): Plugin {
  const id = '@tanstack/router-core/isServer';
  return {
    name: 'wardline-neither-side',
    enforce: 'pre',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: (asked) =>
      asked === `\0${id}` ? 'export const isServer = undefined; export const loadServerRoute = undefined;' : null,
  };
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
