import {
  createToken,
  getUser,
  signIn as signInEndpoint,
  signOut as signOutEndpoint,
  type User,
} from '@wardline/contract/auth.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { type OpenTabChannel, openTabChannel } from '#/browser/tab-channel.ts';
import { whenTrue } from '#/browser/when-true.ts';
import type { Emitter } from '#/emitter.ts';
import { ApiError, statusOf, transportError } from '#/http/api-error.ts';
import type { Call, TokenStorage } from '#/http/call.ts';
import type { ClientEvents } from '#/http/call-events.ts';
import type { Log } from '#/log.ts';
import { createSource, type Observable } from '#/observable.ts';
import type { DeviceStore } from '#/store/device-store.ts';
import { createDeviceCopies } from './device-copies.ts';
import { createDeviceOwner, type DeviceOwner } from './device-owner.ts';
import type { SessionState, SignedOutReason } from './session-state.ts';

export type { SessionState } from './session-state.ts';

export interface SessionDeps {
  readonly config: ClientConfig;
  readonly call: Call;
  readonly events: Emitter<ClientEvents>;
  readonly log: Log;
  readonly tokenStorage?: TokenStorage;
  readonly openTab?: OpenTabChannel;
  readonly owner?: DeviceOwner;
  /** When the network returns, a person whom only this device vouches for is asked about again. */
  readonly online?: Observable<boolean>;
  /** How this device is named in token mode. */
  readonly deviceName?: string;
}

export interface Session extends Observable<SessionState> {
  /** The signed-in person's copy on this device; null while nobody is signed in. */
  store(): DeviceStore | null;
  /** Asks once who is signed in; later calls share that answer (AUTH-1). Never rejects. */
  load(): Promise<void>;
  /** Rejects with the ApiError of the failed step; 422 carries the sentences for the fields. */
  signIn(email: string, password: string, options: { readonly ownDevice: boolean }): Promise<void>;
  /** Ends the session here, in every tab and on the server; without a network the server is told at the next start. */
  signOut(options?: { readonly discardUnsent?: boolean }): Promise<void>;
  /** Asks anew who is signed in, e.g. after memberships changed or the network returned. */
  refresh(): Promise<void>;
}

type TabWord =
  | { readonly type: 'signed-out'; readonly reason: 'elsewhere' | 'expired' }
  | { readonly type: 'signed-in'; readonly userId: string };

