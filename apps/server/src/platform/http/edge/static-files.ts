import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { pagePattern } from '@wardline/contract/page-path.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RefuseUnknown } from './unknown-address.ts';

/** The files of the built client by their addresses. All are read at start: no path is ever put together from a request. */
export type Site = ReadonlyMap<string, StaticFile>;

/** What a built file is on the wire. */
interface StaticFile {
  readonly type: string;
  readonly cacheControl: string;
  /** The content policy of a worker that begins with it. */
  readonly policy: string | undefined;
  readonly etag: string;
  readonly body: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.pfb': 'application/octet-stream',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** Scripts run under the page's policy, but a worker has its file's own. */
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";
/** That of pdf.js decodes scanned pages by WebAssembly; the page itself may not. */
const PDF_WORKER = /^\/assets\/online-pdf-[^/]+\/worker\.js$/;
const PDF_WORKER_POLICY = SCRIPT_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
/** That of DICOM decodes JPEG 2000 by it (065); the page gives it what it needs, and it loads nothing but scripts. */
const DICOM_WORKER = /^\/assets\/online-decode-worker-[\w-]+\.js$/;
const DICOM_WORKER_POLICY = PDF_WORKER_POLICY.replace("connect-src 'self'", "connect-src 'none'");

/** Written by the build of the client: the pages that its empty shell serves, `{…}` in place of an id. */
const PAGE_LIST = '/pages.json';
const SHELL = '/shell.html';
const NEVER_A_PAGE = /^\/(api|sanctum|broadcasting|app|apps|assets|builds|icons|_img|storage)(\/|$)/;

/**
 * Serves the built client. A page that was rendered ahead stands in its own file; the others get the empty shell, with
 * status 404 where the client has no such page and will say so itself.
 */
export function serveStaticFiles(app: FastifyInstance, site: Site, refuseUnknown: RefuseUnknown): void {
  const shell = site.get(SHELL);
  const list = site.get(PAGE_LIST);
  if (!shell || !list) throw new Error('The web client is not built: its folder has no shell.html and pages.json.');
  for (const [url, file] of site) {
    if (url === PAGE_LIST) continue;
    app.get(url, { exposeHeadRoute: true }, (request, reply) => sendFile(file, { request, reply }));
    if (!url.endsWith('/index.html')) continue;
    const page = url.slice(0, -'/index.html'.length) || '/';
    app.get(page, { exposeHeadRoute: true }, (request, reply) => sendFile(file, { request, reply }));
  }
  const { shell: pages } = JSON.parse(list.body.toString('utf8')) as { shell: string[] };
  const known = pagePattern(pages);
  app.setNotFoundHandler((request, reply) => {
    const [pathname = '/'] = request.url.split('?');
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!wantsPage || NEVER_A_PAGE.test(pathname)) return refuseUnknown(request, reply);
    reply.code(known.test(pathname) ? 200 : 404);
    return sendFile(shell, { request, reply });
  });
}

function sendFile(file: StaticFile, { request, reply }: { request: FastifyRequest; reply: FastifyReply }) {
  reply.headers({ 'cache-control': file.cacheControl, etag: file.etag, vary: 'accept-encoding' });
  // Before the 304: a browser puts its headers over those it kept, and the policy follows from the type.
  reply.type(file.type);
  if (file.policy !== undefined) reply.header('content-security-policy', file.policy);
  if (reply.statusCode === 200 && request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.body);
}

/**
 * Reads the folder of the built client. `providers`: how many buttons of sign-in providers there will be, which its pages know
 * only after the first paint (F-U8).
 */
export function readSite(root: string, providers = 0): Site {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const type = TYPES[path.extname(entry.name)];
    const isInternal = entry.parentPath.split(path.sep).includes('.vite');
    if (!entry.isFile() || type === undefined || isInternal) continue;
    const place = path.join(entry.parentPath, entry.name);
    const url = `/${path.relative(root, place).split(path.sep).join('/')}`;
    const isMarked = providers > 0 && url.endsWith('.html');
    const body = isMarked ? markPage(readFileSync(place, 'utf8'), providers) : readFileSync(place);
    const isHashed = url.startsWith('/assets/');
    files.set(url, {
      type,
      policy: type.startsWith('text/javascript') ? policyOf(url) : undefined,
      cacheControl: isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      body,
      br: isMarked ? brotliCompressSync(body) : readIfThere(`${place}.br`),
      gzip: isMarked ? gzipSync(body) : readIfThere(`${place}.gz`),
    });
  }
  return files;
}

function policyOf(url: string): string {
  if (PDF_WORKER.test(url)) return PDF_WORKER_POLICY;
  return DICOM_WORKER.test(url) ? DICOM_WORKER_POLICY : SCRIPT_POLICY;
}

function markPage(page: string, providers: number): Buffer {
  return Buffer.from(page.replace('<html', `<html data-sso="${providers}"`));
}

function readIfThere(place: string): Buffer | undefined {
  try {
    return readFileSync(place);
  } catch {
    return undefined;
  }
}
