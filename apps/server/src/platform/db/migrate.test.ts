import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { emptyDatabase } from '#/testing/test-database.ts';
import { migrate } from './migrate.ts';

const BEDS = 'create table beds (code text primary key);';
const COUNT_BEDS =
  'create or replace function count_beds() returns bigint language sql as $$ select count(*) from beds $$;';

let folder: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeEach(async () => {
  database = await emptyDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'wardline-schema-'));
  for (const kind of ['migrations', 'functions']) await mkdir(path.join(folder, kind));
  await write('migrations/0001_beds.sql', BEDS);
  await write('functions/count_beds.sql', COUNT_BEDS);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const write = (file: string, text: string) => writeFile(path.join(folder, file), text);
const remove = (file: string) => rm(path.join(folder, file));
const start = () => migrate(database.connectionString, folder);
const inDatabase = <T>(work: (client: Client) => Promise<T>) => withClient(database.connectionString, work);

/** The first column of what a query finds. */
const ask = (query: string) =>
  inDatabase(async (client) =>
    (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows.map(([value]) => value),
  );

describe('applied migrations', () => {
  it('F-S1 a new database gets every migration and function, and the next start does nothing', async () => {
    expect(await start()).toEqual(['0001_beds']);
    expect(await ask('select count_beds()')).toEqual(['0']);
    expect(await start()).toEqual([]);
  });

  it('F-S1 an applied migration with another text stops the start with a sentence that names its file', async () => {
    await start();
    await write('migrations/0001_beds.sql', 'create table beds (code text primary key, ward text);');
    await expect(start()).rejects.toThrow(
      'apps/server/db/migrations/0001_beds.sql has another text than the one that was applied to this database. An ' +
        'applied migration is never edited: put its text back as it was (git log shows it), and write the change as a new ' +
        'migration.\nNothing was changed in the database.',
    );
    await write('migrations/0001_beds.sql', BEDS);
    expect(await start()).toEqual([]);
  });

  it('F-S1 a migration with other line ends is the same migration', async () => {
    await write('migrations/0001_beds.sql', `-- Beds.\n${BEDS}\n`);
    await start();
    await write('migrations/0001_beds.sql', `-- Beds.\r\n${BEDS}\r\n`);
    expect(await start()).toEqual([]);
  });

  it('F-S1 a database of a newer build stops the start of an older one', async () => {
    await write('migrations/0002_wards.sql', 'create table wards (code text)');
    await start();
    await remove('migrations/0002_wards.sql');
    await expect(start()).rejects.toThrow(/newer than this build: its migration 0002_wards has no file here/);
  });

  it('F-S1 a migration that comes before an applied one stops the start', async () => {
    await write('migrations/0003_wards.sql', 'create table wards (code text)');
    await start();
    await write('migrations/0002_late.sql', 'create table late (code text)');
    await expect(start()).rejects.toThrow(/0002_late.sql comes before 0003_wards.+next free number/s);
  });

  it('OPS-10 a migration that fails leaves the database as it was, and is named', async () => {
    await start();
    await write('migrations/0002_wards.sql', 'create table wards (code text)');
    await write('migrations/0003_wrong.sql', 'create table beds (code text)');
    await expect(start()).rejects.toThrow(/0003_wrong.sql could not be applied: .*"beds" already exists/);
    expect(await ask(`select to_regclass('wards')::text`)).toEqual([null]);
    await write('migrations/0003_wrong.sql', 'create table rooms (code text)');
    expect(await start()).toEqual(['0002_wards', '0003_wrong']);
  });
});

describe('functions and views', () => {
  it('F-S1 a function with another text is made anew, and its old body is gone', async () => {
    await start();
    await write('functions/count_beds.sql', COUNT_BEDS.replace('count(*) from beds', '7::bigint'));
    expect(await start()).toEqual([]);
    expect(await ask('select count_beds()')).toEqual(['7']);
  });

  it('F-S1 a function with other arguments takes the place of the old one', async () => {
    await start();
    await write(
      'functions/count_beds.sql',
      'create or replace function count_beds(ward text) returns text language sql as $$ select ward $$;',
    );
    await start();
    expect(await ask(`select oid::regprocedure::text from pg_proc where proname = 'count_beds'`)).toEqual([
      'count_beds(text)',
    ]);
  });

  it('F-S1 a function without a file is dropped', async () => {
    await start();
    await remove('functions/count_beds.sql');
    await start();
    expect(await ask(`select proname from pg_proc where proname = 'count_beds'`)).toEqual([]);
  });

  it('F-S1 a migration may change what a view shows, and the view follows in the order of its needs', async () => {
    await write('functions/a_view.sql', '-- needs: b_view\ncreate or replace view a_view as select * from b_view;');
    await write('functions/b_view.sql', 'create or replace view b_view as select *, 1 as one from beds;');
    await start();
    await write(
      'migrations/0002_numbers.sql',
      'alter table beds alter column code type integer using code::integer, add column ward text;',
    );
    await start();
    expect(
      await ask(`select attname || ' ' || format_type(atttypid, null) from pg_attribute
        where attrelid = 'a_view'::regclass and attnum > 0 order by attnum`),
    ).toEqual(['code integer', 'ward text', 'one integer']);
  });

  it('F-S1 the function of a trigger is replaced while its trigger stays', async () => {
    const body = (code: string) => `
      create or replace function name_bed() returns trigger language plpgsql as $$
      begin new.code := '${code}'; return new; end $$;
      create or replace trigger beds_name before insert on beds for each row execute function name_bed();`;
    await write('functions/name_bed.sql', body('first'));
    await start();
    await write('functions/name_bed.sql', body('second'));
    await start();
    expect(await ask(`insert into beds values ('none') returning code`)).toEqual(['second']);
  });

  it('F-S1 what somebody was granted on a view or function is granted again', async () => {
    await write('functions/b_view.sql', 'create or replace view b_view as select code from beds;');
    await start();
    await inDatabase((client) =>
      client.query('grant select on b_view to pg_monitor; grant execute on function count_beds to pg_monitor'),
    );
    await write('functions/b_view.sql', 'create or replace view b_view as select code, 1 as one from beds;');
    await start();
    expect(
      await ask(`select has_table_privilege('pg_monitor', 'b_view', 'select')
        and exists (select from pg_proc p, aclexplode(p.proacl) a where p.proname = 'count_beds'
          and a.grantee = 'pg_monitor'::regrole)`),
    ).toEqual([true]);
  });

  it('F-S1 a view of somebody else on one of ours stops the start with a sentence, and nothing is lost', async () => {
    await write('functions/b_view.sql', 'create or replace view b_view as select code from beds;');
    await start();
    await inDatabase((client) => client.query('create view report as select * from b_view'));
    await write('functions/b_view.sql', 'create or replace view b_view as select code, 1 as one from beds;');
    await expect(start()).rejects.toThrow(/something else stands on it: view report depends on view b_view/);
    expect(await ask('select count(*) from report')).toEqual(['0']);
  });

  it('F-S1 a function that needs one without a file is refused', async () => {
    await write('functions/count_beds.sql', `-- needs: wards\n${COUNT_BEDS}`);
    await expect(start()).rejects.toThrow('apps/server/db/functions/count_beds.sql needs wards, which has no file');
  });
});

describe('several servers and lost connections', () => {
  it('F-S1 OPS-10 two servers that start at once migrate once', async () => {
    const applied = await Promise.all([start(), start(), start()]);
    expect(applied.flat()).toEqual(['0001_beds']);
  });

  it('F-S1 OPS-10 R19 a migration whose connection ends in the middle leaves nothing, and runs again whole', async () => {
    await write('migrations/0002_wards.sql', 'create table wards (code text); select pg_advisory_xact_lock(77);');
    await inDatabase(async (holder) => {
      await holder.query('select pg_advisory_lock(77)');
      const killed = start().catch((error: unknown) => error);
      const end = `select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and objid = 77 and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      await vi.waitUntil(async () => (await holder.query(end)).rowCount === 1, { timeout: 20_000 });
      expect(await killed).toBeInstanceOf(Error);
    });
    expect(await ask(`select to_regclass('beds')::text`)).toEqual([null]);
    expect(await start()).toEqual(['0001_beds', '0002_wards']);
    expect(await ask('select count(*) from wards')).toEqual(['0']);
  });
});
