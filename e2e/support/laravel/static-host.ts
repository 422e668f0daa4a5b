import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { BACK_END_ADDRESSES, type BackEndAddress, isOfBackEnd } from '@wardline/contract/back-end-addresses.ts';

const DIST = path.join(import.meta.dirname, '../../../apps/web/dist');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** A plain static host with the built client, or another application's files, the way docs/laravel.md sets up nginx. */
export interface StaticHost {
  readonly port: number;
  readonly origin: string;
  /** What /config.json says; null is a file that is not there. */
  config: unknown;
  /** Further origins that the content policy lets the page speak with. */
  connects: readonly string[];
  /** The back end behind /api and its like on this very origin, or null where it has an origin of its own. */
  upstreamPort: number | null;
  /** What is passed on to it. */
  addresses: readonly BackEndAddress[];
  stop(): Promise<void>;
}

export async function startStaticHost(dist = DIST): Promise<StaticHost> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The static host has no port.');
  const host: StaticHost = {
    port: address.port,
    origin: `http://127.0.0.1:${address.port}`,
    config: null,
    connects: [],
    upstreamPort: null,
    addresses: BACK_END_ADDRESSES,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', host.origin);
    if (host.upstreamPort !== null && isOfBackEnd(host.addresses, request.method ?? 'GET', pathname))
      return passOn(request, response, host.upstreamPort);
    if (pathname === '/config.json') return answerConfig(response, host.config);
    const file = await firstFile(dist, [pathname, `${pathname}/index.html`, '/shell.html', '/index.html']);
    if (file === null) return void response.writeHead(404).end();
    const isDocument = file.endsWith('.html');
    response.writeHead(200, {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'cache-control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isDocument ? { 'content-security-policy': policy(host.connects) } : {}),
    });
    response.end(await readFile(file));
  };
  return host;
}

/** nginx: try_files $uri $uri/index.html /shell.html */
async function firstFile(dist: string, candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates) {
    const file = path.join(dist, path.normalize(decodeURIComponent(candidate)));
    const found = await stat(file).catch(() => null);
    if (file.startsWith(dist) && found?.isFile()) return file;
  }
  return null;
}

function answerConfig(response: ServerResponse, config: unknown): void {
  if (config === null) response.writeHead(404).end();
  else
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' })
      .end(JSON.stringify(config));
}

function passOn(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = request;
  const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

function policy(connects: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: ${connects.filter((origin) => origin.startsWith('http')).join(' ')}`.trim(),
    "font-src 'self'",
    `connect-src 'self' ${connects.join(' ')}`.trim(),
    "worker-src 'self'",
    "manifest-src 'self'",
    "media-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types app-sw',
  ].join('; ');
}
