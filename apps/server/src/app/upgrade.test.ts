import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { readSchemaFiles } from '#/platform/db/schema-files.ts';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { describeSchema, listTables } from '#/testing/dump-database.ts';
import { TEMPLATE_DATABASE } from '#/testing/template-database.ts';
import { guestWithCookies } from '#/testing/test-client.ts';
import { emptyDatabase, openBoth } from '#/testing/test-database.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { SCHEMA } from './start/places.ts';

// As apps/server/db/fixtures/README.md says.
const APP_KEY = 'the app key of the upgrade fixture, 32+';
const PASSWORD = 'upgrade fixture';

const FOLDER = path.join(SCHEMA, 'fixtures');
const fixtures = readdirSync(FOLDER).filter((file) => file.endsWith('.sql.gz'));

/** What a table held, in the columns that it had then. */
interface Content {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly hash: string;
}

/** What 0029, 0036, 0048, 0052 and 0064 gave to roles that exist, taken away again. */
const ROLES_BEFORE_ON_CALL = `
  select id, facility_id, name, array(
    select given from unnest(permissions) with ordinality as p (given, place)
    where given not in ('on_call.take', 'on_call.manage', 'phones.view', 'examinations.write', 'examinations.sign',
      'chats.break_glass', 'records.manage', 'results.assign')
    order by place) as permissions from roles`;

/**
 * Where what a migration moved or changed on purpose stands now, so that it is compared as well: the deadlines of a
 * facility are dated with its clock (0013), its administrators may change the settings (0013), patient systems have a
 * role (0012), and whoever talks with people may be on call and sees their numbers (0029). Databases without checksums are older than these.
 */
const SINCE_CHECKSUMS: Readonly<Record<string, string>> = {
  census_facilities: `
    select f.*, h.four_eyes, h.sign_off_time, h.lock_after_days from census_facilities f
    join lateral (select * from census_hours h where h.facility_no = f.facility_no order by from_date limit 1) h on true`,
  roles: `
    select id, facility_id, name,
      case when 'facility.manage' = any(permissions) then array_remove(permissions, 'census.configure') else permissions end
        as permissions
    from (${ROLES_BEFORE_ON_CALL}) r where name <> 'Patient system'`,
};

/** A class is a population, a thread a discussion (0025); roles may more (0029). */
function asOfThen(table: string, columns: readonly string[]): string | undefined {
  if (columns.includes('classes')) {
    return `select *, array_replace(populations, 'adult_and_child', 'adult_child') as classes,
      adult_and_child_from as adult_child_from from ${table}`;
  }
  if (table === 'roles') return ROLES_BEFORE_ON_CALL;
  if (!columns.includes('class') || table === 'census_log') return undefined;
  const name = table === 'census_threads' ? 'census_discussions' : table;
  return `select *, replace(population, 'adult_and_child', 'adult_child') as class from ${name}`;
}

async function readContent(
  client: Client,
  table: string,
  { columns, from = client.escapeIdentifier(table) }: { columns: readonly string[]; from?: string | undefined },
): Promise<Content> {
  const wanted = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const { rows } = await client.query<{ rows: number; hash: string }>(
    `select count(*)::integer as rows, md5(string_agg(kept::text, E'\\n' order by kept::text)) as hash
     from (select ${wanted} from ${from}) kept`,
  );
  const [{ rows: count, hash } = { rows: 0, hash: '' }] = rows;
  return { table, columns, rows: count, hash };
}

async function readEverything(client: Client): Promise<Content[]> {
  const contents: Content[] = [];
  for (const table of await listTables(client)) {
    const { fields } = await client.query(`select * from ${client.escapeIdentifier(table)} limit 0`);
    contents.push(await readContent(client, table, { columns: fields.map(({ name }) => name) }));
  }
  return contents;
}

/** The columns of a mended table stand in another order, and AND in AND is written with other brackets once it was replayed. */
function comparable(statement: string): string {
  const [, table, columns] = /^create table (\w+) \((.*)\)/.exec(statement) ?? [];
  if (table !== undefined && columns !== undefined) return `${table}: ${columns.split(', ').sort().join(', ')}`;
  return statement.startsWith('alter table') ? statement.replace(/[()]/g, '') : statement;
}

/** What is defined in a database, to be compared with another. */
async function readSchema(url: string): Promise<string[]> {
  return (await withClient(url, describeSchema)).map(comparable).sort();
}

const newDatabase = () => Object.assign(new URL(inject('postgres')), { pathname: `/${TEMPLATE_DATABASE}` }).href;

