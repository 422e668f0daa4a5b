import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settle } from '#/testing/settle.ts';
import { createIconLoader } from './icon-loader.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const BODY = '<path d="M0 0"/>';
const ICON = { body: BODY, width: 24, height: 24 };

/** Icon data with these names and, as a service does, the size of the collection. */
const found = (...names: string[]) =>
  Response.json({
    prefix: 'lucide',
    icons: Object.fromEntries(names.map((name) => [name, { body: BODY }])),
    width: 24,
    height: 24,
  });
/** A refusal; what it says beside its status does not count. */
const status = (code: number) => Response.json({ icons: {} }, { status: code });

function setUp(hosts: string[] = ['/icons']) {
  const asked: { url: string; answer: (response: Response | Error) => Promise<void> }[] = [];
  const loader = createIconLoader({
    hosts,
    fetch: (url) =>
      new Promise((resolve, reject) => {
        asked.push({
          url: String(url),
          answer: (response) => {
            if (response instanceof Error) reject(response);
            else resolve(response);
            return settle();
          },
        });
      }),
  });
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await settle();
  };
  const answer = (index: number, response: Response | Error) => asked[index]?.answer(response);
  return { loader, asked, pass, answer, urls: () => asked.map(({ url }) => url) };
}

/** What a promise came to, or 'open'. */
const stateOf = <Value>(promise: Promise<Value>): Promise<Value | 'open'> =>
  Promise.race([promise, settle().then(() => 'open' as const)]);

describe('asking', () => {
  it('ICON-1 what is asked for in one turn goes out together, per collection, sorted and once', async () => {
    const { loader, pass, urls, answer } = setUp();
    const heart = loader.load('lucide:heart');
    expect(loader.load('lucide:heart')).toBe(heart);
    const bed = loader.load('lucide:bed');
    void loader.load('mdi:home');
    expect(urls()).toEqual([]);
    await pass(0);
    expect(urls()).toEqual(['/icons/lucide.json?icons=bed%2Cheart', '/icons/mdi.json?icons=home']);
    await answer(0, found('bed', 'heart'));
    expect(await heart).toEqual(ICON);
    expect(await bed).toEqual(ICON);
  });

  it('ICON-1 an icon under way or known is not asked for again', async () => {
    const { loader, pass, urls, answer } = setUp();
    const first = loader.load('lucide:heart');
    await pass(0);
    expect(loader.load('lucide:heart')).toBe(first);
    await pass(0);
    await answer(0, found('heart'));
    expect(loader.peek('lucide:heart')).toEqual(ICON);
    expect(await loader.load('lucide:heart')).toEqual(ICON);
    await pass(0);
    expect(urls()).toHaveLength(1);
  });

  it('ICON-1 an address has at most 500 characters; more names go in more queries', async () => {
    const { loader, pass, urls } = setUp(['/icons', 'https://icons.example/with/a/long/path']);
    for (let index = 0; index < 40; index += 1) void loader.load(`lucide:a-rather-long-name-${index}`);
    await pass(0);
    expect(urls().length).toBeGreaterThan(1);
    const asked = urls().flatMap((url) => new URL(url, 'http://ward.test').searchParams.get('icons')?.split(',') ?? []);
    expect(new Set(asked).size).toBe(40);
    await pass(750);
    expect(Math.max(...urls().map((url) => url.length))).toBeLessThanOrEqual(500);
    expect(Math.max(...urls().map((url) => url.length))).toBeGreaterThan(450);
  });

  it.each([
    'heart',
    'lucide:',
    ':heart',
    'lucide:Heart',
    'lucide:a/b',
    'lucide:a,b',
    '../x:y',
    'a:b:c',
    `a:${'b'.repeat(65)}`,
  ])('A28 a name outside the grammar is never sent: %s', async (name) => {
    const { loader, pass, urls } = setUp();
    expect(await loader.load(name)).toBeNull();
    await pass(1000);
    expect(urls()).toEqual([]);
  });
});

