import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbound, OutboundError, type OutboundLimits, type OutboundWorld } from './outbound.ts';
import { isPublicAddress } from './public-address.ts';

const LIMITS: OutboundLimits = { maxBytes: 1000, timeoutMs: 20_000, atOnce: 8, waiting: 64 };
const opened: http.Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close().closeAllConnections();
});

interface Site {
  readonly port: number;
  readonly seen: IncomingMessage[];
}

async function site(answer: RequestListener): Promise<Site> {
  const seen: IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, seen };
}

/** The Internet as far as this test goes: every name leads to this site on the loopback, which counts as public. */
function worldOf({ port }: Site, changes: Partial<OutboundWorld> = {}): OutboundWorld {
  return {
    request: (url, options) => http.request({ ...options, host: url.hostname, port, path: url.pathname + url.search }),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isPublic: (address) => address === '127.0.0.1',
    ...changes,
  };
}

const ask = (world: OutboundWorld, limits: Partial<OutboundLimits> = {}) =>
  createOutbound({ ...LIMITS, ...limits }, world).get(new URL('https://media.example/a%20b.png?x=1'));

async function failureOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof OutboundError ? error.failure : String(error);
}

describe('asking another server', () => {
  it('A27 gives what it answered, and told it nothing of anybody', async () => {
    const there = await site((_request, response) => response.end('picture'));
    expect(await ask(worldOf(there))).toEqual({ status: 200, body: Buffer.from('picture') });
    expect(there.seen[0]?.url).toBe('/a%20b.png?x=1');
    expect(there.seen[0]?.headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Wardline',
      host: expect.stringContaining('media.example'),
      connection: 'close',
    });
  });

  it('A25 follows no redirect', async () => {
    const target = await site((_request, response) => response.end('secret'));
    const there = await site((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end('moved'),
    );
    expect(await ask(worldOf(there))).toEqual({ status: 302, body: Buffer.alloc(0) });
    expect(target.seen).toEqual([]);
  });

  it('F-C3 A25 follows a redirect only where it may, three at most, and tells each of nobody', async () => {
    const steps = ['/b.png', 'https://media.example/c.png', '/d.png'];
    const there = await site((request, response) => {
      const next = steps[there.seen.length - 1];
      if (next === undefined) response.end('picture');
      else response.writeHead(302, { location: next, 'set-cookie': 'a=b' }).end();
      expect(request.headers.cookie).toBeUndefined();
    });
    const get = (mayFollow: (to: URL) => boolean) =>
      createOutbound(LIMITS, worldOf(there)).get(new URL('https://media.example/a.png'), mayFollow);
    const asked: string[] = [];
    const answer = await get((to) => asked.push(to.href) > 0);
    expect(answer).toEqual({ status: 200, body: Buffer.from('picture') });
    expect(asked).toEqual([
      'https://media.example/b.png',
      'https://media.example/c.png',
      'https://media.example/d.png',
    ]);
    there.seen.length = 0;
    steps.push('/e.png');
    expect(await failureOf(get(() => true))).toBe('too_many_redirects');
    expect(there.seen).toHaveLength(4);
    there.seen.length = 0;
    expect(await failureOf(get((to) => to.pathname !== '/c.png'))).toBe('forbidden');
    expect(there.seen).toHaveLength(2);
  });

  it.each(['http://media.example/', 'https://10.0.0.1/', 'https://[::1]/', 'https://media.example:8443/'])(
    'F-C3 A25 a redirect to %s is not asked, whoever would allow it',
    async (location) => {
      const there = await site((_request, response) => response.writeHead(301, { location }).end());
      const outbound = createOutbound(LIMITS, worldOf(there));
      expect(await failureOf(outbound.get(new URL('https://media.example/'), () => true))).toBe('forbidden');
      expect(there.seen).toHaveLength(1);
    },
  );

  it('F-C3 A27 a redirect that says no address, or one that cannot be read, is no answer', async () => {
    for (const head of [{}, { location: 'https://' }]) {
      const there = await site((_request, response) => response.writeHead(302, head).end());
      const outbound = createOutbound(LIMITS, worldOf(there));
      expect(await failureOf(outbound.get(new URL('https://media.example/'), () => true))).toBe('unreachable');
    }
  });

  it.each([
    ['says so at once', (response: ServerResponse) => response.writeHead(200, { 'content-length': '5000' }).write('x')],
    ['says nothing of its length', (response: ServerResponse) => response.end('x'.repeat(5_000))],
    ['never ends', (response: ServerResponse) => void setInterval(() => response.write('x'.repeat(400)), 1).unref()],
  ])('A27 gives up on a body that is too long and %s', async (_what, answer) => {
    const there = await site((_request, response) => answer(response));
    expect(await failureOf(ask(worldOf(there)))).toBe('too_large');
  });

  it('A27 unpacks nothing', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000));
    const there = await site((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await failureOf(ask(worldOf(there)))).toBe('refused');
  });

  it.each([
    ['does not answer', () => undefined],
    ['drips', (response: ServerResponse) => void setInterval(() => response.write('x'), 20).unref()],
  ])('A27 gives up on one that %s', async (_what, answer) => {
    const there = await site((_request, response) => answer(response));
    expect(await failureOf(ask(worldOf(there), { timeoutMs: 150 }))).toBe('too_slow');
  });

  it('A27 gives up on one that hangs up, or is not there', async () => {
    const there = await site((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      setImmediate(() => response.destroy());
    });
    expect(await failureOf(ask(worldOf(there)))).toBe('unreachable');
    opened.at(-1)?.close().closeAllConnections();
    expect(await failureOf(ask(worldOf(there)))).toBe('unreachable');
  });

  it('A27 asks no more than so many at once, and turns away those that cannot wait', async () => {
    let most = 0;
    const waiting: ServerResponse[] = [];
    // Two are answered when both are here; a fifth waits for no sixth.
    const there = await site((_request, response) => {
      most = Math.max(most, waiting.push(response));
      if (waiting.length === 2 || there.seen.length === 5) for (const each of waiting.splice(0)) each.end('x');
    });
    const outbound = createOutbound({ ...LIMITS, atOnce: 2, waiting: 3 }, worldOf(there));
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, () => outbound.get(new URL('https://media.example/'))),
    );
    expect(most).toBe(2);
    expect(asked.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  });
});

