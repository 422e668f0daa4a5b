import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../../..');
const BUILT = path.join(ROOT, 'packages/ui/gallery/dist');

/** The product's policy, but for the frames in which the gallery shows whole pages. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface ServedGallery {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Builds the gallery of the kit and serves it as the product is served: under a policy that lets nothing inline in. */
export async function serveGallery(): Promise<ServedGallery> {
  await promisify(execFile)(process.execPath, [path.join(ROOT, 'tools/gallery.mjs'), '--build']);
  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery');
    const file = pathname === '/' ? '/index.html' : pathname;
    readFile(path.join(BUILT, file)).then(
      (bytes) => {
        const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
        reply.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(bytes);
      },
      () => reply.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No port was given.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
