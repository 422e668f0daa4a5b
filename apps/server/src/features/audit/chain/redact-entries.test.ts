import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { createLog } from '#/platform/log.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { TEST_APP_KEY } from '#/testing/test-server.ts';
import { redactEntries } from './redact-entries.ts';
import { sealEntries } from './seal-entries.ts';
import { verifyChain } from './verify-chain.ts';

const YEARS = 6;
const appKey = Buffer.from(TEST_APP_KEY);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Whoever owns the database can switch its triggers off. */
async function asSuperuser(...statements: string[]): Promise<void> {
  await withClient(database.connectionString, async (client) => {
    await client.query('set session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
  });
}

beforeEach(() =>
  asSuperuser(
    'truncate audit_entries, audit_refusal_counts, audit_chain, audit_pending',
    "update audit_head set seq = 0, redacted_seq = 0, mac = null, hash = decode(repeat('00', 32), 'hex')",
    'alter sequence audit_entries_id_seq restart',
  ),
);

/** Entries of so many years ago, the oldest first. */
async function add(...years: number[]): Promise<void> {
  for (const ago of years) {
    await sql`
      insert into audit_entries (at, actor_id, facility_id, action, object_type, object_id, ip, session_hash, request_id, detail)
      values (now() - make_interval(years => ${ago}::int, days => 1), gen_random_uuid(), gen_random_uuid(), 'chat.read', 'chat',
        gen_random_uuid(), '192.0.2.7', 'x', 'r', '{"chat": "c"}')`.execute(database.db);
  }
  await sealEntries(database.db, appKey);
}
const redact = async (years = YEARS) => {
  const write = createJobWrite({ db: database.db, log: createLog('silent'), jobId: 'audit' });
  const emptied = await redactEntries(write, years);
  await sealEntries(database.db, appKey);
  return emptied;
};
const found = async () => (await verifyChain(database.db, { appKey })).tamperings;

test('F-S4 ADM-3 entries that are old enough lose who, what and where from; the chain stays whole, and tells it', async () => {
  await add(9, 8, 7, 5, 0);
  expect(await redact()).toBe(3);
  const rows = await database.db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
  const nothing = { actor_id: null, facility_id: null, object_type: null, object_id: null, detail: null };
  for (const row of rows.slice(0, 3)) {
    expect(row).toMatchObject({ ...nothing, ip: null, session_hash: null, request_id: null, action: 'chat.read' });
    expect(row.redacted_at).toBeInstanceOf(Date);
  }
  for (const row of rows.slice(3, 5)) expect(row).toMatchObject({ ip: '192.0.2.7', redacted_at: null });
  expect(rows[5]).toMatchObject({ action: 'audit.redact', detail: { entries: 3, up_to_seq: 3, years: YEARS } });
  expect(await found()).toEqual([]);
  expect(await redact()).toBe(0);
  await asSuperuser("update audit_entries set at = at - interval '2 years' where id = 4");
  expect(await found()).toContainEqual({ what: 'changed', seq: 4, entryId: 4 });
});

test('F-S4 A46 a later run folds what it leaves over the runs before', async () => {
  await add(9, 8, 7, 5);
  expect(await redact(8)).toBe(2);
  expect(await redact()).toBe(1);
  expect(await found()).toEqual([]);
  await asSuperuser("update audit_entries set action = 'chat.found' where id = 1");
  expect(await found()).toEqual([{ what: 'changed', seq: 6, entryId: 6 }]);
});

describe('what is done to emptied entries past the server is named', () => {
  beforeEach(async () => {
    await add(9, 8, 7, 5);
    await redact();
  });

  test.each([
    ['its time is changed', "update audit_entries set at = at - interval '1 hour' where id = 2", 5],
    ['its action is changed', "update audit_entries set action = 'chat.found' where id = 2", 5],
    ['somebody is named in it', 'update audit_entries set actor_id = gen_random_uuid() where id = 2', 2],
    ['its mark is taken off', 'update audit_entries set redacted_at = null where id = 2', 2],
    ['it is removed', 'delete from audit_entries where id = 2', 2],
    ['its place has another hash', "update audit_chain set hash = sha256('x') where seq = 2", 5],
    [
      'one that is too young is emptied as well',
      'update audit_entries set actor_id = null, facility_id = null, object_type = null,' +
        ' object_id = null, ip = null, session_hash = null, request_id = null, detail = null, redacted_at = now() where id = 4',
      4,
    ],
    ['more are said to be emptied than were', 'update audit_head set redacted_seq = 4', 4],
  ])('F-S4 A46 %s', async (_what, statement, seq) => {
    await asSuperuser(statement);
    expect(await found()).toContainEqual(expect.objectContaining({ seq }));
  });
});

test('F-S4 A46 nothing else empties an entry: not the owner by an update, not the role of the server, not before its time', async () => {
  await add(9, 0);
  const empty = `update audit_entries set actor_id = null, facility_id = null, object_type = null, object_id = null, ip = null,
    session_hash = null, request_id = null, detail = null, redacted_at = now()`;
  const role = `app_${randomBytes(6).toString('hex')}`;
  await withClient(database.connectionString, async (client) => {
    const refuses = (statement: string) =>
      expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    await refuses(empty);
    await client.query("set audit.redact_years = '6'");
    await refuses(`${empty} where id = 2`);
    await refuses(`${empty}, action = 'x' where id = 1`);
    await refuses('delete from audit_entries where id = 1');
    await client.query('reset audit.redact_years');
    await client.query(`create role ${role}`);
    await grantAppRole(database.connectionString, role);
    await client.query(`set role ${role}`);
    await client.query("set audit.redact_years = '6'");
    await refuses(`${empty} where id = 1`);
    expect((await client.query('select redact_audit(0, 10) as done')).rows).toEqual([{ done: null }]);
    await client.query(`reset role; drop owned by ${role}; drop role ${role}`);
  });
});