/** Who is signed in, in this tab and the others (AUTH-1 … AUTH-5). */
export function createSession(deps: SessionDeps): Session {
  const { config, call, events, log, tokenStorage, openTab = openTabChannel, owner = createDeviceOwner() } = deps;
  const copies = createDeviceCopies({ call, log, owner });
  const state = createSource<SessionState>({ status: 'unknown' });
  let store: DeviceStore | null = null;
  let loading: Promise<void> | null = null;
  /** A 401 or 419 during these is their own business, not the end of a session. */
  let quiet = 0;
  let ending: Promise<void> = Promise.resolve();

  const tab = openTab<TabWord>('wardline-session', (word) => {
    if (word.type === 'signed-out') leaveHere(word.reason);
    else if (currentUser()?.id !== word.userId) {
      // The cookie is another person's from now on: nothing of the one before may be sent (A34).
      leaveHere('elsewhere');
      void identify('sanctum:refresh');
    }
  });

  const currentUser = (): User | null => {
    const now = state.get();
    return now.status === 'signed-in' ? now.user : null;
  };

  /** Another tab has ended the copy, or this person's place is taken: only this tab's own use ends. */
  const leaveHere = (reason: SignedOutReason): void => {
    if (currentUser() === null) return;
    const mine = store;
    store = null;
    state.set({ status: 'signed-out', reason });
    mine?.close();
  };

  const end = (reason: SignedOutReason, options?: { readonly discardUnsent?: boolean }): Promise<void> => {
    const mine = store;
    store = null;
    state.set({ status: 'signed-out', reason });
    ending = copies.end(mine, options).catch((error) => log.error('The copy on this device could not be ended', error));
    return ending;
  };

  const expire = (): Promise<void> => {
    log.warn('User session is not set in API or expired, resetting identity');
    tab.post({ type: 'signed-out', reason: 'expired' });
    return end('expired');
  };

  const warnOfMismatch = (): void => log.warn('CSRF token mismatch, check your API configuration');

  const enter = async (user: User, isOwnDevice: boolean | undefined): Promise<void> => {
    await ending;
    if (currentUser()?.id === user.id && store !== null && isOwnDevice === undefined) {
      await copies.confirm(store, user);
    } else {
      const before = store;
      store = null;
      if (before !== null && before.userId !== user.id) await before.wipe();
      else before?.close();
      store = await copies.open(user, isOwnDevice);
    }
    state.set({ status: 'signed-in', user, confirmed: true });
  };

  const quietly = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    quiet += 1;
    try {
      return await work();
    } finally {
      quiet -= 1;
    }
  };

  const identify = async (event: 'sanctum:init' | 'sanctum:refresh'): Promise<void> => {
    try {
      if (owner.isSignOutOwed()) await payOwedSignOut();
      await enter(await quietly(() => call(getUser)), undefined);
      events.emit(event, undefined);
    } catch (error) {
      const status = statusOf(error);
      if (status === 401 || status === 419) {
        if (currentUser() !== null) return status === 401 ? await expire() : warnOfMismatch();
        log.debug(`User is not authenticated on initialization, status: ${status}`);
        return await end('initial');
      }
      log.error('Unable to load user identity from API', error);
      if (state.get().status !== 'signed-in') await enterKept(status);
    }
  };

  /** Only where there was no answer at all may this device vouch for the person; a server that refuses is believed. */
  const enterKept = async (status: number): Promise<void> => {
    const kept = status === 0 && !owner.isSignOutOwed() ? await copies.openKept() : null;
    if (kept === null) {
      state.set({ status: 'signed-out', reason: 'unreachable' });
      return;
    }
    store = kept.store;
    state.set({ status: 'signed-in', user: kept.user, confirmed: false });
  };

  const payOwedSignOut = async (): Promise<void> => {
    try {
      await quietly(() => call(signOutEndpoint));
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
    }
    owner.oweSignOut(false);
  };

  events.on('unauthenticated', () => {
    if (quiet > 0 || currentUser() === null) return;
    void expire();
  });
  events.on('csrf_mismatch', () => {
    if (quiet === 0) warnOfMismatch();
  });

  if (deps.online !== undefined) {
    whenTrue(deps.online, () => {
      const now = state.get();
      const isUnsure =
        now.status === 'signed-in' ? !now.confirmed : now.status === 'signed-out' && now.reason === 'unreachable';
      if (isUnsure) void identify('sanctum:refresh');
    });
  }

  const authenticate = async (email: string, password: string): Promise<void> => {
    if (config.mode === 'token') {
      const { token } = await call(createToken, {
        body: { email, password, device_name: deps.deviceName ?? 'Browser' },
      }).catch((error) => Promise.reject(nameMissingToken(error)));
      tokenStorage?.set(token);
      return;
    }
    const credentials = { body: { email, password } };
    try {
      await quietly(() => call(signInEndpoint, credentials));
    } catch (error) {
      if (statusOf(error) !== 419) throw error;
      // A token from before the server's last restart or sign-out: here a fresh one is worth one try.
      await call.renewCsrf();
      await call(signInEndpoint, credentials);
    }
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    store: () => store,
    load() {
      loading ??= identify('sanctum:init');
      return loading;
    },
    async signIn(email, password, { ownDevice }) {
      if (currentUser() !== null) throw new Error('User is already authenticated');
      await authenticate(email, password);
      owner.oweSignOut(false);
      const user = await quietly(() => call(getUser));
      await enter(user, ownDevice);
      tab.post({ type: 'signed-in', userId: user.id });
      events.emit('sanctum:login', undefined);
    },
    async signOut(options) {
      if (currentUser() === null) throw new Error('User is not authenticated');
      // Before the server is told: its closing sockets would let the other tabs take this for an expired session.
      tab.post({ type: 'signed-out', reason: 'elsewhere' });
      try {
        await quietly(() => call(signOutEndpoint));
      } catch (error) {
        if (statusOf(error) !== 401) owner.oweSignOut(true);
      }
      tokenStorage?.set(null);
      await end('signed-out', options);
      events.emit('sanctum:logout', undefined);
    },
    refresh: () => identify('sanctum:refresh'),
  };
}

function nameMissingToken(error: unknown): unknown {
  const isMisfit = error instanceof ApiError && error.code === 'malformed_reply';
  return isMisfit ? transportError('malformed_reply', 'Token was not returned from the API', error) : error;
}