describe('several hosts', () => {
  const hosts = ['/icons', 'https://second.example', 'https://third.example'];

  it('ICON-1 a silent host is joined by the next after 750 ms, in the configured order; the first answer wins', async () => {
    const { loader, pass, urls, answer } = setUp(hosts);
    const heart = loader.load('lucide:heart');
    await pass(749);
    expect(urls()).toHaveLength(1);
    await pass(1);
    expect(urls()).toEqual(['/icons/lucide.json?icons=heart', 'https://second.example/lucide.json?icons=heart']);
    await answer(1, found('heart'));
    expect(await heart).toEqual(ICON);
    await pass(10_000);
    expect(urls()).toHaveLength(2);
  });

  it.each([
    ['fails', status(500)],
    ['does not know the icon', found('bed')],
  ])('ICON-1 a host that comes late and %s changes nothing', async (_what, late) => {
    const { loader, pass, urls, answer } = setUp(hosts);
    void loader.load('lucide:heart');
    await pass(750);
    await answer(1, found('heart'));
    await answer(0, late);
    expect(urls()).toHaveLength(2);
    expect(loader.peek('lucide:heart')).toEqual(ICON);
  });

  it.each([
    ['404', status(404)],
    ['500', status(500)],
    ['no network', new TypeError('Failed to fetch')],
    ['a page', new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } })],
    ['another shape', Response.json({ icons: 'none' })],
  ])('ICON-1 after %s the next host is asked at once', async (_what, response) => {
    const { loader, pass, urls, answer } = setUp(hosts);
    const heart = loader.load('lucide:heart');
    await pass(0);
    await answer(0, response);
    expect(urls()).toHaveLength(2);
    await answer(1, found('heart'));
    expect(await heart).toEqual(ICON);
  });

  it('ICON-1 a query is given up 5000 ms after the last host was asked, and data that comes late is still used', async () => {
    const { loader, pass, urls, answer } = setUp(hosts);
    const heart = loader.load('lucide:heart');
    await pass(1500);
    expect(urls()).toHaveLength(3);
    await pass(4999);
    expect(await stateOf(heart)).toBe('open');
    await pass(1);
    expect(await stateOf(heart)).toBeNull();
    expect(loader.peek('lucide:heart')).toBeUndefined();
    await answer(0, found('heart'));
    expect(loader.peek('lucide:heart')).toEqual(ICON);
    expect(await loader.load('lucide:heart')).toEqual(ICON);
    expect(urls()).toHaveLength(3);
  });

  it('ICON-1 when all hosts failed nobody waits, and the icon may be asked for again', async () => {
    const { loader, pass, urls, answer } = setUp(hosts.slice(0, 2));
    const heart = loader.load('lucide:heart');
    await pass(0);
    await answer(0, status(500));
    await answer(1, status(500));
    expect(await stateOf(heart)).toBeNull();
    void loader.load('lucide:heart');
    await pass(0);
    expect(urls()).toHaveLength(3);
  });

  it('ICON-1 an icon that does not exist is never asked for again', async () => {
    const { loader, pass, urls, answer } = setUp(hosts);
    const [heart, hart] = [loader.load('lucide:heart'), loader.load('lucide:hart')];
    await pass(0);
    await answer(0, found('heart'));
    expect(await heart).toEqual(ICON);
    expect(await hart).toBeNull();
    expect(loader.peek('lucide:hart')).toBeNull();
    expect(await loader.load('lucide:hart')).toBeNull();
    await pass(10_000);
    expect(urls()).toHaveLength(1);
  });

  it('ICON-1 without a host there are no icons but those of the bundle', async () => {
    const { loader, pass, urls } = setUp([]);
    const heart = loader.load('lucide:heart');
    await pass(0);
    expect(await stateOf(heart)).toBeNull();
    expect(urls()).toEqual([]);
  });
});
