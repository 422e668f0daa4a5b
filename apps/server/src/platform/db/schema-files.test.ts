import path from 'node:path';
import { expect, it } from 'vitest';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { readLandedChecksums, readSchemaFiles } from './schema-files.ts';

/** An index stands on them: they are part of the migration that made it, and another text of theirs needs another index. */
const OF_INDEXES = ['file_keys', 'fold_text', 'search_keys', 'search_place', 'text_tokens'];
const SCHEMA = path.join(import.meta.dirname, '../../../db');

it('F-S1 every migration has the text with which it landed, as checksums.txt lists it', async () => {
  const { migrations } = await readSchemaFiles(SCHEMA);
  const landed = Object.fromEntries(await readLandedChecksums(SCHEMA));
  expect(Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum]))).toEqual(landed);
});

it('F-S1 every function and view of the database has a file of its name, and its trigger stands in it', async () => {
  const { functions } = await readSchemaFiles(SCHEMA);
  const database = await testDatabase(1);
  const named = await withClient(database.connectionString, async (client) => {
    const { rows } = await client.query<{ name: string; triggers: string[] }>(`
      select p.proname as name,
        array(select t.tgname::text from pg_trigger t where t.tgfoid = p.oid and not t.tgisinternal) as triggers
      from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all
      select relname, '{}'::text[] from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace`);
    return rows;
  });
  await database.close();
  expect(named.map(({ name }) => name).sort()).toEqual([...functions.map(({ name }) => name), ...OF_INDEXES].sort());
  for (const { name, triggers } of named.filter(({ name: of }) => !OF_INDEXES.includes(of))) {
    const { text = '' } = functions.find((file) => file.name === name) ?? {};
    for (const trigger of triggers) expect(text).toContain(`create or replace trigger ${trigger} `);
  }
});
