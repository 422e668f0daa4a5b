import type { Session } from '@wardline/client/session/session.ts';
import type { AuthFacts } from './router-context.ts';

/** What the guards ask of a session. */
export function authFacts(session: Pick<Session, 'get'>): AuthFacts {
  return {
    isSignedIn: () => session.get().status === 'signed-in',
    hasEnded() {
      const state = session.get();
      return state.status === 'signed-out' && state.reason === 'expired';
    },
    may(permission) {
      const state = session.get();
      if (state.status !== 'signed-in') return false;
      return state.user.memberships.some(({ permissions }) => permissions.includes(permission));
    },
  };
}
