import type { Session, SessionState } from '@wardline/client/session/session.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';

const unknown: SessionState = { status: 'unknown' };
const SessionContext = createContext<Session | null>(null);

interface SessionProviderProps {
  readonly session: Session;
  readonly children: ReactNode;
}

/** Hands the session to the screens. */
export function SessionProvider({ session, children }: SessionProviderProps) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session itself: signIn, signOut, refresh. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('There is no session around this component.');
  return session;
}

/** Who is signed in, as it changes. */
export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.get, () => unknown);
}

/** The signed-in person; only behind a guard that keeps everybody else out. */
export function useUser(): User {
  const state = useSessionState();
  if (state.status !== 'signed-in') throw new Error('Nobody is signed in here.');
  return state.user;
}
