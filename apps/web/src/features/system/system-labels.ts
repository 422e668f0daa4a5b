import type { SystemWarning } from '@wardline/contract/facilities/system.ts';
import type { SystemAccount } from '@wardline/contract/facilities/system-accounts.ts';
import { counted } from '@wardline/format/counts.ts';

/** What stops work, or lets somebody in. */
const GRAVE: ReadonlySet<SystemWarning['code']> = new Set([
  'audit_changed',
  'disk_low',
  'database_read_only',
  'files_unavailable',
  'files_damaged',
  'malware_check_unavailable',
  'demo_accounts_reachable',
  'unencrypted_url',
]);

export function warningTone({ code }: SystemWarning): 'error' | 'warning' {
  return GRAVE.has(code) ? 'error' : 'warning';
}

const JOB_KINDS: Readonly<Record<string, string>> = {
  'audit.head': 'Email with the end of the audit log',
  'auth.account_changed': 'Email about a changed account',
  'auth.email_change_asked': 'Email about a new address',
  'auth.email_changed': 'Email about a changed address',
  'auth.forgot_password': 'Email to reset a password',
  'auth.password_changed': 'Email about a changed password',
  'auth.registered': 'Email to confirm a sign-up',
  'auth.second_factor': 'Email about second factors',
  'auth.sessions_ended': 'End of sessions',
  'auth.verification': 'Email to verify an address',
  'census-refusal': 'Entry of a refused change in the census log',
  'census.log_head': 'Email with the end of the census log',
  'chat.attachment.expire': 'Removal of files that were never sent',
  'chat.attachment.remove': 'Removal of deleted files',
  'chat.attachment.scan': 'Malware check of a file',
  'chat.attachment.verify': 'Weekly reading of stored files',
  'chat.emergency.end': 'End of an emergency access',
  'contact.message': 'Message of the contact form',
  'invitations.administrator': 'Invitation of an administrator',
  'notifications.chat': 'Notifications of a chat',
  'notifications.digest': 'Summary of unread messages',
  'notifications.digest_mail': 'Email with a summary',
  'notifications.push': 'Push notification',
  'system.warnings': 'Email with warnings',
};

/** What a job does; one that this build does not know is called by its name. */
export function formatJobKind(kind: string): string {
  return JOB_KINDS[kind] ?? kind;
}

const CODES: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'The other server refused the connection'],
  [/ENOTFOUND|EDNS|EAI_AGAIN/, 'The other server’s name is not known'],
  [/ETIMEDOUT|ESOCKET|ECONNRESET|TimeoutError|AbortError/, 'The other server did not answer'],
  [/EAUTH/, 'The mail server refused the sign-in'],
  [/EENVELOPE/, 'The mail server refused the address'],
  [/ETLS|CERT/, 'The other server’s certificate is not accepted'],
];

/** Why something failed, in words where they are known, with the codes that the log has. */
export function formatReason(reason: string | null): string {
  if (reason === null) return 'No reason was stored';
  const said = CODES.find(([code]) => code.test(reason))?.[1];
  return said === undefined ? reason.charAt(0).toUpperCase() + reason.slice(1) : `${said} (${reason})`;
}

const SEEN: Readonly<Record<NonNullable<SystemAccount['last_seen']>, string>> = {
  now: 'Just now',
  hour: 'In the last hour',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'This week',
};

export function formatSeen({ last_seen, is_unused }: Pick<SystemAccount, 'last_seen' | 'is_unused'>): string {
  if (last_seen !== null) return SEEN[last_seen];
  return is_unused ? 'Not yet: the account is new' : 'Not in the last week';
}

export function formatFactors({ app, passkeys, providers }: SystemAccount['second_factors']): string {
  const kinds = [
    ...(app ? ['Authenticator app'] : []),
    ...(passkeys > 0 ? [counted(passkeys, 'passkey')] : []),
    ...(providers > 0 ? [counted(providers, 'sign-in provider')] : []),
  ];
  return kinds.length === 0 ? 'None' : kinds.join(', ');
}
