import pg from 'pg';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { grantAppRole } from './grant-app-role.ts';

/**
 * Has the role that owns nothing ready in a database of the operator's, for a server that signs in as the owner and works as that role.
 * False where the owner may neither make it nor work as it, or something between lets it not.
 */
export async function takeAppRole(ownerConnectionString: string): Promise<boolean> {
  try {
    await withClient(ownerConnectionString, async (client) => {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE]);
      if (!rowCount) await client.query(`create role ${APP_ROLE} nologin`);
      const { rows } = await client.query<{ name: string }>(
        `select quote_ident(current_user) as name where not pg_has_role(current_user, $1, 'usage')`,
        [APP_ROLE],
      );
      for (const { name } of rows) await client.query(`grant ${APP_ROLE} to ${name}`);
    });
    await grantAppRole(ownerConnectionString, APP_ROLE);
    return await worksAsAppRole(ownerConnectionString);
  } catch {
    return false;
  }
}

/** Whether the owner of an address can work as the role. Asked as the server will connect: an address with options of its own, or a pooler, may not pass the role on. */
export async function worksAsAppRole(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, options: `-c role=${APP_ROLE}` });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_user as name');
    return rows[0]?.name === APP_ROLE;
  } finally {
    await client.end();
  }
}
