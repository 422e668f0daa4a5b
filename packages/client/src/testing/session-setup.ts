import {
  createToken,
  getCsrfCookie,
  getDeviceKey,
  getUser,
  signIn,
  signOut,
  type User,
} from '@wardline/contract/account/auth.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { createEmitter } from '#/emitter.ts';
import { createCall } from '#/http/call.ts';
import type { ClientEvents } from '#/http/call-events.ts';
import { createSource } from '#/observable.ts';
import { createDeviceOwner } from '#/session/device-owner.ts';
import { createSession, type SessionDeps } from '#/session/session.ts';
import { createFakeApi, FakeRefusal } from './fake-api.ts';
import { createFakeTabs } from './fake-tabs.ts';
import { createSilentLog } from './silent-log.ts';
import { testConfig } from './test-config.ts';

const person = (id: string): User => ({
  id,
  name: `Frau Klabautermann ${id}`,
  email: id === 'u1' ? 'a@b' : 'other@b',
  email_verified_at: null,
  avatar_url: null,
  is_operator: false,
  memberships: [],
});

/** A server with one session, and one browser whose tabs are opened with `tab`. */
export function createSessionServer() {
  const api = createFakeApi();
  const state = { user: null as User | null, isDown: false };
  const kept = new Map<string, string>();
  const tabs = createFakeTabs();
  api.around = (_request, go) => (state.isDown ? Promise.reject(new TypeError('no network')) : go());
  const guarded = () => {
    if (state.user === null) throw new FakeRefusal('unauthenticated');
    return state.user;
  };
  const enter = (email: string) => {
    state.user = person(email === 'a@b' ? 'u1' : 'u2');
  };
  api.on(getCsrfCookie, () => undefined);
  api.on(getUser, guarded);
  api.on(getDeviceKey, () => ({ key: btoa('k'.repeat(32)) }));
  api.on(createToken, ({ body }) => {
    enter(body.email);
    return { token: 't' };
  });
  api.on(signIn, ({ body }) => {
    enter(body.email);
    return { two_factor: false };
  });
  api.on(signOut, () => {
    guarded();
    state.user = null;
    return undefined;
  });

  function tab(mode: ClientConfig['mode'] = 'token', change: Partial<SessionDeps> = {}) {
    const config = testConfig({ mode, retry: 'off' });
    const log = createSilentLog();
    const events = createEmitter<ClientEvents>();
    const tokens: (string | null)[] = [];
    const tokenStorage = { get: () => tokens.at(-1) ?? null, set: (token: string | null) => void tokens.push(token) };
    const online = createSource(true);
    const call = createCall({
      config,
      log,
      onEvent: (name, payload) => events.emit(name, payload),
      fetch: api.fetch,
      tokenStorage,
      readCookies: () => 'XSRF-TOKEN=x',
    });
    const owner = createDeviceOwner({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    });
    const { openTab } = tabs;
    const hasHint = () => true;
    const session = createSession({
      ...{ config, call, events, log, tokenStorage, openTab, owner, online, hasHint, ...change },
    });
    const text = () => log.lines.map(({ level, line }) => `${level}: ${line}`);
    return { session, call, text, online, events, tokens };
  }
  return { api, state, kept, tab, enter };
}
