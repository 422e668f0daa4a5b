import { expect, it, vi } from 'vitest';
import { createReloadGuard } from './reload-guard.ts';

function setUp(stored?: string) {
  const store = new Map(stored === undefined ? [] : [['wardline:reload', stored]]);
  const location = { href: 'https://ward.test/chats?q=1', assign: vi.fn(), reload: vi.fn() };
  let time = 0;
  const storage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
  };
  const guard = createReloadGuard({ storage: () => storage, now: () => time, location });
  const at = (ms: number) => {
    time = ms;
    return guard;
  };
  return { guard, at, store, storage, location };
}

it('PWA-6 a path is loaded anew at most once in 10 s', () => {
  const { at, location } = setUp();
  expect(at(0).reload('/dashboard')).toBe(true);
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('https://ward.test/dashboard');
  expect(at(10_000).reload('/dashboard')).toBe(false);
  expect(location.assign).toHaveBeenCalledTimes(1);
  expect(at(10_001).reload('/dashboard')).toBe(true);
});

it('PWA-6 one path is remembered, with its query, under one key', () => {
  const { at, store } = setUp();
  expect(at(0).reload('/chat?a=1')).toBe(true);
  expect(JSON.parse(store.get('wardline:reload') ?? '')).toEqual({ path: '/chat?a=1', expires: 10_000 });
  expect(at(1).reload('/chat?a=2')).toBe(true);
  expect(at(2).reload('/chat?a=1')).toBe(true);
  expect(at(3).reload('/chat?a=1')).toBe(false);
});

it('PWA-6 the page itself is reloaded, also where only the hash differs', () => {
  const { at, location } = setUp();
  at(0).reload('/chats?q=1');
  expect(location.assign).not.toHaveBeenCalled();
  expect(location.reload).toHaveBeenCalledTimes(1);
  at(0).reload('/chats?q=1#last');
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('https://ward.test/chats?q=1#last');
  expect(location.reload).toHaveBeenCalledTimes(2);
});

it('PWA-6 without a record there is no reload, so that it cannot go round in a circle', () => {
  const { guard, storage, location } = setUp();
  storage.setItem = () => {
    throw new Error('full');
  };
  expect(guard.reload('/dashboard')).toBe(false);
  const closed = createReloadGuard({
    location,
    storage: () => {
      throw new Error('closed');
    },
  });
  expect(closed.reload('/dashboard')).toBe(false);
  expect(location.assign).not.toHaveBeenCalled();
});

it.each(['{', 'null', '7'])('PWA-6 a record that is none (%s) is written over', (stored) => {
  expect(setUp(stored).at(0).reload('/dashboard')).toBe(true);
});

it.each(['https://evil.example/chats', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  'PWA-6 another site is not gone to: %s',
  (path) => {
    const { guard, location, store } = setUp();
    expect(guard.reload(path)).toBe(false);
    expect(location.assign).not.toHaveBeenCalled();
    expect(store.size).toBe(0);
  },
);
