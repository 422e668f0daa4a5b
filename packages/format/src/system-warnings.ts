import { counted } from './counts.ts';

interface WarningText {
  readonly title: (count: number) => string;
  /** What to do about it. */
  readonly text: string;
}

const WARNINGS = {
  audit_changed: {
    title: () => 'The audit log was changed outside the server.',
    text: 'Run “npm run audit -- verify” on the server; it names what was changed.',
  },
  disk_low: {
    title: () => 'The disk is almost full.',
    text: 'Make room before it is full: then nothing can be stored any more.',
  },
  database_read_only: {
    title: () => 'The database takes no changes.',
    text: 'Its disk may be full. People can still read.',
  },
  files_unavailable: {
    title: () => 'Files can’t be read or stored.',
    text: 'See the server’s log. Messages without files go on.',
  },
  files_damaged: {
    title: (count) => `${counted(count, 'stored file is', 'stored files are')} damaged or missing.`,
    text: 'Given to nobody until it is brought back from a backup. The server’s log has its name.',
  },
  malware_check_unavailable: {
    title: () => 'New files wait: nothing checks them for malware.',
    text: 'The scanner that WARDLINE_CLAMD names does not answer.',
  },
  demo_accounts_reachable: {
    title: () => 'Demo accounts can be reached from other machines.',
    text: 'Their password is printed at start. Use an empty database for real patients.',
  },
  unencrypted_url: {
    title: () => 'The public address is not encrypted.',
    text: 'Set WARDLINE_PUBLIC_URL to an https address. Without it passkeys, notifications and the installed app don’t work either.',
  },
  unknown_proxy: {
    title: () => 'A request came through a proxy that is not declared.',
    text: 'Behind a proxy, set WARDLINE_TRUSTED_PROXY_HOPS: otherwise everyone shares one address and its sign-in limits. A visitor can also have made the header up.',
  },
  audit_behind: {
    title: (count) => `${counted(count, 'audit entry', 'audit entries')} not chained for over 15 minutes.`,
    text: 'See the server’s log.',
  },
  badges_wrong: {
    title: (count) => `${counted(count, 'unread count was', 'unread counts were')} wrong last night, and corrected.`,
    text: 'Please report it: this number should be 0.',
  },
  backup_old: {
    title: (days) => (days === 0 ? 'There is no backup yet.' : `The last backup is ${counted(days, 'day')} old.`),
    text: 'Run “npm run backup” on the server each night. With backups of another kind, set WARDLINE_BACKUP_DAYS to 0.',
  },
  database_fixes_missing: {
    title: (count) =>
      `Fixes for the database have come out ${count === 1 ? 'once' : `${count} times`} since the one in this build.`,
    text: 'Update Wardline. If there is no newer build, set DATABASE_URL to a PostgreSQL of your own that is kept up to date.',
  },
  jobs_dead: {
    title: (count) => `${counted(count, 'job')} failed for good.`,
    text: 'Emails or notifications may be missing. See Jobs.',
  },
  jobs_waiting: {
    title: () => 'Jobs have been waiting for over 15 minutes.',
    text: 'Emails and notifications are late. See the server’s log.',
  },
  mail_kept: {
    title: () => 'Emails are kept in a folder and reach no one.',
    text: 'Set WARDLINE_MAIL_URL to your mail server.',
  },
  no_security_contact: {
    title: () => 'No security contact.',
    text: 'Set WARDLINE_SECURITY_CONTACT, so that people can report a weakness.',
  },
} satisfies Readonly<Record<string, WarningText>>;

interface Warning {
  readonly code: keyof typeof WARNINGS;
  /** How many, where it is about a number of something. */
  readonly count: number | null;
}

/** A warning of the installation in words: what is the matter, and what to do about it. */
export function formatSystemWarning({ code, count }: Warning): { readonly title: string; readonly text: string } {
  const { title, text }: WarningText = WARNINGS[code];
  return { title: title(count ?? 0), text };
}
