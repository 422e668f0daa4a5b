import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { grantAppRole } from './grant-app-role.ts';

it('F-S1 the role of the running server reads what was migrated and cannot change it', async () => {
  const database = await testDatabase(1);
  const role = `app_${randomBytes(6).toString('hex')}`;
  const rights = await withClient(database.connectionString, async (client) => {
    await client.query(`create role ${role}`);
    await grantAppRole(database.connectionString, role);
    const { rows } = await client.query(
      `select t as table, array(select r from unnest('{select,insert,update,delete}'::text[]) r
         where has_table_privilege($1, t, r)) as rights
       from unnest('{schema_migrations,schema_functions,chats}'::text[]) t`,
      [role],
    );
    await client.query(`drop owned by ${role}; drop role ${role}`);
    return rows;
  });
  await database.close();
  expect(rights).toEqual([
    { table: 'schema_migrations', rights: ['select'] },
    { table: 'schema_functions', rights: ['select'] },
    { table: 'chats', rights: ['select', 'insert', 'update', 'delete'] },
  ]);
});
