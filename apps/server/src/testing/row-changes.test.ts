import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeUnitDays } from './factories/census.ts';
import { makeChat } from './factories/chats.ts';
import { makeFacility, makeMembership, makeUnit } from './factories/facilities.ts';
import { makeSession, makeUser } from './factories/users.ts';
import { type RowChanges, watchRows } from './row-changes.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';

let database: TestDatabase;
let rowChanges: () => Promise<RowChanges>;
beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  const facility = await makeFacility(db);
  const { id } = await makeUser(db);
  await makeSession(db, { userId: id });
  await makeMembership(db, { userId: id, facility, roles: ['clinician'] });
  await makeChat(db, {
    facilityId: facility.id,
    kind: 'group',
    title: 'Night round',
    participants: [{ userId: id }],
    messages: [{ senderId: id, body: 'All quiet' }],
  });
  const unitId = await makeUnit(db, { facilityId: facility.id, name: 'Medicine', code: 'MED' });
  await makeUnitDays(db, { unitId, by: id, days: [{ date: '2026-03-01', opening: 3 }] });
  rowChanges = await watchRows(db);
});
afterAll(() => database.close());

/** What statements add to the count of each table. */
async function addedBy(...statements: readonly string[]): Promise<RowChanges> {
  const before = await rowChanges();
  await database.db.transaction().execute(async (tx) => {
    // The product's own triggers and foreign keys stay silent; what counts does not.
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
  const added = Object.entries(await rowChanges()).map(([table, count]) => [table, count - (before[table] ?? 0)]);
  return Object.fromEntries(added.filter(([, count]) => count !== 0));
}

async function hasRows(table: string): Promise<boolean> {
  return (await sql`select 1 from ${sql.table(table)} limit 1`.execute(database.db)).rows.length > 0;
}

/** The columns that a statement may set. */
async function columnsOf(table: string): Promise<string> {
  const { rows } = await sql<{ list: string }>`
    select string_agg(quote_ident(attname), ', ') as list from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attidentity <> 'a'`.execute(database.db);
  return rows[0]?.list ?? '';
}

it('A6 whoever asks whether anything was written hears of one row deleted, inserted or updated, in any table', async () => {
  const filled: string[] = [];
  for (const table of Object.keys(await rowChanges())) {
    if (!(await hasRows(table))) continue;
    filled.push(table);
    const columns = await columnsOf(table);
    const one = `(tableoid, ctid) = (select tableoid, ctid from ${table} limit 1)`;
    const keep = `create table kept as select * from ${table} where ${one}`;
    expect(await addedBy(keep, `delete from ${table} where ${one}`)).toEqual({ [table]: 1 });
    const insert = `insert into ${table} (${columns}) select ${columns} from kept`;
    expect(await addedBy(insert, 'drop table kept')).toEqual({ [table]: 1 });
    expect(await addedBy(`update ${table} set (${columns}) = row(${columns}) where ${one}`)).toEqual({ [table]: 1 });
  }
  expect(filled).toEqual(expect.arrayContaining(['chats', 'messages', 'sessions', 'unit_census', 'users']));
});

it('A6 whoever asks whether anything was written hears of a table that is emptied, and of no statement that meets no row', async () => {
  const tables = Object.keys(await rowChanges());
  expect(tables).toContain('audit_entries');
  for (const table of tables) {
    expect(await addedBy(`delete from ${table} where false`)).toEqual({});
    expect(await addedBy(`truncate ${table} cascade`)).toMatchObject({ [table]: 1 });
  }
});
