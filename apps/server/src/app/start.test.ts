import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import { createLog } from '#/platform/log.ts';
import { connectionString, DATABASE, ownerLogin } from '#/platform/postgres/database-setup.ts';
import { findLiveServer } from '#/platform/postgres/postmaster-pid.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { isNightly } from '#/testing/nightly.ts';
import { buildMain, type MainProcess, runMain } from '#/testing/run-main.ts';

/** A server with an embedded database, which the others here are pointed at. */
let first: MainProcess;
let firstData: string;
let databaseUrl: string;
let db: Database;
let dataDir: string;
let running: MainProcess[];

beforeAll(async () => {
  await buildMain();
  firstData = newFolder();
  first = runMain({ WARDLINE_DATA: firstData, PORT: '0' });
  expect(await first.listens, first.output()).toBe(true);
  const password = readFileSync(path.join(firstData, 'secrets/postgres-owner-password'), 'utf8').trim();
  const port = findLiveServer(path.join(firstData, 'postgres'))?.port ?? 0;
  databaseUrl = connectionString(ownerLogin(password), port, DATABASE);
  db = createDatabase(databaseUrl, createLog('silent'), { poolSize: 2 });
});
afterAll(async () => {
  await db.destroy();
  await first.stop();
  rmSync(firstData, { recursive: true, force: true });
});
beforeEach(() => {
  dataDir = newFolder();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

function newFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'wardline-start-'));
}

function start(settings: Readonly<Record<string, string>> = {}): MainProcess {
  const main = runMain({ DATABASE_URL: databaseUrl, WARDLINE_DATA: dataDir, PORT: '0', ...settings });
  running.push(main);
  return main;
}

/** The sentences of a start that was refused. */
async function refusalOf(main: MainProcess): Promise<string> {
  expect(await main.listens, main.output()).toBe(false);
  expect(await main.ended).toBe(1);
  const [, text = ''] = main.output().split('Wardline did not start.\n');
  expect(text).not.toMatch(/\n\s+at /);
  return text;
}

it.runIf(isNightly)('F-S7 a second server on the same embedded data is refused, and says who is there', async () => {
  const text = await refusalOf(runMain({ WARDLINE_DATA: firstData, PORT: '0' }));
  expect(text).toContain(`uses the data folder ${firstData}.`);
  expect(text).toContain('Stop it first');
});

it('F-S7 a start on a port that is taken ends with one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const text = await refusalOf(start({ PORT: String(port) }));
  expect(text).toBe(
    `Port ${port} of 127.0.0.1 is taken by another program: stop that one, or set PORT to a free one.\n`,
  );
  other.close();
});

it('F-S6 a start without the app key says what is lost, how to restore it and how to accept that', async () => {
  await makeUser(db);
  const file = path.join(dataDir, 'secrets/app-key');
  const text = await refusalOf(start());
  expect(text).toContain(`${file} is missing`);
  expect(text).toContain('no password fits any more');
  expect(text).toContain('put the file back from the backup');
  expect(text).toContain(`openssl rand -base64 32 > '${file}'`);
});

/** Fills in the set-up form of the link that the log has. */
async function useSetUpLink(main: MainProcess): Promise<{ status: number; goesOnAt: unknown }> {
  const [, origin = '', token = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/setup#(\S{43})/.exec(main.output()) ?? [];
  const cookies = (await fetch(`${origin}/sanctum/csrf-cookie`)).headers
    .getSetCookie()
    .map((line) => line.split(';')[0]);
  const csrf = cookies.find((cookie) => cookie?.startsWith('XSRF-TOKEN='))?.split('=')[1] ?? '';
  const password = 'violet tram over the harbour';
  const answer = await fetch(`${origin}/api/setup/${token}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-xsrf-token': decodeURIComponent(csrf),
      cookie: cookies.join('; '),
    },
    body: JSON.stringify({
      ...{ name: 'Ruth Okafor', email: 'ruth@hospital.test', password, password_confirmation: password },
      ...{ facility_name: 'St. Hedwig', facility_code: 'SH', time_zone: 'Europe/Berlin', census_time: '07:00' },
    }),
  });
  const { goes_on_at: goesOnAt } = (await answer.json()) as { goes_on_at?: unknown };
  return { status: answer.status, goesOnAt };
}

it('A51 nobody but this machine reaches it until it is set up; then it listens where HOST says, and prints no link again', async () => {
  const main = start({
    HOST: '0.0.0.0',
    WARDLINE_PUBLIC_URL: 'https://chat.hospital.test',
    WARDLINE_APP_KEY: 'a key of the operator, of 32 signs or more',
  });
  expect(await main.listens, main.output()).toBe(true);
  expect(main.output()).toMatch(/Wardline is at http:\/\/127\.0\.0\.1:\d+\n/);
  expect(main.output()).toContain('Until then it listens on 127.0.0.1 only; after that on 0.0.0.0.');
  expect(await useSetUpLink(main)).toEqual({ status: 201, goesOnAt: 'https://chat.hospital.test' });
  const moved = 'Wardline is at https://chat.hospital.test\n';
  await vi.waitFor(() => expect(main.output()).toContain(moved), { timeout: 20_000 });
  expect(main.output().split('/setup#')).toHaveLength(2);
  await main.stop();
  const later = start({ WARDLINE_APP_KEY: 'a key of the operator, of 32 signs or more' });
  expect(await later.listens, later.output()).toBe(true);
  expect(later.output()).not.toContain('/setup');
});
