import { createEmitter } from '@wardline/client/emitter.ts';
import { pageFacts } from '@wardline/client/facts/page-facts.ts';
import { type Call, createCall } from '@wardline/client/http/call.ts';
import type { CallEvents } from '@wardline/client/http/call-events.ts';
import type { Log } from '@wardline/client/log.ts';
import { createSession, type Session, type SessionEvents } from '@wardline/client/session/session.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { createTokenStorage } from './token-storage.ts';

/** What exists once, from the first moment on. Queries and the live connection come with the signed-in layout. */
export interface Services {
  readonly config: ClientConfig;
  readonly log: Log;
  readonly call: Call;
  readonly session: Session;
  /** Whose socket the server leaves out when it tells of what this tab did; set once there is a live connection. */
  readonly socket: { id: () => string | null };
}

export function createServices(config: ClientConfig, log: Log): Services {
  const events = createEmitter<CallEvents & SessionEvents>();
  const socket: Services['socket'] = { id: () => null };
  const storage = config.mode === 'token' ? { tokenStorage: createTokenStorage() } : {};
  const call = createCall({
    config,
    log,
    onEvent: (name, payload) => events.emit(name, payload),
    socketId: () => socket.id(),
    ...storage,
  });
  const session = createSession({ config, call, events, log, online: pageFacts().online, ...storage });
  return { config, log, call, session, socket };
}
