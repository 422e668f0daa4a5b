import { execFile } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { formatBytes } from '@wardline/format/bytes.ts';
import { isLow, readDisk } from '#/features/system/index.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { reasonOf } from '#/platform/reason-of.ts';
import { VERSION } from '#/platform/version.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const run = promisify(execFile);

/** Sign-in codes and single sign-on bear a minute; messages are dated by it. */
const MOST_DIFFERENCE_MS = 30_000;
const ASKED_WITHIN_MS = 5_000;

/** Versions, the disk under the data folder, and the clock. */
export async function checkMachine(config: Config): Promise<Finding[]> {
  return [
    ok(`Wardline ${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}.`),
    ...(await checkDisk(config)),
    await checkClock(config),
  ];
}

async function checkDisk({ dataDir }: Config): Promise<Finding[]> {
  if (!existsSync(dataDir)) return [ok(`The data folder ${dataDir} is made by the first start.`)];
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (failure) {
    return [
      error(
        `The data folder ${dataDir} cannot be written: ${reasonOf(failure)}.`,
        'Run this as the user that the server runs as, and give the folder to that user.',
      ),
    ];
  }
  const disk = await readDisk(dataDir);
  if (disk === null) return [];
  const free = `${formatBytes(disk.free_bytes)} of ${formatBytes(disk.total_bytes)} are free on the disk of ${path.resolve(dataDir)}.`;
  if (!isLow(disk)) return [ok(free)];
  return [warning(free, 'Make room before it is full: a full disk stops the database, and then everything.')];
}

/** Against a server that the settings name; else whether the system keeps its own clock. */
async function checkClock(config: Config): Promise<Finding> {
  const remedy = 'Have the clock kept by NTP (timedatectl set-ntp true, or chrony).';
  for (const url of clocksOf(config)) {
    const difference = await differenceTo(url);
    if (difference === null) continue;
    const seconds = Math.round(Math.abs(difference) / 1000);
    if (Math.abs(difference) < MOST_DIFFERENCE_MS) return ok(`The clock agrees with that of ${url.host}.`);
    return error(`The clock is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} that of ${url.host}.`, remedy);
  }
  const kept = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value']).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  if (kept === 'yes') return ok('The clock is kept by NTP.');
  return warning('Nothing tells whether the clock is right.', remedy);
}

function clocksOf({ oidc, s3, pushHosts }: Config): URL[] {
  const named = [...oidc.map(({ issuer }) => issuer), ...(s3 ? [s3.endpoint] : [])];
  return [...named, ...(pushHosts ? ['https://updates.push.services.mozilla.com'] : [])].map((url) => new URL(url));
}

/** By how many milliseconds this machine's clock is ahead; null where the server says no time. */
async function differenceTo(url: URL): Promise<number | null> {
  const from = Date.now();
  try {
    const answer = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(ASKED_WITHIN_MS),
    });
    const at = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(at) ? null : (from + Date.now()) / 2 - at;
  } catch {
    return null;
  }
}
