import type { ClientConfig } from '@wardline/contract/config.ts';

/** What the guards know of who is here. */
export interface AuthState {
  isSignedIn(): boolean;
  /** True after a session ended without being asked to; said once on the sign-in page. */
  hasEnded(): boolean;
  /** Whether the person has this permission in one of their facilities. */
  may(permission: string): boolean;
  /** Whether the person is a system administrator. */
  isOperator(): boolean;
}

export interface RouterContext {
  readonly auth: AuthState;
  readonly redirects: ClientConfig['redirect'];
  /** Told of every redirect before it is followed (AUTH-4). */
  readonly onRedirect?: (url: string) => void;
}
