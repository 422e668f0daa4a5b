import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { minify, type Plugin } from 'vite';

/** Minifies the scripts of `public`, which Vite copies as they stand: each first visit waits for them. */
export function minifyPublic(): Plugin {
  let from = '';
  let to = '';
  return {
    name: 'wardline-minify-public',
    apply: 'build',
    configResolved(config) {
      from = config.publicDir;
      to = resolve(config.root, config.build.outDir);
    },
    writeBundle: {
      sequential: true,
      async handler() {
        const scripts = readdirSync(from).filter((name) => name.endsWith('.js'));
        await Promise.all(scripts.map((name) => minifyFile(join(to, name))));
      },
    },
  };
}

async function minifyFile(path: string): Promise<void> {
  const { code, errors } = await minify(path, await readFile(path, 'utf8'));
  if (errors.length > 0)
    throw new Error(`${path} was not minified: ${errors.map(({ message }) => message).join('; ')}`);
  await writeFile(path, code);
}
