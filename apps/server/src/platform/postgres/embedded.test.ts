import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { isNightly } from '#/testing/nightly.ts';
import { findServer } from './bring-up.ts';
import { waitUntil } from './server-process.ts';
import { query, scratchClusters } from './testing/scratch-cluster.ts';

describe('the embedded PostgreSQL', { timeout: 60_000 }, () => {
  const scratch = scratchClusters();

  test.runIf(isNightly)(
    'OPS-3 starts in a path with a space, below a folder only its owner may enter, and twice in a row',
    async () => {
      const home = scratch.folder('closed home');
      expect(statSync(home).mode & 0o777).toBe(0o700);
      const dataDir = join(home, 'the data');
      const first = await scratch.start(dataDir);
      expect(first).toMatchObject({ adopted: false, host: '127.0.0.1' });
      expect(first.version).toMatch(/^18\./);
      await query(first.connectionString, 'create table kept (id int); insert into kept values (1)');
      await first.stop();
      expect(findServer(join(dataDir, 'postgres'))).toBeNull();

      const second = await scratch.start(dataDir);
      expect(await query(second.connectionString, 'select id from kept')).toEqual([{ id: 1 }]);
    },
  );

  test('OPS-1 runs with checksums, UTF-8, durable commits, on loopback only, and stops fast', async () => {
    const dataDir = scratch.folder();
    const postgres = await scratch.start(dataDir);
    const rows = await query<{ name: string; setting: string }>(
      postgres.connectionString,
      `select name, setting from pg_settings where name in ('data_checksums', 'server_encoding', 'synchronous_commit',
       'listen_addresses', 'unix_socket_directories', 'huge_pages', 'log_statement', 'log_min_error_statement')`,
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      data_checksums: 'on',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: `"${join(dataDir, 'postgres')}"`,
      huge_pages: 'off',
      log_statement: 'none',
      log_min_error_statement: 'panic',
    });
    const busy = new Client({ connectionString: postgres.connectionString });
    busy.on('error', () => {});
    await busy.connect();
    await busy.query('begin');
    // It waits for nobody who is connected, and has written everything when it ends.
    await postgres.stop();
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('received fast shutdown request');
    expect(log).toContain('database system is shut down');
  });

  test('OPS-3 is reached by its Unix socket, and by loopback where a folder is too deep for the path of one', async () => {
    const address = 'select inet_client_addr() as address';
    // A list of folders for PostgreSQL, in which comma and quote mean something.
    const dataDir = join(scratch.folder(), 'ward "3A", east');
    await rename(await scratch.cluster(), dataDir);
    const postgres = await scratch.start(dataDir);
    expect(await query(postgres.connectionString, address)).toEqual([{ address: null }]);
    expect(await query(postgres.appConnectionString, address)).toEqual([{ address: null }]);
    const byPort = new URL(postgres.connectionString);
    byPort.search = '';
    expect(await query(byPort.href, address)).toEqual([{ address: '127.0.0.1' }]);

    const deep = await scratch.start(join(scratch.folder(), 'a folder of a hospital with a long name'.repeat(3)));
    expect(await query(deep.connectionString, address)).toEqual([{ address: '127.0.0.1' }]);
    const setting = await query(deep.connectionString, 'show unix_socket_directories');
    expect(setting).toEqual([{ unix_socket_directories: '' }]);
  });

  test('A45 the server log quotes no value of a failed statement', async () => {
    const dataDir = await scratch.cluster();
    const { connectionString: url } = await scratch.start(dataDir);
    const marker = 'Patient-Marker-7431';
    await query(url, 'create table patients (name text primary key)');
    await query(url, 'insert into patients values ($1)', [marker]);
    await expect(query(url, 'insert into patients values ($1)', [marker])).rejects.toMatchObject({ code: '23505' });
    await expect(query(url, 'select $1::text::int', [marker])).rejects.toMatchObject({ code: '22P02' });
    await expect(query(url, `select '${marker}'::int`)).rejects.toMatchObject({ code: '22P02' });
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain(marker);
  });

  test('I6 the application role is no superuser, makes no databases and owns nothing', async () => {
    const postgres = await scratch.start(await scratch.cluster());
    const rights = 'rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls';
    expect(
      await query(postgres.appConnectionString, `select ${rights} from pg_roles where rolname = current_user`),
    ).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false },
    ]);
    await expect(query(postgres.appConnectionString, 'create table mine (id int)')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(query(postgres.appConnectionString, 'create database mine')).rejects.toMatchObject({ code: '42501' });
  });

  test.runIf(isNightly)(
    'makes further databases, as often as asked, and refuses a name that would need quoting',
    async () => {
      const postgres = await scratch.start(await scratch.cluster());
      const [url] = await Promise.all([postgres.ensureDatabase('other'), postgres.ensureDatabase('other')]);
      expect(await query(url, 'select current_database() as name')).toEqual([{ name: 'other' }]);
      await expect(postgres.ensureDatabase('x; drop database wardline')).rejects.toThrow(/no database name/);
    },
  );

  test('OPS-4 refuses a wrong or missing password', async () => {
    const postgres = await scratch.start(await scratch.cluster());
    const wrong = new URL(postgres.connectionString);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test.runIf(isNightly)('OPS-4 says so when the secrets folder does not belong to the data', async () => {
    const dataDir = await scratch.cluster();
    await (await scratch.start(dataDir)).stop();
    writeFileSync(join(dataDir, 'secrets', 'postgres-owner-password'), 'x'.repeat(43), { mode: 0o600 });
    await expect(scratch.start(dataDir)).rejects.toThrow(/refuses the password in the secrets folder/);
    expect(findServer(join(dataDir, 'postgres'))).toBeNull();
  });

  test.runIf(isNightly)('OPS-4 refuses a password file that others may read', async () => {
    const dataDir = scratch.folder();
    await (await scratch.start(dataDir)).stop();
    const path = join(dataDir, 'secrets', 'postgres-owner-password');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o640);
    await expect(scratch.start(dataDir)).rejects.toThrow(/readable by others \(mode 640\)/);
  });

  test('R1 refuses to start when the cluster switches synchronous_commit off for its sessions', async () => {
    const dataDir = await scratch.cluster();
    const postgres = await scratch.start(dataDir);
    await query(postgres.connectionString, 'alter role wardline_app set synchronous_commit = off');
    await postgres.stop();
    await expect(scratch.start(dataDir)).rejects.toThrow(/synchronous_commit = off/);
    expect(findServer(join(dataDir, 'postgres'))).toBeNull();
  });

  test.runIf(isNightly)('OPS-3 a cluster half made by an interrupted first start is made again', async () => {
    const dataDir = scratch.folder();
    const leftover = join(dataDir, 'postgres.part-2147483646');
    mkdirSync(join(leftover, 'base'), { recursive: true });
    writeFileSync(join(leftover, 'PG_VERSION'), '18\n');
    mkdirSync(join(dataDir, 'postgres'));
    const postgres = await scratch.start(dataDir);
    expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(() => statSync(leftover)).toThrow(/ENOENT/);
  });

  test('I3 a damaged cluster is reported and left as it is', async () => {
    const dataDir = scratch.folder();
    mkdirSync(join(dataDir, 'postgres', 'base'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
    await expect(scratch.start(dataDir)).rejects.toThrow(/not a whole PostgreSQL cluster/);
    expect(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('18\n');
  });

  test('OPS-8 a second starter beside a running product is its guest and does not stop its server', async () => {
    const dataDir = await scratch.cluster();
    const product = await scratch.start(dataDir);
    const guest = await scratch.start(dataDir);
    expect(guest).toMatchObject({ adopted: true, pid: product.pid, port: product.port });
    await guest.stop();
    expect(await query(product.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('OPS-8 R17 a product that starts beside a command keeps its server after the command has ended', async () => {
    const dataDir = await scratch.cluster();
    const command = await scratch.start(dataDir);
    let restarts = 0;
    const product = await scratch.start(dataDir, { takesOver: true, onRestart: () => (restarts += 1) });
    expect(product).toMatchObject({ adopted: true, pid: command.pid });
    await command.stop();
    expect(await waitUntil(() => restarts > 0, 30_000)).toBe(true);
    expect(await query(product.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'owner.json'))).toBe(true);
    await product.stop();
    expect(findServer(join(dataDir, 'postgres'))).toBeNull();
    expect(existsSync(join(dataDir, 'owner.json'))).toBe(false);
  });

  test('OPS-8 a product that stops before the command leaves it its server', async () => {
    const dataDir = await scratch.cluster();
    const command = await scratch.start(dataDir);
    const product = await scratch.start(dataDir, { takesOver: true });
    await product.stop();
    expect(await query(command.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
