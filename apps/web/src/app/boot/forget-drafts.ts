import type { Session } from '@wardline/client/session/session.ts';

/**
 * A32: a sign-out, here or in another tab, takes what was typed off this tab, whichever page it shows. An ended session
 * keeps it for the same person. Answers the end of it.
 */
export function forgetDraftsAtSignOut(session: Pick<Session, 'get' | 'subscribe'>, forget: () => void): () => void {
  let wasSignedIn = session.get().status === 'signed-in';
  return session.subscribe(() => {
    const state = session.get();
    if (wasSignedIn && state.status === 'signed-out' && state.reason !== 'expired') forget();
    wasSignedIn = state.status === 'signed-in';
  });
}
