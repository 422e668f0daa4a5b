import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { typedRows } from './typed-rows.ts';

interface Row {
  readonly code: string;
  readonly beds: number | null;
  readonly at: Date;
}
const rows = typedRows<Row>({ code: 'string', beds: 'number?', at: 'date' });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.close());

it('a row that is as its type says is read', async () => {
  const query = sql`select 'MED' as code, null::integer as beds, now() as at`;
  expect(await rows.read(database.db, query)).toEqual([{ code: 'MED', beds: null, at: expect.any(Date) }]);
  expect(await rows.first(database.db, sql`select where false`)).toBeUndefined();
});

it.each([
  ['a column that is missing', sql`select 'MED' as code, 1 as beds`, 'at is missing'],
  ['a column too many', sql`select 'MED' as code, 1 as beds, now() as at, 2 as rooms`, 'rooms is not told of'],
  ['a null where none may be', sql`select null::text as code, 1 as beds, now() as at`, 'code is no string'],
  ['a value of another kind', sql`select 'MED' as code, 1.5::numeric as beds, now() as at`, 'beds is no number?'],
])('a test refuses a row with %s', async (_what, query, message) => {
  await expect(rows.read(database.db, query)).rejects.toThrow(message);
});
