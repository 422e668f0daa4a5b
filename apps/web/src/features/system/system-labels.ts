import type { SYSTEM_WARNINGS } from '@wardline/contract/facilities/system.ts';
import type { SystemAccount } from '@wardline/contract/facilities/system-accounts.ts';
import { counted } from '@wardline/format/counts.ts';

type WarningCode = (typeof SYSTEM_WARNINGS)[number];

interface WarningLabel {
  readonly tone: 'error' | 'warning';
  readonly title: (count: number) => string;
  /** What to do about it. */
  readonly text: string;
}

export const WARNINGS: Readonly<Record<WarningCode, WarningLabel>> = {
  audit_changed: {
    tone: 'error',
    title: () => 'The audit log was changed outside the server.',
    text: 'Run “npm run audit -- verify” on the server; it names what was changed.',
  },
  disk_low: {
    tone: 'error',
    title: () => 'The disk is almost full.',
    text: 'Make room before it is full: then nothing can be stored any more.',
  },
  database_read_only: {
    tone: 'error',
    title: () => 'The database takes no changes.',
    text: 'Its disk may be full. People can still read.',
  },
  files_unavailable: {
    tone: 'error',
    title: () => 'Files can’t be read or stored.',
    text: 'See the server’s log. Messages without files go on.',
  },
  files_damaged: {
    tone: 'error',
    title: (count) => `${counted(count, 'stored file is', 'stored files are')} damaged or missing.`,
    text: 'Given to nobody until it is brought back from a backup. The server’s log has its name.',
  },
  malware_check_unavailable: {
    tone: 'error',
    title: () => 'New files wait: nothing checks them for malware.',
    text: 'The scanner that WARDLINE_CLAMD names does not answer.',
  },
  demo_accounts_reachable: {
    tone: 'error',
    title: () => 'Demo accounts can be reached from other machines.',
    text: 'Their password is printed at start. Use an empty database for real patients.',
  },
  unencrypted_url: {
    tone: 'error',
    title: () => 'The public address is not encrypted.',
    text: 'Set WARDLINE_PUBLIC_URL to an https address. Without it passkeys, notifications and the installed app don’t work either.',
  },
  unknown_proxy: {
    tone: 'warning',
    title: () => 'A request came through a proxy that is not declared.',
    text: 'Behind a proxy, set WARDLINE_TRUSTED_PROXY_HOPS: otherwise everyone shares one address and its sign-in limits. A visitor can also have made the header up.',
  },
  audit_behind: {
    tone: 'warning',
    title: (count) => `${counted(count, 'audit entry', 'audit entries')} not chained for over 15 minutes.`,
    text: 'See the server’s log.',
  },
  badges_wrong: {
    tone: 'warning',
    title: (count) => `${counted(count, 'unread count was', 'unread counts were')} wrong last night, and corrected.`,
    text: 'Please report it: this number should be 0.',
  },
  backup_old: {
    tone: 'warning',
    title: (days) => (days === 0 ? 'There is no backup yet.' : `The last backup is ${counted(days, 'day')} old.`),
    text: 'Run “npm run backup” on the server each night. With backups of another kind, set WARDLINE_BACKUP_DAYS to 0.',
  },
  database_fixes_missing: {
    tone: 'warning',
    title: (count) =>
      `Fixes for the database have come out ${count === 1 ? 'once' : `${count} times`} since the one in this build.`,
    text: 'Update Wardline. If there is no newer build, set DATABASE_URL to a PostgreSQL of your own that is kept up to date.',
  },
  jobs_dead: {
    tone: 'warning',
    title: (count) => `${counted(count, 'job')} failed for good.`,
    text: 'Emails or notifications may be missing. See Jobs.',
  },
  jobs_waiting: {
    tone: 'warning',
    title: () => 'Jobs have been waiting for over 15 minutes.',
    text: 'Emails and notifications are late. See the server’s log.',
  },
  mail_kept: {
    tone: 'warning',
    title: () => 'Emails are kept in a folder and reach no one.',
    text: 'Set WARDLINE_MAIL_URL to your mail server.',
  },
  no_security_contact: {
    tone: 'warning',
    title: () => 'No security contact.',
    text: 'Set WARDLINE_SECURITY_CONTACT, so that people can report a weakness.',
  },
};

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
