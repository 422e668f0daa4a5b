import { counted } from '@wardline/format/counts.ts';
import { checkAddress } from '#/app/doctor/check-address.ts';
import { checkDatabase } from '#/app/doctor/check-database.ts';
import { checkMachine } from '#/app/doctor/check-machine.ts';
import { checkServices } from '#/app/doctor/check-services.ts';
import { checkSettings } from '#/app/doctor/check-settings.ts';
import { type Finding, formatFinding } from '#/app/doctor/finding.ts';
import type { Config } from '#/platform/config/read-config.ts';
import type { Log } from '#/platform/log.ts';
import { refuseMore } from './usage-error.ts';

export const USAGE = `npm run doctor -- [--all]   looks at settings, versions, clock, disk, database, files, mail, push, sign-on and the address
                            that people use, and says what to do; --all also names what is well. Changes nothing.`;

/** Looks at all that the server stands on. Resolves to the exit code: 1 where something does not work. */
export async function runDoctorCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  refuseMore(
    args.filter((arg) => arg !== '--all'),
    USAGE,
  );
  const findings = await examine(config, log);
  const shown = args.includes('--all') ? findings : findings.filter(({ state }) => state !== 'ok');
  const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
  const lines = [
    ...shown.map(formatFinding),
    `${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}, ${count('ok')} well.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return count('error') > 0 ? 1 : 0;
}

async function examine(config: Config, log: Log): Promise<Finding[]> {
  return [
    ...(await checkMachine(config)),
    ...checkSettings(config, process.env),
    ...(await checkDatabase(config, log)),
    ...(await checkServices(config, log)),
    ...(await checkAddress(config)),
  ];
}
