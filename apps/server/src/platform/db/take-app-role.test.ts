import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { takeAppRole } from './take-app-role.ts';

/** The address for a role of a database, made with these rights. */
async function withOwner(rights: string, run: (url: string) => Promise<void>): Promise<void> {
  const database = await testDatabase(1);
  const role = `owner_${randomBytes(6).toString('hex')}`;
  await withClient(database.connectionString, (client) =>
    client.query(`create role ${role} login password 'owner' ${rights}`),
  );
  try {
    await run(Object.assign(new URL(database.connectionString), { username: role, password: 'owner' }).href);
  } finally {
    await withClient(database.connectionString, (client) => client.query(`drop owned by ${role}; drop role ${role}`));
    await database.close();
  }
}

it('A16 an owner who may works as the role that owns nothing', () =>
  withOwner('superuser', async (url) => expect(await takeAppRole(url)).toBe(true)));

it('A16 an owner who may not, and an address that says something else, are told apart from it', async () => {
  await withOwner('nosuperuser', async (url) => expect(await takeAppRole(url)).toBe(false));
  await withOwner('superuser', async (url) => expect(await takeAppRole(`${url}?options=-c%20role%3Dnone`)).toBe(false));
});

it('A16 an owner who was let is one who may, with the two lines that the configuration names', async () => {
  const database = await testDatabase(1);
  const role = `owner_${randomBytes(6).toString('hex')}`;
  await withClient(database.connectionString, (client) =>
    client.query(`
      create role ${role} login password 'owner'; grant ${APP_ROLE} to ${role};
      do $$ declare t text; begin
        for t in select format('%I', c.relname) from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') loop
          execute format('alter table %s owner to ${role}', t);
        end loop;
        for t in select p.oid::regprocedure::text from pg_proc p where pronamespace = 'public'::regnamespace loop
          execute format('alter function %s owner to ${role}', t);
        end loop;
      end $$; alter schema public owner to ${role}`),
  );
  const url = Object.assign(new URL(database.connectionString), { username: role, password: 'owner' }).href;
  expect(await takeAppRole(url)).toBe(true);
  await database.close();
  await withClient(
    Object.assign(new URL(url), {
      username: new URL(database.connectionString).username,
      password: new URL(database.connectionString).password,
      pathname: '/postgres',
    }).href,
    (client) => client.query(`drop role ${role}`),
  );
});
