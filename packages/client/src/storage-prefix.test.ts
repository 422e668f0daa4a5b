import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, it } from 'vitest';
import { createOutbox } from './outbox/outbox.ts';
import { createInstallPrompt } from './pwa/install-prompt.ts';
import { createReloadGuard } from './pwa/reload-guard.ts';
import { createDeviceOwner } from './session/device-owner.ts';
import { checkPrefix } from './storage-prefix.ts';
import { createFakeTabs } from './testing/fake-tabs.ts';
import { createSessionServer } from './testing/session-setup.ts';
import { until } from './testing/settle.ts';
import { createSilentLog } from './testing/silent-log.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

const databases = async () => (await indexedDB.databases()).map(({ name }) => name).sort();

function mapStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { readonly names: () => string[] } {
  const rows = new Map<string, string>();
  return {
    getItem: (name) => rows.get(name) ?? null,
    setItem: (name, value) => void rows.set(name, value),
    removeItem: (name) => void rows.delete(name),
    names: () => [...rows.keys()].sort(),
  };
}

it('F-L11 every name that is kept in the browser begins with the prefix of the app', async () => {
  const prefix = 'shifts';
  const storage = mapStorage();
  const tabs = createFakeTabs();
  const names = new Set<string>();
  const openTab: typeof tabs.openTab = (name, onWord) => {
    names.add(`channel ${name}`);
    return tabs.openTab(name, onWord);
  };
  const withLock: typeof tabs.withLock = (name, signal, work) => {
    names.add(`lock ${name}`);
    return tabs.withLock(name, signal, work);
  };
  const { session } = createSessionServer().tab('cookie', {
    prefix,
    openTab,
    owner: createDeviceOwner(storage, prefix),
  });
  await session.signIn('a@b', 'p', { ownDevice: true });
  const store = session.store();
  if (store === null) throw new Error('There is no copy on the device.');
  const ways = { send: async () => 'ok', deliver: () => [], describeFailure: () => 'Refused.' };
  const outbox = createOutbox({ store, userId: 'u1', log: createSilentLog(), openTab, withLock, ...ways });
  await outbox.open();
  await outbox.add({ clientId: 'a', lane: 'l', payload: {}, writtenAt: new Date().toISOString() });
  await until(() => names.has('lock shifts-outbox-u1'));
  expect([...names].sort()).toEqual(['channel shifts-outbox-u1', 'channel shifts-session', 'lock shifts-outbox-u1']);
  expect(await databases()).toEqual(['shifts-u1']);
  expect(storage.names()).toEqual(['shifts-device-owner']);
  outbox.stop();

  const events = new EventTarget();
  const matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as unknown as MediaQueryList;
  createInstallPrompt({ events, storage: () => storage, matchMedia, navigator: { userAgent: '' }, prefix }).cancel();
  const location = { href: 'https://ward.test/', assign: () => undefined, reload: () => undefined };
  createReloadGuard({ storage: () => storage, location, prefix }).reload('/shifts');
  expect(storage.names()).toEqual(['shifts-device-owner', 'shifts-hide-install', 'shifts:reload']);
});

it('F-L11 a sign-in ends the copies of other people in its own app, and leaves those of another app alone', async () => {
  const signIn = async (prefix: string, email: string) => {
    const owner = createDeviceOwner(mapStorage(), prefix);
    const { session } = createSessionServer().tab('cookie', { prefix, owner });
    await session.signIn(email, 'p', { ownDevice: true });
    const store = session.store();
    await store?.write([{ type: 'put-meta', name: 'draft', value: 'typed', isCache: false }]);
    return { session, draft: () => session.store()?.meta('draft') };
  };
  const other = await signIn('wards', 'a@b');
  const first = await signIn('ward', 'a@b');
  first.session.store()?.close();
  const second = await signIn('ward', 'other@b');
  expect(await databases()).toEqual(['ward-u1', 'ward-u2', 'wards-u1']);
  expect(await other.draft()).toBe('typed');
  expect(await second.draft()).toBe('typed');
  await second.session.signOut();
  expect(await other.draft()).toBe('typed');
});

it.each(['', 'my-app', 'a:b', 'ü'])(
  'F-L11 the prefix %j is refused, since names could run into those of others',
  (prefix) => {
    expect(() => checkPrefix(prefix)).toThrow('letters and digits');
    expect(() => createDeviceOwner(null, prefix)).toThrow('letters and digits');
  },
);
