import type { User } from '@wardline/contract/account/auth.ts';

/**
 * Why nobody is signed in: never was, said so here or in another tab, the server ended it, or it could not be asked; or said
 * so here, and the server has not ended its session yet (F-L1).
 */
export type SignedOutReason = 'initial' | 'signed-out' | 'elsewhere' | 'expired' | 'unreachable' | 'not-ended';

export type SessionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'signed-out'; readonly reason: SignedOutReason }
  /** `confirmed` is false when the server could not be asked and this device's own copy vouches for the person. */
  | { readonly status: 'signed-in'; readonly user: User; readonly confirmed: boolean };
