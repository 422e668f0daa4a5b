import { SSO_FAILURES, type SsoFailure } from '@wardline/contract/account/single-sign-on.ts';

/** Why a way to a sign-in provider and back has led to nothing, and what helps. */
export const ssoFailures: Readonly<Record<SsoFailure, string>> = {
  denied: 'You did not finish signing in there. Try again, or use your password.',
  expired: 'This sign-in took too long, or began in another tab. Try again.',
  provider: 'The sign-in provider did not answer as it should. Try again, or use your password.',
  unreachable: 'The sign-in provider can’t be reached right now. Try again later, or use your password.',
  unverified:
    'The sign-in provider has not verified your email address. Use your password, then link it in your settings.',
  account_unverified:
    'Your address is not verified here yet. Sign in with your password and follow the link in your email first.',
  conflict:
    'This account is linked to someone else, or yours is linked to another one. Ask whoever runs this installation.',
  no_account: 'There is no account for you here yet. Ask your facility for an invitation.',
  other_person: 'This is not the account that is linked to yours.',
  not_again: 'The sign-in provider did not ask you to sign in again. Use your password or a passkey.',
};

/** The failure that an address tells of, behind its `#`. */
export function readSsoFailure(hash: string): SsoFailure | null {
  const word = hash.replace('#sso=', '');
  return SSO_FAILURES.find((failure) => failure === word) ?? null;
}
