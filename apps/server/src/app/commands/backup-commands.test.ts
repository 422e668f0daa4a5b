import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionString, DATABASE, ownerLogin, withClient } from '#/platform/postgres/database-setup.ts';
import { findLiveServer } from '#/platform/postgres/postmaster-pid.ts';
import { newDataFolder } from '#/testing/cached-cluster.ts';
import { everyNth } from '#/testing/nightly.ts';
import { buildMain, type MainProcess, runCommand, runMain } from '#/testing/run-main.ts';

/** For what hangs: each of these commands is a process of its own. */
const LIMIT_MS = 240_000;

let folder: string;
let dataDir: string;
let server: MainProcess;
beforeAll(async () => {
  await buildMain();
  folder = mkdtempSync(path.join(tmpdir(), 'wardline-commands-'));
  // Beside it lies the key that the first backup makes.
  dataDir = path.join(folder, 'ward data');
  await rename(await newDataFolder('commands'), dataDir);
  server = runMain({ WARDLINE_DATA: dataDir, PORT: '0' });
  expect(await server.listens, server.output()).toBe(true);
}, LIMIT_MS);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What the owner of an embedded database whose server runs is answered. */
async function ask<Row extends object>(of: string, text: string): Promise<Row[]> {
  const password = readFileSync(path.join(of, 'secrets/postgres-owner-password'), 'utf8').trim();
  const port = findLiveServer(path.join(of, 'postgres'))?.port ?? 0;
  return withClient(
    connectionString(ownerLogin(password), port, DATABASE),
    async (client) => (await client.query<Row>(text)).rows,
  );
}

test(
  'OPS-8 A49 the commands back up an embedded database while its server runs, and bring it back under another',
  async () => {
    const backups = path.join(folder, 'backups');
    await mkdir(backups);
    const on = (place: string) => ({ WARDLINE_DATA: place });
    await ask(
      dataDir,
      `insert into users (id, name, email, password_hash) values (gen_random_uuid(), 'Ana Reyes', 'ana@people.test', '')`,
    );

    const made = await runCommand(on(dataDir), ['backup', backups, '--keep', '1']);
    expect(made).toMatchObject({ code: 0 });
    const place = `${dataDir}-backup.key`;
    expect(made.output).toContain(`The key of the backups was made: ${place}`);
    expect(made.output).toContain(' and 0 files, in ');
    expect(made.output).not.toContain('made before');
    expect(statSync(place).mode & 0o777).toBe(0o600);
    const [name = '', ...others] = readdirSync(backups);
    expect(others).toEqual([]);
    expect(name).toMatch(/^wardline-[0-9TZ-]+\.backup$/);
    const file = path.join(backups, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes('Ana Reyes')).toBe(false);
    const entries = await ask<{ action: string; detail: object }>(
      dataDir,
      `select action, detail from audit_entries where action like 'backup.%'`,
    );
    expect(entries).toEqual([
      {
        action: 'backup.make',
        detail: expect.objectContaining({ lost_files: 0, files: 0, tables: expect.any(Number) }),
      },
    ]);

    // Each refusal is one sentence, and changes nothing. Each is a process: two of them here, all at night.
    const refusals: [Record<string, string>, string[], string][] = [
      [on(dataDir), ['backup', path.join(dataDir, 'x.backup')], 'lies in the data folder'],
      [on(dataDir), ['backup', file], 'is there already'],
      [on(path.join(folder, 'nothing')), ['backup', backups], 'There is nothing to back up'],
      [on(dataDir), ['restore', file], 'Another Wardline server'],
      [on(path.join(folder, 'fresh')), ['restore', file], 'No key:'],
      [{ ...on('/dev/null/data'), WARDLINE_BACKUP_KEY_FILE: place }, ['restore', file], 'ENOTDIR'],
      [
        { ...on(dataDir), WARDLINE_BACKUP_KEY: 'another key of more than 32 characters' },
        ['restore', file, '--check'],
        'another key',
      ],
    ];
    for (const [settings, args, said] of everyNth(refusals, 3)) {
      const { code, output } = await runCommand(settings, args);
      expect(output).toContain(said);
      expect(output).not.toMatch(/\n\s+at |did not start/);
      expect(code).toBe(1);
    }
    expect(readdirSync(folder).sort()).toEqual(['backups', 'ward data', 'ward data-backup.key']);

    const fresh = path.join(folder, 'fresh');
    // A newer key stands before the one that it was made with.
    const ring = path.join(folder, 'ring.key');
    await writeFile(ring, `a newer key of the backups, 32 and more\n${readFileSync(place, 'utf8')}`);
    const withKey = { ...on(fresh), WARDLINE_BACKUP_KEY_FILE: ring };
    const half = path.join(folder, 'half.backup');
    await writeFile(half, readFileSync(file).subarray(0, -100));
    const cut = await runCommand(withKey, ['restore', half]);
    expect(cut).toMatchObject({ code: 1, output: expect.stringContaining('cut off') });
    expect(readdirSync(folder)).not.toContain('fresh');
    const looked = await runCommand(withKey, ['restore', file, '--check']);
    expect(looked).toMatchObject({ code: 0, output: expect.stringContaining('It is whole.') });

    const stopped = await runCommand(withKey, ['restore', file], 'It is whole.');
    expect(stopped.output).toContain('It was told to stop before its end: nothing was restored.');
    expect(stopped.code).toBe(1);
    expect(readdirSync(fresh).sort()).toEqual(['postgres', 'postgres.log', 'secrets']);
    expect(findLiveServer(path.join(fresh, 'postgres'))).toBeNull();

    const back = await runCommand(withKey, ['restore', file]);
    expect(back.output).toContain('Everything is back');
    expect(back.output).toContain('The audit is whole.');
    expect(back.output).not.toContain('connection failed');
    expect(back.code).toBe(0);
    expect(readFileSync(path.join(fresh, 'secrets/app-key'))).toEqual(
      readFileSync(path.join(dataDir, 'secrets/app-key')),
    );
    const again = runMain({ ...on(fresh), PORT: '0' });
    try {
      expect(await again.listens, again.output()).toBe(true);
      expect(await ask(fresh, `select name from users where email like '%@people.test'`)).toEqual([
        { name: 'Ana Reyes' },
      ]);
      const walls = `select count(*)::int as count from pg_policies where schemaname = 'public'`;
      expect(await ask(fresh, walls)).toEqual(await ask(dataDir, walls));
      expect(await ask(fresh, `select action from audit_entries where action like 'backup.%'`)).toEqual([
        { action: 'backup.restore' },
      ]);
    } finally {
      await again.stop();
    }
    await rename(place, `${place}.lost`);
    const anew = await runCommand(on(dataDir), ['backup', path.join(folder, 'anew.backup')]);
    expect(anew.output).toContain('Backups that were made before need the key of then');
    expect(anew.code).toBe(0);
    const twice = await runCommand(withKey, ['restore', file]);
    expect(twice).toMatchObject({ code: 1, output: expect.stringContaining('The database is not empty') });
  },
  LIMIT_MS,
);
