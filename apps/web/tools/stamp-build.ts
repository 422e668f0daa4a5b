import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';

/** What tells one build from another: PWA-7. */
export interface BuildManifest {
  readonly id: string;
  /** Milliseconds; SOURCE_DATE_EPOCH where a build is to be repeated to the byte. */
  readonly timestamp: number;
}

/** The plugin, and what it has found once the files are written. */
interface BuildStamp {
  readonly plugin: Plugin;
  /** Gives each payload file the id of its build, so that a page of another build is never handed this one's. */
  readonly namePayloads: (entries: PrecacheEntry[]) => { manifest: PrecacheEntry[]; warnings: string[] };
}

interface PrecacheEntry {
  url: string;
  revision: string | null;
  size: number;
}

/**
 * Names the build by the content of its files, writes `builds/latest.json` and `builds/meta/{id}.json`, and puts the id
 * into each page, where the client reads it: in the code it would change the code's own hashes.
 */
export function stampBuild(): BuildStamp {
  let outDir = '';
  let id = '';
  const plugin: Plugin = {
    name: 'wardline-stamp-build',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    writeBundle: {
      sequential: true,
      async handler() {
        const files = await filesOf(outDir);
        id = await idOf(outDir, files);
        const manifest: BuildManifest = { id, timestamp: buildTime() };
        for (const file of files.filter((name) => name.endsWith('.html'))) {
          const html = await readFile(join(outDir, file), 'utf8');
          await writeFile(
            join(outDir, file),
            html.replace('</head>', `  <meta name="build" content="${id}">\n  </head>`),
          );
        }
        await mkdir(join(outDir, 'builds', 'meta'), { recursive: true });
        await writeFile(join(outDir, 'builds', 'latest.json'), JSON.stringify(manifest));
        await writeFile(join(outDir, 'builds', 'meta', `${id}.json`), JSON.stringify(manifest));
      },
    },
  };
  const named = (entry: PrecacheEntry): PrecacheEntry =>
    entry.url.endsWith('_payload.json') ? { ...entry, url: `${entry.url}?${id}`, revision: null } : entry;
  return { plugin, namePayloads: (entries) => ({ manifest: entries.map(named), warnings: [] }) };
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return files.filter((name) => !name.startsWith('.')).sort();
}

async function idOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

function buildTime(): number {
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  return epoch === undefined ? Date.now() : Number(epoch) * 1000;
}
