import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const PDFJS = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(path.join(PDFJS, 'package.json'), 'utf8')) as { version: string };

/** Where pdf-file.ts looks for them. 'online': of no use without a network, so not kept on the device. */
const FOLDER = `assets/online-pdf-${version}`;

/**
 * What pdf.js loads by itself while it draws: its worker, the fonts that every PDF may count on, decoders of scanned pages. Under
 * the version they come with, since they are kept for ever.
 */
export function pdfFiles(): Plugin {
  const from = (folder: string, wanted: RegExp) =>
    readdirSync(path.join(PDFJS, folder))
      .filter((name) => wanted.test(name))
      .map((name) => [name, path.join(PDFJS, folder, name)] as const);
  const files = new Map([
    ['worker.js', path.join(PDFJS, 'build', 'pdf.worker.min.mjs')],
    ...from('standard_fonts', /\.(pfb|ttf)$/),
    ...from('wasm', /\.wasm$/),
  ]);
  return {
    name: 'wardline:pdf-files',
    generateBundle() {
      for (const [name, place] of files) {
        this.emitFile({ type: 'asset', fileName: `${FOLDER}/${name}`, source: readFileSync(place) });
      }
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${FOLDER}`, (request, response, next) => {
        const place = files.get((request.url ?? '').slice(1));
        if (place === undefined) return next();
        response.setHeader('content-type', place.endsWith('.mjs') ? 'text/javascript' : 'application/octet-stream');
        response.end(readFileSync(place));
      });
    },
  };
}
