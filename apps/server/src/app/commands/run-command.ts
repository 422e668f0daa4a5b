import { type Config, readConfig } from '#/platform/config/read-config.ts';
import { createLog, type Log } from '#/platform/log.ts';
import * as accounts from './accounts-command.ts';
import * as audit from './audit-command.ts';
import * as backup from './backup-command.ts';
import * as database from './database-command.ts';
import * as doctor from './doctor-command.ts';
import * as files from './files-command.ts';
import * as records from './records-command.ts';
import * as restore from './restore-command.ts';
import { refuseMore } from './usage-error.ts';

/** Resolves to the exit code. */
type Run = (args: readonly string[]) => Promise<number>;

/** What an operator runs beside the server, or in its place. */
const COMMANDS: Readonly<Partial<Record<string, { readonly usage: string; readonly run: Run }>>> = {
  accounts: { usage: accounts.USAGE, run: withSettings(accounts.runAccountsCommand) },
  audit: { usage: audit.USAGE, run: withSettings(audit.runAuditCommand) },
  backup: { usage: backup.USAGE, run: withSettings(backup.runBackupCommand) },
  database: { usage: database.USAGE, run: withSettings(database.runDatabaseCommand) },
  doctor: { usage: doctor.USAGE, run: withSettings(doctor.runDoctorCommand) },
  files: { usage: files.USAGE, run: withSettings(files.runFilesCommand) },
  records: { usage: records.USAGE, run: records.runRecordsCommand },
  restore: { usage: restore.USAGE, run: withSettings(restore.runRestoreCommand) },
};

/** How the server itself is started, and what can be run in its place. */
const SERVER_USAGE = `npm start                  the demo hospital, on this machine only
npm run serve              the server, with the settings of docs/configuration.md in its environment
npm run serve -- --demo    loads the demo hospital into an empty database; on this machine only
               --api-only  leaves the client to another server

${Object.values(COMMANDS)
  .map((command) => command?.usage)
  .join('\n')}`;

/** The command of this name, which `--help` makes say how it is used; undefined where there is none. */
export function findCommand(name: string): Run | undefined {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command && ((args) => (asksForHelp(args) ? sayUsage(command.usage) : command.run(args)));
}

export interface ServerFlags {
  readonly isDemo: boolean;
  readonly isApiOnly: boolean;
}

/** How the server is started. Throws a UsageError about anything else: a misspelt command is no wish to start a server. */
export function readServerFlags(args: readonly string[]): ServerFlags {
  refuseMore(
    args.filter((arg) => arg !== '--demo' && arg !== '--api-only'),
    SERVER_USAGE,
  );
  return { isDemo: args.includes('--demo'), isApiOnly: args.includes('--api-only') };
}

export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** Says how the server, or else a command, is used. Resolves to the exit code. */
export async function sayUsage(usage = SERVER_USAGE): Promise<number> {
  process.stdout.write(`${usage}\n`);
  return 0;
}

/** With the same settings as the server. */
function withSettings(run: (args: readonly string[], config: Config, log: Log) => Promise<number>): Run {
  return (args) => {
    const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
    return run(args, config, createLog(config.logLevel));
  };
}
