import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { type Config, readConfig } from '#/platform/config/read-config.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { createLog } from '#/platform/log.ts';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { type OpenedDatabase, openDatabase } from './open-database.ts';

/** For what hangs: some of them make the whole schema. */
const LIMIT_MS = 60_000;

let dataDir: string;
let name: string;
let opened: OpenedDatabase[];
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'wardline-open-'));
  name = `hospital_${randomBytes(6).toString('hex')}`;
  opened = [];
  await asSuperuser(`create role ${name} login password 'owner' nosuperuser nocreaterole`);
});
afterEach(async () => {
  for (const each of opened) await each.close();
  await asSuperuser(`drop database if exists ${name} with (force)`);
  await asSuperuser(`drop role ${name}`);
  rmSync(dataDir, { recursive: true, force: true });
});

const addressOf = (change: Partial<URL>) => Object.assign(new URL(inject('postgres')), change).href;
const asSuperuser = (statement: string, database = 'postgres') =>
  withClient(addressOf({ pathname: `/${database}` }), (client) => client.query(statement));
const make = (options = '') => asSuperuser(`create database ${name} owner ${name} ${options}`);

function settings(): Config {
  const owner = addressOf({ username: name, password: 'owner', pathname: `/${name}` });
  return readConfig({ WARDLINE_DATA: dataDir, DATABASE_URL: owner });
}

async function open(config = settings()): Promise<OpenedDatabase> {
  const database = await openDatabase(config, createLog('silent'), () => undefined);
  opened.push(database);
  return database;
}

it('OPS-5 A16 an owner with no other rights than a database of its own makes the whole schema in it, and works behind the walls', {
  timeout: LIMIT_MS,
}, async () => {
  await make();
  await asSuperuser(`grant ${APP_ROLE} to ${name}`);
  const { db } = await open();
  const { rows } = await asSystem('start', () => sql<{ role: string }>`select current_user as role`.execute(db));
  expect(rows).toEqual([{ role: APP_ROLE }]);
});

it('OPS-5 a database without anybody is not begun beside an embedded one, and one that is begun is noted in the data folder', {
  timeout: LIMIT_MS,
}, async () => {
  await make();
  const cluster = path.join(dataDir, 'postgres');
  mkdirSync(cluster);
  await expect(open()).rejects.toThrow('npm run database -- move');
  rmSync(cluster, { recursive: true });
  await open();
  expect(readFileSync(path.join(dataDir, 'database.json'), 'utf8')).toContain(name);
});

it('OPS-5 times are read in one zone and form, whatever a database is set to', { timeout: LIMIT_MS }, async () => {
  await make();
  await asSuperuser(`alter database ${name} set timezone = 'America/St_Johns'`);
  await asSuperuser(`alter database ${name} set datestyle = 'German'`);
  await asSuperuser(`alter database ${name} set intervalstyle = 'sql_standard'`);
  const { db } = await open();
  const asked = sql<{ at: Date; day: string }>`
    select timestamptz '2026-11-30T01:00:00Z' as at, (timestamptz '2026-11-30T01:00:00Z')::date::text as day`;
  const { rows } = await asSystem('start', () => asked.execute(db));
  expect(rows).toEqual([{ at: new Date('2026-11-30T01:00:00Z'), day: '2026-11-30' }]);
});

it.each([
  [
    'another encoding',
    `template template0 encoding 'LATIN1' locale 'C'`,
    '',
    /is encoded in LATIN1, and Wardline needs UTF8/,
  ],
  ['tables of something else', '', 'create table orders (id int)', /holds what is none of Wardline's, such as orders/],
  [
    'the bookkeeping of another program',
    '',
    'create table schema_migrations (version text)',
    /holds what is none of Wardline's, such as schema_migrations/,
  ],
  [
    'another search path',
    '',
    `create schema other authorization NAME; alter role NAME set search_path = other`,
    /leads to other\./,
  ],
])(
  'OPS-5 a database with %s is refused with what to do, and nothing is made in it',
  async (_what, options, prepare, said) => {
    await make(options);
    const count = `select count(*) as found from pg_class where relnamespace = 'public'::regnamespace`;
    if (prepare !== '') await asSuperuser(prepare.replaceAll('NAME', name), name);
    const { rows: before } = await asSuperuser(count, name);
    await expect(open()).rejects.toThrow(said);
    expect((await asSuperuser(count, name)).rows).toEqual(before);
  },
);

it('OPS-5 a role that does not own the database, and one that is not let in, are refused in words', async () => {
  await asSuperuser(`create database ${name}`);
  await expect(open()).rejects.toThrow(`alter database ${name} owner to ${name};`);
  await asSuperuser(`alter role ${name} password 'another'`);
  await expect(open()).rejects.toThrow(/^The database cannot be reached: password authentication failed for user/);
});