describe('where it may lead', () => {
  it('A26 resolves a name once and connects to what was checked, though the answers change', async () => {
    const there = await site((_request, response) => response.end('x'));
    let asked = 0;
    const resolve = async () => [{ address: ++asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    expect((await ask(worldOf(there, { resolve }))).status).toBe(200);
    expect(asked).toBe(1);
    expect(there.seen).toHaveLength(1);
  });

  it('A26 refuses a name when one of its addresses is not public', async () => {
    const there = await site((_request, response) => response.end('x'));
    const resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(await failureOf(ask(worldOf(there, { resolve })))).toBe('forbidden');
    expect(await failureOf(ask(worldOf(there, { resolve: async () => [] })))).toBe('forbidden');
    expect(there.seen).toEqual([]);
  });

  it.each([
    'http://media.example/',
    'https://media.example:8443/',
    'https://somebody@media.example/',
    'https://:secret@media.example/',
    'ftp://media.example/',
    'file:///etc/passwd',
    'data:text/plain,x',
  ])('A25 %s is not asked', async (address) => {
    const there = await site((_request, response) => response.end('x'));
    const outbound = createOutbound(LIMITS, worldOf(there));
    expect(await failureOf((async () => outbound.get(new URL(address)))())).toBe('forbidden');
    expect(there.seen).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '[fe80::1]',
    '10.0.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    '[fd00::1]',
  ])('A25 the address %s in place of a name is not asked', async (host) => {
    const there = await site((_request, response) => response.end('x'));
    const outbound = createOutbound(LIMITS, worldOf(there, { isPublic: isPublicAddress }));
    expect(await failureOf((async () => outbound.get(new URL(`https://${host}/`)))())).toBe('forbidden');
    expect(there.seen).toEqual([]);
  });
});
