import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHttpServer } from '#/platform/http/edge/create-http-server.ts';
import { type OutboundAnswer, OutboundError } from '#/platform/http/outbound.ts';
import { createCounter } from '#/platform/http/rate-limit.ts';
import { createLog } from '#/platform/log.ts';
import { runs } from '#/testing/nightly.ts';
import { iconsFeature } from './index.ts';

const WEEK = 'public, max-age=604800, stale-while-revalidate=604800';
const MINUTE = 'public, max-age=60';
const SAFE = '<path fill="currentColor" d="M0 0h1"/>';

const get = vi.fn<(url: URL) => Promise<OutboundAnswer>>();
let app: FastifyInstance;
beforeEach(() => {
  get.mockReset();
  app = start('https://icons.example/v1');
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

function start(iconService: string | null): FastifyInstance {
  const server = createHttpServer({ log: createLog('silent'), secure: false, trustedProxyHops: 0 });
  iconsFeature({ createCounter, iconService, outbound: { get } }).serve(server);
  return server;
}

const ask = (rest: string, remoteAddress = '192.0.2.1') =>
  app.inject({ url: `/icons/_nuxt_icon/${rest}`, remoteAddress });
const give = (answer: unknown, status = 200) =>
  get.mockResolvedValue({ status, body: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)) });
const set = (icons: object, more: object = {}) => ({ prefix: 'mdi', icons, width: 24, height: 24, ...more });

describe('icons that come with the server', () => {
  it('ICON-1 are answered with their drawings and kept for a week by whoever asked', async () => {
    const response = await ask('lucide.json?icons=heart%2Cbed');
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe(WEEK);
    const { icons, ...rest } = response.json();
    expect(rest).toEqual({ prefix: 'lucide', width: 24, height: 24 });
    expect(Object.keys(icons).sort()).toEqual(['bed', 'heart']);
    expect(icons.heart.body).toMatch(/^<path /);
    expect(get).not.toHaveBeenCalled();
  });

  it('ICON-1 are found by their other names, with the icon that they stand for', async () => {
    const answer = (await ask('lucide.json?icons=edit-2')).json();
    expect(answer.aliases).toEqual({ 'edit-2': { parent: 'pen' } });
    expect(Object.keys(answer.icons)).toEqual(['pen']);
  });

  it('ICON-1 are answered beside names that nobody has', async () => {
    app = start(null);
    const response = await ask('lucide.json?icons=heart,no-such-icon,constructor');
    expect(response.json().not_found).toEqual(['constructor', 'no-such-icon']);
    expect(Object.keys(response.json().icons)).toEqual(['heart']);
    expect(response.headers['cache-control']).toBe(MINUTE);
  });

  it('ICON-1 are answered also while the service fails', async () => {
    get.mockRejectedValue(new OutboundError('too_slow'));
    const response = await ask('lucide.json?icons=heart,no-such-icon');
    expect(response.statusCode).toBe(200);
    expect(response.json().not_found).toEqual(['no-such-icon']);
    expect(response.headers['cache-control']).toBe(MINUTE);
  });
});

