import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verify } from '#/app/commands/audit-command.ts';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { TEST_APP_KEY } from '#/testing/test-server.ts';
import { acceptHead, ForeignHead, sealEntries } from './seal-entries.ts';
import { type KeptHead, verifyChain } from './verify-chain.ts';

const appKey = Buffer.from(TEST_APP_KEY);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() =>
  asSuperuser(
    'truncate audit_entries, audit_refusal_counts, audit_chain, audit_pending; update audit_head set seq = 0, mac = null,' +
      " hash = decode(repeat('00', 32), 'hex'); alter sequence audit_entries_id_seq restart",
  ),
);

/** Whoever owns the database can switch its triggers off. */
async function asSuperuser(...statements: string[]): Promise<void> {
  await withClient(database.connectionString, async (client) => {
    await client.query('set session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
  });
}

async function add(count: number): Promise<void> {
  await sql`
    insert into audit_entries (action, object_id, ip, detail)
    select 'chat.read', gen_random_uuid(), '192.0.2.7', jsonb_build_object('seq', n) from generate_series(1, ${count}::int) as n`.execute(
    database.db,
  );
}
const found = async (kept: KeptHead[] = []) => (await verifyChain(database.db, { appKey, kept })).tamperings;

test('F-S4 A46 every entry gets its place once, whoever asks at the same time', async () => {
  await add(2_500);
  const sealed = await Promise.all([1, 2, 3].map(() => sealEntries(database.db, appKey)));
  expect(sealed.reduce((sum, count) => sum + count)).toBe(2_500);
  const whole = await verifyChain(database.db, { appKey });
  expect(whole).toMatchObject({ entries: 2_500, waiting: 0, tamperings: [], head: { seq: 2_500 } });
  await add(1);
  expect(await verifyChain(database.db, { appKey })).toMatchObject({ waiting: 1, tamperings: [] });
});

describe('what the owner of the database does past the server is named', () => {
  beforeEach(async () => {
    await add(5);
    await sealEntries(database.db, appKey);
  });

  test.each([
    ['who', 'actor_id = gen_random_uuid()'],
    ['when', "at = at + interval '1 second'"],
    ['what', "action = 'chat.found'"],
    ['of what', 'object_id = gen_random_uuid()'],
    ['the outcome', "outcome = 'refused'"],
    ['from where', "ip = '192.0.2.8'"],
    ['the details', "detail = '{}'"],
    [
      'a field that was empty',
      "facility_id = gen_random_uuid(), request_id = 'x', session_hash = 'x', object_type = 'chat'",
    ],
  ])('F-S4 ADM-3 A46 an entry whose %s was changed', async (_what, change) => {
    await asSuperuser(`update audit_entries set ${change} where id = 3`);
    expect(await found()).toEqual([{ what: 'changed', seq: 3, entryId: 3 }]);
  });

  test('F-S4 ADM-3 A46 an entry that was removed, the last one too', async () => {
    await asSuperuser('delete from audit_entries where id in (2, 5)');
    expect(await found()).toEqual([
      { what: 'removed', seq: 2, entryId: 2 },
      { what: 'removed', seq: 5, entryId: 5 },
    ]);
  });

  test('F-S4 ADM-3 A46 an entry that was removed with its place', async () => {
    await asSuperuser('delete from audit_entries where id = 3', 'delete from audit_chain where seq = 3');
    expect(await found()).toMatchObject([
      { what: 'removed', seq: 3 },
      { what: 'changed', seq: 4 },
    ]);
  });

  test('F-S4 ADM-3 A46 an entry that was put in past the trigger, and one that says that it is older than it is', async () => {
    await asSuperuser("insert into audit_entries (action) values ('chat.read')");
    expect(await found()).toEqual([{ what: 'inserted', seq: null, entryId: 6 }]);
    await sql`insert into audit_entries (action, at) values ('chat.read', now() - interval '1 day')`.execute(
      database.db,
    );
    await sealEntries(database.db, appKey);
    expect(await found()).toEqual([
      { what: 'inserted', seq: 6, entryId: 7 },
      { what: 'inserted', seq: null, entryId: 6 },
    ]);
  });

  test('F-S4 A46 an entry that was removed while it waited', async () => {
    await add(1);
    await asSuperuser('delete from audit_entries where id = 6');
    expect(await found()).toEqual([{ what: 'removed', seq: null, entryId: 6 }]);
  });

  test('F-S4 ADM-3 A46 a chain whose hashes were all made anew ends where no server left it, and is not gone on from', async () => {
    const { head } = await verifyChain(database.db, { appKey });
    await asSuperuser(
      "update audit_entries set action = 'chat.found' where id = 3",
      "delete from audit_chain; update audit_head set seq = 0, mac = null, hash = decode(repeat('00', 32), 'hex')",
      'insert into audit_pending select id from audit_entries',
      'select seal_audit(10)',
    );
    expect(await found()).toEqual([{ what: 'end', seq: 5, entryId: null }]);
    await add(1);
    await expect(sealEntries(database.db, appKey)).rejects.toThrow(ForeignHead);
    // An operator who takes it as it is cannot change what was mailed.
    await acceptHead(database.db, appKey);
    expect(await sealEntries(database.db, appKey)).toBe(1);
    expect(await found()).toEqual([]);
    expect(await found([head])).toEqual([{ what: 'end', seq: 5, entryId: null }]);
  });

  test('F-S4 A46 the command says it in words and by its exit code', async () => {
    expect(await verify(database.db, { appKey })).toMatchObject({
      code: 0,
      lines: expect.arrayContaining(['The audit is whole.']),
    });
    await asSuperuser("update audit_entries set detail = '{}' where id = 3", 'delete from audit_entries where id = 4');
    const { code, lines } = await verify(database.db, { appKey });
    expect(code).toBe(1);
    expect(lines.slice(2)).toEqual([
      'Place 3 (entry 3): was changed.',
      'Place 4 (entry 4): was removed.',
      'The audit is NOT whole.',
    ]);
  });
});

test('F-S4 A46 triggers refuse even the owner to change or remove entries and places', async () => {
  await add(1);
  await sealEntries(database.db, appKey);
  const statements = ['audit_entries', 'audit_chain'].flatMap((table) => [
    `update ${table} set ${table === 'audit_chain' ? 'seq = 9' : "action = 'x'"}`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ]);
  await withClient(database.connectionString, async (client) => {
    for (const statement of [...statements, 'delete from audit_head', 'truncate audit_head']) {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
  });
});

test('F-S4 A46 the role of the server adds entries, at no time and number of its choice, and moves the chain by its functions alone', async () => {
  const role = `app_${randomBytes(6).toString('hex')}`;
  await withClient(database.connectionString, async (client) => {
    await client.query(`create role ${role}`);
    await grantAppRole(database.connectionString, role);
    await client.query(`set role ${role}`);
    await client.query("insert into audit_entries (action, outcome) values ('chat.read', 'done')");
    for (const statement of [
      "insert into audit_entries (action, at) values ('chat.read', now() - interval '1 day')",
      "insert into audit_entries (id, action) overriding system value values (99, 'chat.read')",
      "update audit_entries set action = 'x'",
      'delete from audit_entries',
      'truncate audit_entries',
      'alter table audit_entries disable trigger all',
      'delete from audit_pending',
      'insert into audit_pending values (99)',
      "insert into audit_chain (seq, entry_id, hash) values (9, 9, sha256('x'))",
      'update audit_chain set seq = 9',
      'update audit_head set seq = 0',
      'set session_replication_role = replica',
    ]) {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
    expect((await client.query('select seal_audit(10) as sealed')).rows).toEqual([{ sealed: 1 }]);
    await client.query(`reset role; drop owned by ${role}; drop role ${role}`);
  });
});
