import { createEmitter, type Emitter } from '@wardline/client/emitter.ts';
import { type Call, createCall, type TokenStorage } from '@wardline/client/http/call.ts';
import type { ClientEvents } from '@wardline/client/http/call-events.ts';
import type { Log } from '@wardline/client/log.ts';
import { createDeviceOwner } from '@wardline/client/session/device-owner.ts';
import { createLazySession } from '@wardline/client/session/lazy-session.ts';
import type { Session } from '@wardline/client/session/session.ts';
import { hasSessionHint } from '@wardline/client/session/session-hint.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';

/** What exists once, from the first moment on. Queries and the live connection come with the signed-in layout. */
export interface Services {
  readonly config: ClientConfig;
  readonly log: Log;
  readonly call: Call;
  readonly session: Session;
  /** What calls, the session and the guards tell other code (AUTH-4). */
  readonly events: Emitter<ClientEvents>;
  /** Whose socket the server leaves out when it tells of what this tab did; set once there is a live connection. */
  readonly socket: { id: () => string | null };
}

export async function createServices(config: ClientConfig, log: Log): Promise<Services> {
  const events = createEmitter<ClientEvents>();
  const socket: Services['socket'] = { id: () => null };
  const owner = createDeviceOwner();
  const storage: { readonly tokenStorage?: TokenStorage } =
    config.mode === 'token' ? { tokenStorage: await loadTokenStorage() } : {};
  const call = createCall({
    config,
    log,
    onEvent: (name, payload) => events.emit(name, payload),
    socketId: () => socket.id(),
    navigate: (url) => location.assign(url),
    // A guest's form has asked for it: it is no hint at a session.
    onCsrfCookie: () => owner.get() === null && owner.set(null),
    ...storage,
  });
  const hasHint = () =>
    hasSessionHint({ config, owner, hasToken: () => (storage.tokenStorage?.get() ?? null) !== null });
  const session = createLazySession({
    async create() {
      const [{ createSession }, { pageState }] = await loadSession();
      return createSession({ config, call, events, log, owner, hasHint, online: pageState().online, ...storage });
    },
    ...{ hasHint, log },
  });
  return { config, log, call, session, events, socket };
}

/** The code of the session; begun before the configuration is here where somebody may be signed in. */
export function loadSession() {
  return Promise.all([import('@wardline/client/session/session.ts'), import('@wardline/client/browser/page-state.ts')]);
}

async function loadTokenStorage() {
  const { openTokenStorage } = await import('./token-storage.ts');
  return await openTokenStorage();
}