describe('icons of the configured service', () => {
  it('ICON-1 are asked for by name alone, once a week', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    give(set({ home: { body: SAFE } }));
    const first = await ask('mdi.json?icons=home,nothing');
    expect(get.mock.calls.map(([url]) => url.href)).toEqual(['https://icons.example/v1/mdi.json?icons=home%2Cnothing']);
    expect(first.json()).toEqual({
      prefix: 'mdi',
      width: 24,
      height: 24,
      icons: { home: { body: SAFE, width: 24, height: 24 } },
      not_found: ['nothing'],
    });
    expect(first.headers['cache-control']).toBe(WEEK);
    expect((await ask('mdi.json?icons=nothing,home')).json()).toEqual(first.json());
    expect(get).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(7 * 24 * 3_600_000 + 1);
    await ask('mdi.json?icons=home');
    expect(get).toHaveBeenCalledTimes(2);
  });

  it('ICON-1 are found by an alias, turned as it says', async () => {
    give(
      set(
        { up: { body: SAFE, width: 16 } },
        { aliases: { down: { parent: 'up', rotate: 2 }, up2: { parent: 'gone' } } },
      ),
    );
    const { icons, not_found } = (await ask('mdi.json?icons=down,up2')).json();
    expect(icons).toEqual({ down: { body: SAFE, width: 16, height: 24, rotate: 2 } });
    expect(not_found).toEqual(['up2']);
  });

  it.each([
    ['with a script', set({ home: { body: '<script>alert(1)</script>' } })],
    ['with a handler', set({ home: { body: '<path d="M0 0" onload="x"/>' } })],
    ['that loads something', set({ home: { body: '<image href="https://evil.example/x"/>' } })],
    ['that is huge', set({ home: { body: `<path d="${'M'.repeat(30_000)}"/>` } })],
    ['with sizes that are none', set({ home: { body: SAFE, width: '24" onload="x' } })],
    ['without a body', set({ home: {} })],
  ])('A28 %s are dropped', async (_what, answer) => {
    give(answer);
    const response = await ask('mdi.json?icons=home');
    expect(response.json()).toMatchObject({ icons: {}, not_found: ['home'] });
    expect(response.payload).not.toMatch(/script|onload|evil/);
  });

  it.each([
    ['another collection', { ...set({ home: { body: SAFE } }), prefix: 'fa' }],
    ['a page', '<html>'],
    ['a list', '[]'],
    ['half of it', '{"prefix":"mdi","icons":{"home":'],
  ])('ICON-1 an answer that is %s is none: nobody has the collection', async (_what, answer) => {
    give(answer);
    expect((await ask('mdi.json?icons=home')).statusCode).toBe(404);
  });

  it('ICON-1 a failure is not remembered', async () => {
    get.mockRejectedValueOnce(new OutboundError('unreachable'));
    expect((await ask('mdi.json?icons=home')).statusCode).toBe(404);
    give(set({ home: { body: SAFE } }));
    expect((await ask('mdi.json?icons=home')).statusCode).toBe(200);
  });

  it('ICON-1 without a service only what came with the server is found, and nobody is asked', async () => {
    app = start(null);
    expect((await ask('mdi.json?icons=home')).statusCode).toBe(404);
    expect(get).not.toHaveBeenCalled();
  });
});

describe('what may be asked', () => {
  it.each([
    'lucide.json',
    'lucide.json?icons=',
    'lucide.json?icons=heart,',
    'lucide.json?icons=Heart',
    'lucide.json?icons=../heart',
    'lucide.json?icons=heart%2F..',
    'lucide.json?icons=he_art',
    'lucide.json?icons=heart&x=1',
    'lucide.json?icon=heart',
    `lucide.json?icons=${'a'.repeat(65)}`,
    `lucide.json?icons=${'heart,'.repeat(90)}bed`,
    'LUCIDE.json?icons=heart',
    'lucide?icons=heart',
    'luc%69de.json?icons=heart',
    '..%2f..%2fpackage.json?icons=heart',
    '%2e%2e.json?icons=heart',
    'lucide.json%00?icons=heart',
    '@iconify-json%2flucide%2ficons.json?icons=heart',
  ])('A28 %s is refused with 400', async (rest) => {
    const response = await ask(rest);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ message: 'These are not names of icons.', code: 'bad_request' });
    expect(get).not.toHaveBeenCalled();
  });

  it('A28 is limited to 120 requests a minute from one address', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 121; turn++) statuses.push((await ask('lucide.json?icons=heart')).statusCode);
    expect(statuses.indexOf(429)).toBe(120);
    expect((await ask('lucide.json?icons=heart', '192.0.2.2')).statusCode).toBe(200);
  });

  it('A28 I4 whatever is asked and whatever the service says, it is no error, and only that service is asked', async () => {
    let turn = 0;
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('lucide', '..', '%2f', 'constructor'),
    );
    await fc.assert(
      fc.asyncProperty(text, text, fc.jsonValue(), async (collection, names, answer) => {
        give(JSON.stringify(answer) ?? '');
        const encode = (part: string) => encodeURIComponent(part.toWellFormed());
        const ip = `198.51.${turn >> 8}.${turn++ & 255}`;
        const response = await ask(`${encode(collection)}.json?icons=${encode(names)}`, ip);
        expect([200, 400, 404]).toContain(response.statusCode);
        for (const [url] of get.mock.calls)
          expect(url.href).toMatch(/^https:\/\/icons\.example\/v1\/[a-z0-9-]+\.json\?icons=/);
      }),
      { numRuns: runs(100) },
    );
  });
});
