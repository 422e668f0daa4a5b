// @vitest-environment happy-dom
import '#/testing/dom.ts';
import type { OpenTabChannel } from '@wardline/client/browser/tab-channel.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANSWER_WITHIN_MS, openTokenStorage } from './token-storage.ts';

describe('the token of token mode', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
  });
  afterEach(() => void vi.useRealTimers());
  /** Each tab has a session storage of its own. */
  const openTab = async (tabs: ReturnType<typeof createFakeTabs>) => {
    sessionStorage.clear();
    const opening = openTokenStorage(tabs.openTab);
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS);
    return await opening;
  };

  it('AUTH-5 outlives a reload and is gone after signing out', async () => {
    const tabs = createFakeTabs();
    (await openTab(tabs)).set('secret');
    expect((await openTokenStorage(createFakeTabs().openTab)).get()).toBe('secret');
    (await openTokenStorage(createFakeTabs().openTab)).set(null);
    expect(sessionStorage.length).toBe(0);
  });

  it('NAV-9 a tab that is opened beside a signed-in one has the token too', async () => {
    const tabs = createFakeTabs();
    const first = await openTab(tabs);
    first.set('secret');
    expect((await openTab(tabs)).get()).toBe('secret');
  });

  it('AUTH-5 signing out in one tab takes the token from all', async () => {
    const tabs = createFakeTabs();
    const [one, two] = [await openTab(tabs), await openTab(tabs)];
    one.set('secret');
    await vi.advanceTimersByTimeAsync(1);
    expect(two.get()).toBe('secret');
    two.set(null);
    await vi.advanceTimersByTimeAsync(1);
    expect([one.get(), (await openTab(tabs)).get()]).toEqual([null, null]);
  });

  it('NAV-9 a new tab waits for a slow one that has the token, and not at all where there is none', async () => {
    const tabs = createFakeTabs();
    const locks = createFakeLocks();
    const first = await openTokenStorage(tabs.openTab, locks);
    expect(vi.getTimerCount()).toBe(0);
    first.set('secret');

    sessionStorage.clear();
    const afterMs = (ms: number): OpenTabChannel => {
      return (name, onWord) => tabs.openTab(name, (word) => void setTimeout(() => onWord(word as never), ms));
    };
    let token: string | null = null;
    void openTokenStorage(afterMs(ANSWER_WITHIN_MS - 500), locks).then((storage) => {
      token = storage.get();
    });
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS - 400);
    expect(token).toBe('secret');

    first.set(null);
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS);
    sessionStorage.clear();
    expect((await openTokenStorage(tabs.openTab, locks)).get()).toBeNull();
  });

  it('AUTH-5 lives in memory where the browser refuses storage', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    const storage = await openTab(createFakeTabs());
    storage.set('secret');
    expect(storage.get()).toBe('secret');
    vi.restoreAllMocks();
  });
});

/** The part of the browser's locks that is used: shared ones, and what is held. */
function createFakeLocks(): LockManager {
  const held: LockInfo[] = [];
  const request = async (name: string, _options: LockOptions, work: () => Promise<unknown>) => {
    const lock = { name };
    held.push(lock);
    await work();
    held.splice(held.indexOf(lock), 1);
  };
  return { request, query: async () => ({ held: [...held], pending: [] }) } as unknown as LockManager;
}
