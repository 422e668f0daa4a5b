import type { SsoFailure } from '@wardline/contract/account/single-sign-on.ts';

/** What is known here of whom a provider names. */
export interface Known {
  /** Whose account this person at the provider is. */
  readonly linkedTo: string | null;
  /** The account with the address that the provider vouches for. */
  readonly sameAddress: {
    readonly userId: string;
    readonly isVerified: boolean;
    /** Linked to somebody else at the same provider. */
    readonly isTaken: boolean;
  } | null;
  readonly hasVerifiedEmail: boolean;
  readonly mayCreate: boolean;
}

export type Decision =
  | { readonly does: 'enter' | 'link'; readonly userId: string }
  | { readonly does: 'create' }
  | { readonly does: 'refuse'; readonly why: SsoFailure };

/** Whom a sign-in at a provider signs in: by the link, else by an address that both sides have verified, else nobody. */
export function decideAccount({ linkedTo, sameAddress, hasVerifiedEmail, mayCreate }: Known): Decision {
  if (linkedTo !== null) return { does: 'enter', userId: linkedTo };
  if (!hasVerifiedEmail) return { does: 'refuse', why: 'unverified' };
  if (sameAddress === null) return mayCreate ? { does: 'create' } : { does: 'refuse', why: 'no_account' };
  if (!sameAddress.isVerified) return { does: 'refuse', why: 'account_unverified' };
  return sameAddress.isTaken ? { does: 'refuse', why: 'conflict' } : { does: 'link', userId: sameAddress.userId };
}

/** Whether somebody who is signed in may call this person at a provider theirs. */
export function decideOwnLink(
  userId: string,
  { linkedTo, ownSubject, subject }: { linkedTo: string | null; ownSubject: string | null; subject: string },
): 'link' | 'linked' | 'conflict' {
  if (linkedTo === userId) return 'linked';
  return linkedTo !== null || (ownSubject !== null && ownSubject !== subject) ? 'conflict' : 'link';
}
