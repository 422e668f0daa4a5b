import { type Config, readConfig } from '#/platform/config/read-config.ts';
import { createLog, type Log } from '#/platform/log.ts';
import * as accounts from './accounts-command.ts';
import * as audit from './audit-command.ts';
import * as backup from './backup-command.ts';
import * as doctor from './doctor-command.ts';
import * as files from './files-command.ts';
import * as records from './records-command.ts';
import * as restore from './restore-command.ts';

/** Resolves to the exit code. */
type Run = (args: readonly string[]) => Promise<number>;

/** What an operator runs beside the server, or in its place. */
const COMMANDS: Readonly<Partial<Record<string, { readonly usage: string; readonly run: Run }>>> = {
  accounts: { usage: accounts.USAGE, run: withSettings(accounts.runAccountsCommand) },
  audit: { usage: audit.USAGE, run: withSettings(audit.runAuditCommand) },
  backup: { usage: backup.USAGE, run: withSettings(backup.runBackupCommand) },
  doctor: { usage: doctor.USAGE, run: withSettings(doctor.runDoctorCommand) },
  files: { usage: files.USAGE, run: withSettings(files.runFilesCommand) },
  records: { usage: records.USAGE, run: records.runRecordsCommand },
  restore: { usage: restore.USAGE, run: withSettings(restore.runRestoreCommand) },
};

/** The command of this name, which `--help` makes say how it is used; undefined where there is none. */
export function findCommand(name: string): Run | undefined {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return undefined;
  return async (args) => {
    if (!args.includes('--help') && !args.includes('-h')) return command.run(args);
    process.stdout.write(`${command.usage}\n`);
    return 0;
  };
}

/** With the same settings as the server. */
function withSettings(run: (args: readonly string[], config: Config, log: Log) => Promise<number>): Run {
  return (args) => {
    const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
    return run(args, config, createLog(config.logLevel));
  };
}
