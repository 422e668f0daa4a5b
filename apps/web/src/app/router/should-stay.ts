import type { SessionState } from '@wardline/client/session/session.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';

/** True where a session that ended by itself leaves the person on the page (AUTH-2); its layout says so. */
export function shouldStay(state: SessionState, redirect: ClientConfig['redirect']): boolean {
  const leaves = redirect.if_unauthenticated && redirect.on_auth_only !== false;
  return state.status === 'signed-out' && state.reason === 'expired' && !leaves;
}
