import { ABILITY_LABELS, type Ability } from '@wardline/contract/account/personal-tokens.ts';
import type { AccountChange } from './administration/account-changes.ts';
import type { FactorChange } from './second-factor/second-factor-queries.ts';

/** A mail in words; who gets it is said by whoever sends it. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

const SECOND_FACTOR: Readonly<Record<FactorChange, { subject: (product: string) => string; text: string }>> = {
  app_added: {
    subject: (product) => `An authenticator app was added at ${product}`,
    text: 'An authenticator app now gives the codes that your account asks for when you sign in.',
  },
  app_removed: {
    subject: (product) => `The authenticator app was removed at ${product}`,
    text: 'Your account no longer asks for the codes of your authenticator app when you sign in.',
  },
  passkey_added: {
    subject: (product) => `A passkey was added at ${product}`,
    text: 'A passkey was added to your account. Whoever can unlock the device that holds it can sign in with it.',
  },
  passkey_removed: {
    subject: (product) => `A passkey was removed at ${product}`,
    text: 'A passkey of your account was removed. It no longer signs in.',
  },
  provider_linked: {
    subject: (product) => `A sign-in provider was linked at ${product}`,
    text: 'An account at a sign-in provider now signs in to your account.',
  },
  provider_unlinked: {
    subject: (product) => `A sign-in provider was unlinked at ${product}`,
    text: 'An account at a sign-in provider no longer signs in to your account. Roles that its groups gave you have ended.',
  },
  all_reset: {
    subject: (product) => `Your second factors at ${product} were reset`,
    text: 'Whoever runs this installation removed the authenticator app, the passkeys and the recovery codes of your account, and signed you out everywhere. Sign in with your password and set up a second factor again.',
  },
  all_reset_with_password: {
    subject: (product) => `Your second factors at ${product} were reset`,
    text: 'Whoever runs this installation removed the authenticator app, the passkeys and the recovery codes of your account, and signed you out everywhere. Your password was too short to be used without them, so set a new one with the link below, sign in, and set up a second factor again.',
  },
  recovery_codes_renewed: {
    subject: (product) => `New recovery codes at ${product}`,
    text: 'New recovery codes were made for your account. The ones you had before no longer work.',
  },
  recovery_code_used: {
    subject: (product) => `A recovery code was used at ${product}`,
    text: 'Someone signed in to your account with one of its recovery codes, which now no longer works.',
  },
};

const ACCOUNT: Readonly<Record<AccountChange, { subject: (product: string) => string; text: string }>> = {
  disabled: {
    subject: (product) => `Your account at ${product} was disabled`,
    text: 'A system administrator disabled your account and signed you out everywhere. It can’t be used to sign in until they enable it again.',
  },
  enabled: {
    subject: (product) => `Your account at ${product} was enabled again`,
    text: 'A system administrator enabled your account again. Sign in as before.',
  },
  signed_out: {
    subject: (product) => `You were signed out at ${product}`,
    text: 'A system administrator signed your account out everywhere. Sign in again with your password.',
  },
  operator_added: {
    subject: (product) => `You are a system administrator of ${product}`,
    text: 'A system administrator made you one too. You find the system administration in your settings.',
  },
  operator_removed: {
    subject: (product) => `You are no longer a system administrator of ${product}`,
    text: 'A system administrator took the system administration from your account, and signed you out everywhere. Your account stays as it is otherwise.',
  },
};

/**
 * What people are told by mail. Nothing in it was typed by a stranger: whoever asks for an account with somebody else's
 * address could put words into our mouth.
 */
export function createMails(productName: string) {
  const mail = (subject: string, ...paragraphs: string[]): MailText => ({
    subject,
    text: `${paragraphs.join('\n\n')}\n\n${productName}\n`,
  });
  return {
    confirmAddress: (link: string) =>
      mail(
        `Confirm your address for ${productName}`,
        `Someone asked for an account at ${productName} with this address. If that was you, follow this link and sign in with the password you chose:`,
        link,
        'The link is good for 24 hours. If it was not you, do nothing: without the link there is no account.',
      ),
    accountExists: (signIn: string) =>
      mail(
        `You have an account at ${productName}`,
        `Someone asked for an account at ${productName} with this address, which has one already. If that was you, sign in:`,
        signIn,
        'If you forgot your password, ask for a new one there. If it was not you, do nothing.',
      ),
    joinWithAccount: ({ link, facilityName }: { link: string; facilityName: string }) =>
      mail(
        `Join ${facilityName} at ${productName}`,
        `Someone used an invitation to ${facilityName} with this address, which has an account at ${productName} already. If that was you, follow this link and sign in with the password you have. You then belong to ${facilityName} too:`,
        link,
        'The link is good for 24 hours. If it was not you, do nothing.',
      ),
    resetPassword: (link: string) =>
      mail(
        `A new password for ${productName}`,
        'Someone asked for a new password for your account. If that was you, set it here:',
        link,
        'The link is good for 30 minutes and works once. If it was not you, do nothing: your password stays as it is.',
      ),
    passwordChanged: (forgotPassword: string) =>
      mail(
        `Your password for ${productName} was changed`,
        'The password of your account was changed, and every other device was signed out.',
        'If it was not you, set a new one at once:',
        forgotPassword,
      ),
    secondFactorChanged: (change: FactorChange, forgotPassword: string) =>
      mail(
        SECOND_FACTOR[change].subject(productName),
        SECOND_FACTOR[change].text,
        'If it was not you, set a new password at once, and tell whoever runs this installation:',
        forgotPassword,
      ),
    tokenMade: (abilities: readonly Ability[], forgotPassword: string) =>
      mail(
        `A personal access token was made at ${productName}`,
        `A personal access token was made for your account. Whoever has it can do this in your name until it expires, or until you revoke it in your settings:\n${abilities.map((ability) => `- ${ABILITY_LABELS[ability]}`).join('\n')}`,
        'If it was not you, set a new password at once, which also ends every token:',
        forgotPassword,
      ),
    accountChanged: (change: AccountChange) =>
      mail(
        ACCOUNT[change].subject(productName),
        ACCOUNT[change].text,
        'If you have questions, ask whoever runs this installation.',
      ),
    verifyAddress: (link: string) =>
      mail(
        `Verify your address for ${productName}`,
        `Someone who is signed in to an account at ${productName} gave this address as theirs. If that was you, follow this link:`,
        link,
        'The link is good for 24 hours. If it was not you, do nothing.',
      ),
    addressTaken: () =>
      mail(
        `Someone tried to use your address at ${productName}`,
        `Someone tried to give this address to another account at ${productName}. It stays with yours; nothing has changed.`,
        'If that was you: an address belongs to one account only.',
      ),
    addressChangeAsked: (forgotPassword: string) =>
      mail(
        `A new address for your account at ${productName}`,
        'Someone who is signed in to your account asked to replace this address by another. It is replaced once the link in the mail to the new address is opened.',
        'If it was not you, set a new password, which also stops the change:',
        forgotPassword,
      ),
    accountDeleted: () =>
      mail(
        `Your account at ${productName} was deleted`,
        'Your account was deleted, by someone who was signed in to it and confirmed the password. What you signed and wrote stays in the records under your name.',
        'If it was not you, tell whoever runs this installation at once.',
      ),
    addressChanged: () =>
      mail(
        `Your address for ${productName} was changed`,
        'Your account has another address now. Mails go there, and you sign in with it.',
        'If it was not you, tell whoever runs this installation at once.',
      ),
  };
}

export type Mails = ReturnType<typeof createMails>;
