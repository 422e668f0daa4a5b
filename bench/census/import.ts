/**
 * How long a file of unit-days holds the census of a facility: 2,000 lines of the demo's units, as many days as that takes before the
 * first that the demo has, in a dry run and then applied. Prints one JSON line for each build; two minutes each beside other work.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/census/import.ts [MAIN.js of another build …]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays } from '@wardline/census/calendar.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import type { importCensus } from '@wardline/contract/census/exchange.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';

const LINES = 2_000;
const HEAD =
  'unit_code,census_date,opening,admissions,transfers_in,discharges,deaths,deaths_u48,transfers_out,ad_same_day,on_leave,observation,counted';
const PASSWORD = 'a long demo password';
const OWN = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));

for (const main of [...process.argv.slice(2), OWN]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
  const server = await startDemo(main, dataDir);
  try {
    const took = await importLines(server.url);
    console.log(
      JSON.stringify({
        build: main === OWN ? 'this' : main,
        lines: LINES,
        ...took,
        load: Math.round(loadavg()[0] ?? 0),
      }),
    );
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function startDemo(main: string, dataDir: string) {
  const env = {
    PATH: process.env['PATH'],
    WARDLINE_DATA: dataDir,
    WARDLINE_DEMO_PASSWORD: PASSWORD,
    HOST: '127.0.0.1',
  };
  const child = spawn(process.execPath, [main, '--demo', '--api-only'], {
    env: { ...env, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text)) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}`)));
  });
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { url, stop };
}

async function importLines(url: string): Promise<Record<'units' | 'dryRunMs' | 'appliedMs', number>> {
  const [officer, admin] = [await signIn(url, 'officer'), await signIn(url, 'admin')];
  const user = await ask<User>(url, '/api/user', { token: officer });
  const facility = user.memberships[0]?.facility_id;
  const settings = `/api/census/facilities/${facility}/settings`;
  const found = await ask<CensusSettings>(url, settings, { token: admin });
  const units = found.units.filter(
    ({ populations, active_from, active_to }) => populations.includes('adult_and_child') && !active_from && !active_to,
  );
  let { version } = found;
  for (const { unit_id } of units) {
    const body = JSON.stringify({ version, people: [user.id] });
    ({ version } = await ask<CensusSettings>(url, `${settings}/units/${unit_id}`, {
      token: admin,
      method: 'PATCH',
      body,
    }));
  }
  const first = addDays(new Date().toISOString().slice(0, 10), -2_000 - Math.ceil(LINES / units.length));
  const lines = Array.from({ length: LINES }, (_, n) => {
    const day = Math.floor(n / units.length);
    return `${units[n % units.length]?.unit_code},${addDays(first, day)},${day === 0 ? 8 : ''},0,0,0,0,0,0,0,0,0,8`;
  });
  const took: number[] = [];
  for (const apply of [false, true]) {
    const body = new FormData();
    body.append('file', new Blob([[HEAD, ...lines].join('\n')], { type: 'text/csv' }), 'census.csv');
    const startedAt = performance.now();
    const answer = await ask<ReplyOf<typeof importCensus>>(
      url,
      `/api/census/imports?facility=${facility}&apply=${apply}`,
      { token: officer, body },
    );
    took.push(Math.round(performance.now() - startedAt));
    if (answer.counts?.new !== LINES) throw new Error(JSON.stringify(answer).slice(0, 500));
  }
  return { units: units.length, dryRunMs: took[0] ?? 0, appliedMs: took[1] ?? 0 };
}

async function signIn(url: string, who: string): Promise<string> {
  const body = JSON.stringify({ email: `${who}@demo.test`, password: PASSWORD, device_name: 'bench' });
  return (await ask<{ token: string }>(url, '/api/tokens', { body })).token;
}

interface Asked {
  readonly token?: string;
  readonly method?: string;
  readonly body?: string | FormData;
}

/** The answer, which has the shape that the contract gives it. */
async function ask<Answer>(
  url: string,
  path: string,
  { token, body, method = body ? 'POST' : 'GET' }: Asked,
): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  };
  const response = await fetch(url + path, { method, headers, ...(body && { body }) });
  return (await response.json()) as Answer;
}
