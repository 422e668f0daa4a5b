import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSecurityHeaders } from './security-headers.ts';
import { readSite, serveStaticFiles } from './static-files.ts';
import { createRefuseUnknown } from './unknown-address.ts';

const ID = '01980000-0000-7000-8000-000000000001';
const FILES: Readonly<Record<string, string>> = {
  'index.html': '<title>the start page</title>',
  'about/index.html': '<title>about</title>',
  'about/_payload.json': '{"path":"/about"}',
  'shell.html': '<title>the shell</title>',
  'pages.json': JSON.stringify({ shell: ['/dashboard', '/chat/f-{id}', '/password-reset/{hash}'] }),
  'builds/latest.json': '{"id":"a","timestamp":1}',
  'assets/index-abc.js': 'let a;',
  'assets/online-pdf-5.6.205/worker.js': 'let b;',
  'assets/online-pdf-5.6.205/openjpeg.wasm': 'wasm',
  'assets/online-decode-worker-CW2UEgC.js': 'let c;',
};

let root: string;
let app: FastifyInstance;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'wardline-static-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  app = fastify();
  addSecurityHeaders(app, false);
  serveStaticFiles(
    app,
    readSite(root),
    createRefuseUnknown(app, async () => undefined),
  );
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const open = (url: string) => app.inject({ url, headers: { accept: 'text/html' } });

it('A21 WebAssembly runs in the workers of PDFs and of DICOM, and nowhere else; that of DICOM can ask nobody', async () => {
  const policyOf = async (url: string) => (await open(url)).headers['content-security-policy'];
  expect(await policyOf('/assets/online-pdf-5.6.205/worker.js')).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(await policyOf('/assets/online-decode-worker-CW2UEgC.js')).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'",
  );
  for (const url of ['/', '/assets/index-abc.js']) {
    expect(await policyOf(url)).toContain("script-src 'self';");
    expect(await policyOf(url)).not.toContain('wasm');
  }
  const wasm = await open('/assets/online-pdf-5.6.205/openjpeg.wasm');
  expect([wasm.headers['content-type'], wasm.body]).toEqual(['application/wasm', 'wasm']);
});

describe('pages', () => {
  it.each([
    ['/', 'the start page'],
    ['/?utm=1', 'the start page'],
    ['/about', 'about'],
    ['/about?x=1', 'about'],
  ])('SHELL-2 %s is answered with the page that was rendered ahead', async (url, title) => {
    const answer = await open(url);
    expect([answer.statusCode, answer.body]).toEqual([200, `<title>${title}</title>`]);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  });

  it.each(['/dashboard', `/chat/f-${ID}`, '/password-reset/0123456789abcdefghij', '/dashboard?x=1'])(
    'NAV-9 %s is answered with the shell',
    async (url) => {
      const answer = await open(url);
      expect([answer.statusCode, answer.body]).toEqual([200, '<title>the shell</title>']);
    },
  );

  it.each(['/nope', '/dashboard/x', '/chat/f-7', `/chat/f-${ID}/`, '/about/', '/password-reset/short', '/Dashboard'])(
    'NAV-8 %s is answered with the shell and status 404',
    async (url) => {
      const answer = await open(url);
      expect([answer.statusCode, answer.body]).toEqual([404, '<title>the shell</title>']);
    },
  );

  it.each(['/api/nope', '/assets/old.js', '/icons/x', '/_img/x', '/storage/x', '/builds/meta/x.json', '/app'])(
    'NAV-8 %s is never a page',
    async (url) => {
      const answer = await open(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ message: 'Not found.', code: 'not_found' });
    },
  );

  it('NAV-8 who asks for no page is given none', async () => {
    const answer = await app.inject({ url: '/nope', headers: { accept: 'application/json' } });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
    expect((await app.inject({ method: 'POST', url: '/about', headers: { accept: 'text/html' } })).statusCode).toBe(
      405,
    );
  });
});

describe('files', () => {
  it('PWA-7 the build manifest is never believed without asking, and a hashed file always', async () => {
    expect((await app.inject('/builds/latest.json')).headers['cache-control']).toBe('no-cache');
    expect((await app.inject('/assets/index-abc.js')).headers['cache-control']).toContain('immutable');
  });

  it('PWA-8 a payload is answered under the name of its build', async () => {
    const answer = await app.inject('/about/_payload.json?abc');
    expect([answer.statusCode, answer.json()]).toEqual([200, { path: '/about' }]);
    const again = await app.inject({
      url: '/about/_payload.json?abc',
      headers: { 'if-none-match': `${answer.headers.etag}` },
    });
    expect(again.statusCode).toBe(304);
  });

  it('NAV-8 no path is put together from a request', async () => {
    for (const url of ['/../package.json', '/about/../../x', '/%2e%2e/%2e%2e/etc/passwd', '/pages.json', '/assets/']) {
      expect((await app.inject(url)).statusCode, url).toBe(404);
    }
  });

  it('SHELL-2 a folder without a built client is refused at start', () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'wardline-static-'));
    expect(() => serveStaticFiles(fastify(), readSite(empty), async (_request, reply) => reply)).toThrow(
      'The web client is not built',
    );
    rmSync(empty, { recursive: true });
  });
});