describe.each(fixtures)('a database of %s', (fixture) => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let server: TestServer;
  let before: Content[];
  beforeAll(async () => {
    database = await emptyDatabase();
    const dump = gunzipSync(readFileSync(path.join(FOLDER, fixture))).toString('utf8');
    before = await withClient(database.connectionString, async (client) => {
      await client.query(dump);
      // So that some have said more than they have read.
      await client.query('update chat_participants set read_seq = read_seq / 2');
      return readEverything(client);
    });
    await migrate(database.connectionString, SCHEMA);
    await grantAppRole(database.connectionString, APP_ROLE);
    const kept = { ...database, ...openBoth(database.connectionString, 4) };
    server = await startTestServer({ kept: { database: kept, appKey: APP_KEY } });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  const kept = () => before.filter(({ table }) => !/^(kysely|schema)_/.test(table));

  it('F-S1 OPS-10 R19 an upgrade keeps every row of every table as it was', async () => {
    expect(kept().filter(({ rows }) => rows === 0)).toEqual([]);
    const hasChecksums = before.some(({ table }) => table === 'schema_migrations');
    const after = await withClient(database.connectionString, async (client) => {
      const contents: Content[] = [];
      for (const content of kept()) {
        const { table, columns } = content;
        const now = (hasChecksums ? undefined : SINCE_CHECKSUMS[table]) ?? asOfThen(table, columns);
        contents.push(await readContent(client, table, { columns, from: now && `(${now}) now` }));
      }
      return contents;
    });
    expect(after).toEqual(kept());
  });

  it('CHAT-19 OPS-10 an upgrade lets people be on call who could talk with each other, and administrators plan it', async () => {
    const { rows } = await withClient(database.connectionString, (client) =>
      client.query(`
        select name from roles where ('chats.create' = any(permissions)) <> (permissions @> '{on_call.take,phones.view}')
          or ('on_call.manage' = any(permissions)) <> (name in ('House supervisor', 'Facility administrator'))`),
    );
    expect(rows).toEqual([]);
  });

  it('EXAM-1 OPS-10 an upgrade lets those record and sign who talk about patients, and not who only runs the facility', async () => {
    const { rows } = await withClient(database.connectionString, (client) =>
      client.query(`
        select name from roles where (permissions @> '{examinations.write,examinations.sign}')
          <> (name in ('Clinician', 'Charge nurse', 'House supervisor'))`),
    );
    expect(rows).toEqual([]);
  });

  it('CHAT-5 OPS-10 an upgrade counts the people of a chat and what is unread as they were counted row by row', async () => {
    const { rows } = await withClient(database.connectionString, (client) =>
      client.query(`
        select count(*)::int as places, count(*) filter (where p.own_after_read > 0)::int as of_own,
          count(*) filter (where c.participant_count <> (select count(*) from active_participants a where a.chat_id = c.id)
            or c.head_seq - greatest(p.read_seq, p.joined_seq) - p.own_after_read <> (
              select count(*) from messages m
              where m.chat_id = c.id and m.seq > greatest(p.read_seq, p.joined_seq) and m.sender_id <> p.user_id))::int as wrong
        from active_participants p join chats c on c.id = p.chat_id`),
    );
    expect(rows).toEqual([{ places: expect.any(Number), of_own: expect.any(Number), wrong: 0 }]);
    expect(rows[0].places).toBeGreaterThan(rows[0].of_own);
    expect(rows[0].of_own).toBeGreaterThan(0);
  });

  it('CEN-6 OPS-10 an upgrade sums of each month who left the beds, and how long they had stayed', async () => {
    const { rows } = await withClient(database.connectionString, (client) =>
      client.query(`
        with summed as (
          select facility_no, date_trunc('month', census_date)::date as month, population,
            sum(occupancy_separations) as separations, sum(occupancy_discharge_days) as stays
          from reported_unit_census group by 1, 2, 3)
        select bool_or(m.occupancy_separations < m.discharges + m.deaths) as has_boarders,
          count(*) filter (where (m.occupancy_separations, m.occupancy_discharge_days) <> (s.separations, s.stays))::int as wrong
        from facility_months m join summed s using (facility_no, month, population)`),
    );
    expect(rows).toEqual([{ has_boarders: true, wrong: 0 }]);
  });

  it('F-S1 OPS-10 an upgraded database is built as a new one is', async () => {
    expect(await readSchema(database.connectionString)).toEqual(await readSchema(newDatabase()));
  });

  it('F-S1 OPS-10 R19 an account of an older build signs in, reads the board and its chats, and sends a message', async () => {
    const client = await guestWithCookies(server);
    const read = async (url: string) => (await client.send('GET', url)).json();
    const body = { email: 'nurse@demo.test', password: PASSWORD };
    expect((await client.send('POST', '/login', { body })).statusCode).toBe(200);
    const { memberships } = await read('/api/user');
    const facility = memberships.find((membership: { title: string }) => membership.title.includes('Charge nurse'));
    const board = await read(`/api/census/facilities/${facility.facility_id}/board`);
    expect(board.units.map((unit: { unit_code: string }) => unit.unit_code)).toContain('MED 3A');

    const chats = await read(`/api/facilities/${facility.facility_id}/chats?q=coordination`);
    const chat = `/api/chats/${chats.data[0].id}/messages`;
    const { head_seq: head, data: messages } = await read(chat);
    expect(messages.length).toBeGreaterThan(0);
    const sent = await client.send('POST', chat, { body: { client_id: randomUUID(), body: 'After the upgrade' } });
    expect(sent.json()).toMatchObject({ seq: head + 1, body: 'After the upgrade' });
  });

  it('F-S1 CEN-7 the chain of an older log is whole, and its entries are told by the names of now', async () => {
    const client = await guestWithCookies(server);
    const read = async (url: string) => (await client.send('GET', url)).json();
    const body = { email: 'officer@demo.test', password: PASSWORD };
    expect((await client.send('POST', '/login', { body })).statusCode).toBe(200);
    const [{ facility_id: facility }] = (await read('/api/user')).memberships;
    const logs = `/api/census/facilities/${facility}/logs`;
    expect(await read(`${logs}/verify?run=true`)).toMatchObject({ broken_at: null });
    const { data } = await read(`${logs}?action=unit_day.submit`);
    expect(data.length).toBeGreaterThan(0);
    for (const entry of data) expect(['adult_and_child', 'newborn']).toContain(entry.population);
  });

  it('F-N1 OPS-10 what an older build signed is what is read, by the names of now', async () => {
    const { rows: days } = await withClient(database.connectionString, (client) =>
      client.query<{ facility: string; date: string; is_stored: boolean }>(`
        select f.facility_id as facility, d.census_date::text as date,
          exists (select from signed_days s where s.facility_no = d.facility_no and s.census_date = d.census_date) as is_stored
        from facility_days d join census_facilities f on f.facility_no = d.facility_no
        where d.status in ('approved', 'locked') and exists (
          select from memberships m join users u on u.id = m.user_id
          where u.email = 'officer@demo.test' and m.facility_id = f.facility_id)
        order by d.census_date desc limit 3`),
    );
    expect(days).toHaveLength(3);
    const client = await guestWithCookies(server);
    const body = { email: 'officer@demo.test', password: PASSWORD };
    expect((await client.send('POST', '/login', { body })).statusCode).toBe(200);
    for (const { facility, date, is_stored } of days) {
      const read = await client.send('GET', `/api/census/facilities/${facility}/days/${date}/signed`);
      const { signed } = read.json();
      expect(signed).toMatchObject({ source: is_stored ? 'stored' : 'rebuilt' });
      const units: { population: string }[] = signed.figures.units;
      expect(new Set(units.map(({ population }) => population))).toEqual(new Set(['adult_and_child', 'newborn']));
    }
  });

  it('F-S1 a second start changes nothing', async () => {
    expect(await migrate(database.connectionString, SCHEMA)).toEqual([]);
  });
});

/** Of the first build with accounts, which had no census yet and another table of links for new passwords. */
const FIRST_ACCOUNTS = `
  drop view standing_invitations;
  drop table password_resets;
  create table password_resets (
    token_hash bytea primary key check (octet_length(token_hash) = 32),
    user_id uuid not null references users on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index password_resets_user_idx on password_resets (user_id);
  create index password_resets_expires_at_idx on password_resets (expires_at);
  drop index invitations_facility_idx;
  create index invitations_facility_idx on invitations (facility_id, created_at desc, id desc);
  create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);`;

it('F-S1 OPS-10 a database by the first text of 0004_accounts is built as a new one is after the upgrade', async () => {
  const database = await emptyDatabase();
  const { migrations } = await readSchemaFiles(SCHEMA);
  const applied = migrations.filter(({ name }) => name <= '0004_accounts');
  await withClient(database.connectionString, async (client) => {
    for (const { text } of applied) await client.query(text);
    await client.query(FIRST_ACCOUNTS);
    for (const { name } of applied) {
      await client.query('insert into kysely_migration values ($1, $2)', [name, '2026-11-21T19:30:00.000Z']);
    }
  });
  expect((await migrate(database.connectionString, SCHEMA))[0]).toBe('0005_census');
  expect(await readSchema(database.connectionString)).toEqual(await readSchema(newDatabase()));
  await database.close();
});
