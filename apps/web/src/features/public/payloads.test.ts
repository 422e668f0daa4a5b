import { describe, expect, it, vi } from 'vitest';
import { createPayloads, type PayloadPlace } from './payloads.ts';

function setUp(change: Partial<PayloadPlace> & { embedded?: string; answer?: () => Promise<Response> } = {}) {
  const { embedded, answer, ...rest } = change;
  const fetch = vi.fn<typeof globalThis.fetch>(
    answer ?? (async () => json({ path: '/about', content: { title: 'About' } })),
  );
  const place: PayloadPlace = {
    document: { getElementById: () => (embedded === undefined ? null : ({ textContent: embedded } as HTMLElement)) },
    fetch,
    buildId: () => 'b7',
    warn: vi.fn(),
    loadedPath: () => '/',
    currentPath: () => '/about',
    leave: vi.fn(),
    ...rest,
  };
  return { payloads: createPayloads(place), fetch, place };
}

const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status });

describe('PWA-8 the data of pages that were rendered ahead', () => {
  it('PWA-8 the window’s own page has brought its data, and nothing is fetched', async () => {
    const { payloads, fetch } = setUp({ embedded: '{"path":"/about","content":{"title":"Here"}}' });
    expect(await payloads.load('/about')).toEqual({ title: 'Here' });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('PWA-8 another page’s data is fetched under the build’s name, kept by the browser, and once', async () => {
    const { payloads, fetch } = setUp({ embedded: '{"path":"/","content":{}}' });
    const answers = await Promise.all([payloads.load('/about'), payloads.load('/about')]);
    expect(answers).toEqual([{ title: 'About' }, { title: 'About' }]);
    expect(await payloads.load('/about')).toEqual({ title: 'About' });
    expect(fetch.mock.calls).toEqual([['/about/_payload.json?b7', { cache: 'force-cache' }]]);
  });

  it('PWA-8 the start page’s file lies at the root', async () => {
    const { payloads, fetch } = setUp({
      loadedPath: () => '/about',
      answer: async () => json({ path: '/', content: 1 }),
    });
    expect(await payloads.load('/')).toBe(1);
    expect(fetch.mock.calls[0]?.[0]).toBe('/_payload.json?b7');
  });

  it.each([
    ['there is none', async () => json({}, 404)],
    ['it is a page', async () => new Response('<!doctype html>')],
    ['it is another page’s', async () => json({ path: '/contacts', content: {} })],
    ['the network is gone', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('PWA-8 where %s, it says so and loads the page itself', async (_what, answer) => {
    const { payloads, place } = setUp({ answer });
    void payloads.load('/about');
    await expect.poll(() => place.leave).toHaveBeenCalledWith('/about');
    expect(place.warn).toHaveBeenCalledExactlyOnceWith('Cannot load payload /about/_payload.json');
  });

  it('PWA-8 what was only fetched ahead leads nobody away, and is tried again', async () => {
    const { payloads, place, fetch } = setUp({ currentPath: () => '/' });
    fetch.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(payloads.load('/about')).rejects.toThrow('Failed to fetch');
    expect(place.leave).not.toHaveBeenCalled();
    expect(await payloads.load('/about')).toEqual({ title: 'About' });
  });

  it('PWA-8 a page that was loaded for this very address is not loaded again', async () => {
    const { payloads, place } = setUp({ loadedPath: () => '/about', answer: async () => json({}, 404) });
    await expect(payloads.load('/about')).rejects.toThrow('404');
    expect(place.leave).not.toHaveBeenCalled();
  });
});
