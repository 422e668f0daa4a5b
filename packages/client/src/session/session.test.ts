import 'fake-indexeddb/auto';
import { getDeviceKey, getUser, signOut } from '@wardline/contract/account/auth.ts';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeRefusal } from '#/testing/fake-api.ts';
import { createSessionServer } from '#/testing/session-setup.ts';
import { settle, until } from '#/testing/settle.ts';
import { testConfig } from '#/testing/test-config.ts';

describe('the session', () => {
  let server: ReturnType<typeof createSessionServer>;
  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory();
    server = createSessionServer();
  });
  const tab = () => server.tab();

  it('AUTH-1 asks once; 401 means signed out and is logged for debugging only', async () => {
    const { session, text } = tab();
    await Promise.all([session.load(), session.load()]);
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'initial' });
    expect(server.api.asked.filter((line) => line === 'GET /api/user')).toHaveLength(1);
    expect(text().filter((line) => !line.startsWith('debug'))).toEqual([]);
  });

  it.each([true, false])(
    'AUTH-2 a session that ends takes nothing along that is typed on this device only (own device: %s)',
    async (ownDevice) => {
      const { session, call } = tab();
      await session.signIn('a@b', 'p', { ownDevice });
      const typed = { k: { value: '6.8', base: 1 } };
      const row = { type: 'put-meta', name: 'examination/e1', chatId: 'c1', value: typed, isCache: false } as const;
      await session.store()?.write([row]);
      server.state.user = null;
      await expect(call(getUser)).rejects.toThrow();
      await until(() => session.get().status === 'signed-out');
      await session.signIn('a@b', 'p', { ownDevice });
      expect(await session.store()?.meta('examination/e1')).toEqual(typed);
      await session.signOut();
      await session.signIn('a@b', 'p', { ownDevice });
      expect(await session.store()?.meta('examination/e1')).toBeUndefined();
    },
  );

  it('AUTH-1 anything else is an error line; an own device vouches for its person, a shared one does not', async () => {
    const first = tab();
    await first.session.signIn('a@b', 'p', { ownDevice: true });
    server.state.isDown = true;
    const second = tab();
    await second.session.load();
    expect(second.session.get()).toMatchObject({ status: 'signed-in', confirmed: false, user: { id: 'u1' } });
    expect(second.text()).toContain('error: Unable to load user identity from API');
    server.state.isDown = false;
    second.online.set(false);
    second.online.set(true);
    await until(() => {
      const now = second.session.get();
      return now.status === 'signed-in' && now.confirmed;
    });
    await second.session.signOut();
    await tab().session.signIn('a@b', 'p', { ownDevice: false });
    server.state.isDown = true;
    const third = tab();
    await third.session.load();
    expect(third.session.get()).toEqual({ status: 'signed-out', reason: 'unreachable' });
  });

  it('RTA-6 a page that was loaded while the server was away lets its person in once it is back, though no network returned', async () => {
    await tab().session.signIn('a@b', 'p', { ownDevice: false });
    server.state.isDown = true;
    const second = tab();
    await second.session.load();
    expect(second.session.get()).toEqual({ status: 'signed-out', reason: 'unreachable' });
    server.state.isDown = false;
    await until(() => second.session.get().status === 'signed-in');
  });

  it.each([
    [
      'a user of Laravel',
      { id: 7, name: 'Ana', email: 'a@b', email_verified_at: '2026-11-22T16:53:32.000000Z' },
      'Ana',
    ],
    ['one in an envelope', { data: { id: 'x7', name: 'Ana', email: 'a@b' } }, 'Ana'],
    ['nothing but an id', { id: 7 }, ''],
    ['empty places', { id: 7, name: null, email: null, memberships: [] }, ''],
  ])('F-L9 %s is an identity', async (_what, body, name) => {
    const { session } = tab();
    server.api.around = async ({ line }, go) => (line === 'GET /api/user' ? Response.json(body) : go());
    await session.load();
    const id = 'data' in body ? 'x7' : '7';
    expect(session.get()).toMatchObject({
      ...{ status: 'signed-in', confirmed: true },
      user: { id, name, memberships: [], is_operator: false, avatar_url: null },
    });
  });

  it('F-L9 a membership without permissions gives none', async () => {
    const { session } = tab();
    const facility_id = '01970000-0000-7000-8000-000000000010';
    const body = { id: 7, memberships: [{ facility_id, facility_name: 'St. Brigid' }] };
    server.api.around = async ({ line }, go) => (line === 'GET /api/user' ? Response.json(body) : go());
    await session.load();
    expect(session.get()).toMatchObject({ user: { memberships: [{ permissions: [], roles: [], title: null }] } });
  });

  it.each([{ status: 'ok' }, { data: null }, [], { id: null }])('F-L9 %j is no identity', async (body) => {
    const { session } = tab();
    server.api.around = async ({ line }, go) => (line === 'GET /api/user' ? Response.json(body) : go());
    await session.load();
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'unreachable' });
  });

  it('AUTH-2 a later 401 warns once, empties the identity and ends the copy', async () => {
    const { session, call, text } = tab();
    await session.signIn('a@b', 'p', { ownDevice: true });
    server.state.user = null;
    await expect(call(getDeviceKey)).resolves.toBeDefined();
    await expect(call(getUser)).rejects.toThrow();
    await expect(call(getUser)).rejects.toThrow();
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'expired' });
    const warning = 'warn: User session is not set in API or expired, resetting identity';
    expect(text().filter((line) => line === warning)).toHaveLength(1);
    expect(session.store()).toBeNull();
  });

  it('AUTH-2 a refresh that is answered by 401 ends the session with the same warning', async () => {
    const { session, text } = tab();
    await session.signIn('a@b', 'p', { ownDevice: false });
    server.state.user = null;
    await session.refresh();
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'expired' });
    expect(text()).toContain('warn: User session is not set in API or expired, resetting identity');
  });

  it('F-C6 a refresh asks nothing about whom the server has marked as a guest, unless a sign-out is owed', async () => {
    const { session } = server.tab('cookie', { isGuest: () => true, hasHint: () => false });
    await session.load();
    await session.refresh();
    expect(server.api.asked).toEqual([]);
    const unmarked = server.tab('cookie', { isGuest: () => false, hasHint: () => false });
    await unmarked.session.load();
    await unmarked.session.refresh();
    expect(server.api.asked).toEqual(['GET /api/user']);
  });

  it('F-C6 unless told otherwise it looks for a hint itself: a device that knows nobody asks nothing', async () => {
    const { session } = server.tab('token', { hasHint: undefined as never });
    await session.load();
    expect([session.get(), server.api.asked]).toEqual([{ status: 'signed-out', reason: 'initial' }, []]);
    await session.signIn('a@b', 'p', { ownDevice: false });
    const asked = server.api.asked.length;
    await server.tab('token', { hasHint: undefined as never }).session.load();
    expect(server.api.asked.slice(asked)).toEqual(['GET /api/user']);
  });

  it('F-C6 a key for the device is asked for where the configuration says that the back end has one', async () => {
    const asked = () => server.api.asked.filter((line) => line.endsWith('/device-key'));
    const { endpoints, ...config } = testConfig({ mode: 'token', retry: 'off' });
    const without = server.tab('token', { config: { ...config, endpoints: { ...endpoints, device_key: '' } } });
    await without.session.signIn('a@b', 'p', { ownDevice: true });
    expect([without.session.store()?.isDurable, asked()]).toEqual([true, []]);
    await without.session.signOut();
    await tab().session.signIn('a@b', 'p', { ownDevice: true });
    expect(asked()).toEqual(['GET /api/user/device-key']);
  });

  it('AUTH-3 419 warns and nothing else happens by itself', async () => {
    const { session, call, text } = tab();
    await session.signIn('a@b', 'p', { ownDevice: false });
    server.api.on(getUser, () => {
      throw new FakeRefusal('csrf_mismatch');
    });
    await expect(call(getUser)).rejects.toThrow();
    expect(text().filter((line) => !line.startsWith('debug'))).toEqual([
      'warn: CSRF token mismatch, check your API configuration',
    ]);
    expect(session.get().status).toBe('signed-in');
  });

  it('F-L2 a write that is refused with a fresh token too shows that the session has ended', async () => {
    const { session, call, text } = server.tab('cookie');
    await session.signIn('a@b', 'p', { ownDevice: false });
    server.state.user = null;
    server.api.asked.length = 0;
    server.api.on(signOut, () => {
      throw new FakeRefusal('csrf_mismatch');
    });
    await expect(call(signOut)).rejects.toMatchObject({ status: 419 });
    await until(() => session.get().status === 'signed-out');
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'expired' });
    expect(server.api.asked).toEqual(['POST /logout', 'GET /sanctum/csrf-cookie', 'POST /logout', 'GET /api/user']);
    expect(text()).toContain('warn: CSRF token mismatch, check your API configuration');
  });

  it('F-L2 a write that is refused with a fresh token while the session lives ends nothing', async () => {
    const { session, call } = server.tab('cookie');
    await session.signIn('a@b', 'p', { ownDevice: false });
    server.api.on(signOut, () => {
      throw new FakeRefusal('csrf_mismatch');
    });
    server.api.asked.length = 0;
    await expect(call(signOut)).rejects.toMatchObject({ status: 419 });
    await until(() => server.api.asked.at(-1) === 'GET /api/user');
    await session.refresh();
    expect(session.get().status).toBe('signed-in');
  });

  it('AUTH-5 signing out in one tab signs out all', async () => {
    const one = tab();
    await one.session.signIn('a@b', 'p', { ownDevice: true });
    const two = tab();
    await two.session.load();
    expect(two.session.get().status).toBe('signed-in');
    await one.session.signOut();
    await until(() => two.session.get().status === 'signed-out');
    expect(two.session.get()).toEqual({ status: 'signed-out', reason: 'elsewhere' });
    expect(two.session.store()).toBeNull();
  });

  it('AUTH-2 a session that expired in one tab has expired in all, so that what was typed is kept', async () => {
    const one = tab();
    await one.session.signIn('a@b', 'p', { ownDevice: true });
    const two = tab();
    await two.session.load();
    server.state.user = null;
    await expect(one.call(getUser)).rejects.toThrow();
    await until(() => two.session.get().status === 'signed-out');
    expect(two.session.get()).toEqual({ status: 'signed-out', reason: 'expired' });
  });

  it('A32 a sign-out without a network ends the copy at once, and the server is told at the next start', async () => {
    const { session } = tab();
    await session.signIn('a@b', 'p', { ownDevice: true });
    server.state.isDown = true;
    await session.signOut();
    const offline = tab();
    await offline.session.load();
    expect(offline.session.get()).toEqual({ status: 'signed-out', reason: 'not-ended' });
    server.state.isDown = false;
    const later = tab();
    await later.session.load();
    expect(server.state.user).toBeNull();
    expect(later.session.get()).toEqual({ status: 'signed-out', reason: 'signed-out' });
    expect([...server.kept.keys()]).toEqual(['wardline-signed-out-at']);
  });

  it('A34 a tab whose cookie has become another person’s stops and follows', async () => {
    const one = tab();
    await one.session.signIn('a@b', 'p', { ownDevice: true });
    const before = one.session.store();
    const two = tab();
    await two.session.signIn('other@b', 'p', { ownDevice: true });
    await until(() => {
      const now = one.session.get();
      return now.status === 'signed-in' && now.user.id === 'u2';
    });
    await expect(before?.write([{ type: 'remove-meta', name: 'x' }])).rejects.toMatchObject({ failure: 'closed' });
  });

  it('AUTH-1 code for copies on the device that could not be fetched early is fetched anew when it is needed', async () => {
    await tab().session.signIn('a@b', 'p', { ownDevice: true });
    let fetches = 0;
    const loadCopyEffects = () => {
      fetches += 1;
      return fetches === 1 ? Promise.reject(new TypeError('no network')) : import('./copy-effects.ts');
    };
    const { session } = server.tab('token', { loadCopyEffects });
    await settle();
    await session.load();
    expect([session.get().status, fetches]).toEqual(['signed-in', 2]);
  });

  it('AUTH-4 tells init, login and logout', async () => {
    const { session, events } = tab();
    const told: string[] = [];
    for (const name of ['sanctum:init', 'sanctum:login', 'sanctum:logout'] as const)
      events.on(name, () => told.push(name));
    await session.signIn('a@b', 'p', { ownDevice: false });
    await session.load();
    await session.signOut();
    expect(told).toEqual(['sanctum:login', 'sanctum:init', 'sanctum:logout']);
  });
});
