import { Client } from 'pg';
import { OWNER_ROLE } from './cluster.ts';
import { LOOPBACK, type ServerProcess } from './server-process.ts';

export const APP_ROLE = 'wardline_app';
export const DATABASE = 'wardline';

export interface Login {
  readonly role: string;
  readonly password: string;
}

/** The secrets are base64url and the names are checked, so nothing here needs escaping. */
export function connectionString(login: Login, port: number, database: string): string {
  return `postgresql://${login.role}:${login.password}@${LOOPBACK}:${port}/${database}`;
}

/** The same by the server's Unix socket, where it has one. */
export function socketConnectionString(login: Login, server: ServerProcess, database: string): string {
  const url = connectionString(login, server.port, database);
  return server.socketDir === null ? url : `${url}?host=${encodeURIComponent(server.socketDir)}`;
}

export function ownerLogin(password: string): Login {
  return { role: OWNER_ROLE, password };
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // Without a listener a connection cut by the server's death would end the whole process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

export async function createDatabaseIfMissing(ownerUrl: string, name: string): Promise<void> {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) {
    throw new Error(`'${name}' is no database name: small letters, digits and _ only, at most 63.`);
  }
  await withClient(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    try {
      await client.query(`create database ${name}`);
    } catch (error) {
      // Somebody was faster: duplicate_database, or its form inside the catalogue's unique index.
      if (!['42P04', '23505'].includes(String((error as { code?: unknown }).code))) throw error;
    }
  });
}

/** The role the application works as: it owns nothing, and the migrations grant it what it needs. */
export async function ensureAppRole(ownerUrl: string, password: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [APP_ROLE]);
    const rights = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
    await client.query(`${rowCount ? 'alter' : 'create'} role ${APP_ROLE} ${rights} password '${password}'`);
  });
}
