import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdir, open, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskStore, type FileStore } from '#/platform/files/file-store.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeFacility } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { isNightly } from '#/testing/nightly.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { SCHEMA } from '../start/places.ts';
import { type KeyRing, readBackupKeys } from './backup-key.ts';
import { datedName, removeOldBackups } from './dated-backups.ts';
import { makeBackup } from './make-backup.ts';
import { type Head, readParts, writePart } from './parts.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { createSealedWriter, readSealed } from './sealed-file.ts';

const KEY = 'a key of backups that is only for tests';
const KEYS: KeyRing = [KEY];
const APP_KEY = 'an app key that is only for tests, 32+';
const PICTURES = ['AAAAAAAAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBBBBBBBB'];

let folder: string;
let database: TestDatabase;
let files: FileStore;
let whole: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wardline-refused-'));
  database = await testDatabase();
  files = createDiskStore(path.join(folder, 'files'));
  const facility = await makeFacility(database.db, { name: 'Hospital' });
  for (const key of PICTURES) {
    const { id } = await makeUser(database.db);
    await database.db.updateTable('users').set({ avatar_key: key }).where('id', '=', id).execute();
    await files.put(`avatars/${key.slice(0, 2)}/${key}.webp`, Buffer.from(`picture ${key}`));
    await makeChat(database.db, {
      facilityId: facility.id,
      title: key,
      participants: [{ userId: id }],
      messages: [{ senderId: id, body: key }],
    });
  }
  whole = path.join(folder, 'whole.backup');
  await makeBackup({ ...deps(), appKey: APP_KEY, keepsAppKey: true }, whole);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const deps = () => ({ connectionString: database.connectionString, files, keys: KEYS });
const check = (place: string) => checkBackup(place, { keys: KEYS, schema: SCHEMA });

interface WholePart {
  readonly head: Head;
  readonly body: Buffer;
}

/** What somebody makes of a backup who has its key: sealed anew, with other parts. */
async function rewritten(change: (part: WholePart) => WholePart | null): Promise<string> {
  const to = path.join(folder, `${randomUUID()}.backup`);
  const [source, target] = [await open(whole, 'r'), await open(to, 'w')];
  const sealed = await createSealedWriter(target, KEY);
  for await (const { head, body } of readParts(readSealed(source, KEYS))) {
    const changed = change({ head, body: await buffer(body) });
    if (changed) await writePart(sealed, changed.head, Readable.from([changed.body]));
  }
  await sealed.end();
  await Promise.all([source.close(), target.close()]);
  return to;
}

const isTable = ({ head }: WholePart, name: string) => head.kind === 'table' && head.name === name;
const withRows = (part: WholePart, change: (text: string) => string): WholePart => ({
  ...part,
  body: gzipSync(change(gunzipSync(part.body).toString('utf8'))),
});
const withText = (part: WholePart, change: (about: Record<string, unknown>) => unknown): WholePart => ({
  ...part,
  body: Buffer.from(JSON.stringify(change(JSON.parse(part.body.toString('utf8'))))),
});

test('A49 R17 what is sealed with the right key and still not whole is refused by name', async () => {
  const cases: Record<string, (part: WholePart) => WholePart | null> = {
    'Table messages: has 1 rows in the place of 2.': (part) =>
      isTable(part, 'messages') ? withRows(part, (text) => text.slice(text.indexOf('\n') + 1)) : part,
    'Table messages: its rows are others than were kept.': (part) =>
      isTable(part, 'messages') ? withRows(part, (text) => text.replace(PICTURES[0] ?? '', 'another text')) : part,
    'Table chats: is missing.': (part) => (isTable(part, 'chats') ? null : part),
    'Table chats: its rows cannot be unpacked.': (part) =>
      isTable(part, 'chats') ? { ...part, body: Buffer.from('no rows') } : part,
    'Files: 1 in the place of 2.': (part) =>
      part.head.kind === 'file' && part.head.name.includes('AAAA') ? null : part,
    'Files: they are others than were kept.': (part) =>
      part.head.kind === 'file' && part.head.name.includes('AAAA')
        ? { ...part, body: Buffer.from('another picture') }
        : part,
    'its end is missing': (part) => (part.head.kind === 'end' ? null : part),
    'Table messages: was not announced, or comes twice.': (part) =>
      isTable(part, 'chats') ? { ...part, head: { kind: 'table', name: 'messages' } } : part,
    'The backup does not say what it is of.': (part) => (part.head.kind === 'about' ? null : part),
    'its migration 9999_later has no file here': (part) =>
      part.head.kind === 'about'
        ? withText(part, (about) => ({
            ...about,
            migrations: [...(about['migrations'] as object[]), { name: '9999_later', checksum: '0'.repeat(64) }],
          }))
        : part,
    'migration 0001_first_slice has another text': (part) =>
      part.head.kind === 'about'
        ? withText(part, (about) => ({
            ...about,
            migrations: (about['migrations'] as { name: string }[]).map((migration) =>
              migration.name === '0001_first_slice' ? { ...migration, checksum: '0'.repeat(64) } : migration,
            ),
          }))
        : part,
  };
  await check(whole);
  for (const [message, change] of Object.entries(cases)) {
    await expect(rewritten(change).then(check), message).rejects.toThrow(message);
  }
});

test('A49 names that lead out of the store, or into SQL, are refused before anything is written', async () => {
  const names = [
    '../../etc/passwd.bin',
    'attachments/../../x.bin',
    '/etc/x.bin',
    'avatars/AA/..%2f.bin',
    'avatars/a\\b.webp',
    'secrets/app-key.bin',
    'avatars/x',
  ];
  for (const name of names) {
    const crafted = rewritten((part) => (part.head.kind === 'file' ? { ...part, head: { kind: 'file', name } } : part));
    await expect(crafted.then(check), name).rejects.toThrow('is not the name of a stored file');
  }
  const table = rewritten((part) =>
    isTable(part, 'chats') ? { ...part, head: { kind: 'table', name: 'chats"; drop table users; --' } } : part,
  );
  await expect(table.then(check)).rejects.toThrow('is not a name');
});

interface Changes {
  readonly files?: FileStore;
  readonly appKey?: string | null;
  readonly takesOtherAppKey?: boolean;
  readonly dataDir?: string;
  readonly signal?: AbortSignal;
}

const restore = async (place: string, connectionString: string, changes: Changes = {}) =>
  restoreBackup(place, await check(place), {
    ...{ connectionString, schema: SCHEMA, keys: KEYS, appKey: null, takesOtherAppKey: false },
    ...{ files: createDiskStore(path.join(folder, randomUUID())), dataDir: path.join(folder, randomUUID()) },
    ...changes,
  });

const tablesOf = (connectionString: string) =>
  withClient(connectionString, async (client) => {
    const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`);
    return rows;
  });

test('OPS-8 nothing is restored over what is there, and what fails on its way leaves nothing', async () => {
  await expect(restore(whole, database.connectionString)).rejects.toThrow(
    /^The database is not empty: it has public\./,
  );
  const empty = await emptyDatabase();
  try {
    await expect(restore(whole, empty.connectionString, { files })).rejects.toThrow(
      /^There are stored files already, such as avatars/,
    );
    await expect(
      restore(whole, empty.connectionString, { appKey: 'another app key of 32 characters' }),
    ).rejects.toThrow(/^The app key of WARDLINE_APP_KEY is not that of the backup/);
    const store = createDiskStore(path.join(folder, 'full'));
    let left = 1;
    const full: FileStore = {
      ...store,
      put: (name, bytes) => (left-- > 0 ? store.put(name, bytes) : Promise.reject(new Error('disk full'))),
    };
    const dataDir = path.join(folder, 'failed');
    await expect(restore(whole, empty.connectionString, { files: full, dataDir })).rejects.toThrow('disk full');
    expect(await tablesOf(empty.connectionString)).toEqual([]);
    const stored: string[] = [];
    for await (const { name } of store.list('avatars')) stored.push(name);
    expect(stored).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
    // Told to stop while files come back: within the rows the connection is cut.
    for (const at of [1, 2]) {
      const told = new AbortController();
      let puts = 0;
      const telling: FileStore = {
        ...store,
        async put(name, bytes) {
          await store.put(name, bytes);
          puts += 1;
          if (puts === at) told.abort();
        },
      };
      const stopped = restore(whole, empty.connectionString, { files: telling, dataDir, signal: told.signal });
      await expect(stopped).rejects.toThrow();
      for await (const { name } of store.list('avatars')) stored.push(name);
      expect(stored).toEqual([]);
      expect(await tablesOf(empty.connectionString)).toEqual([]);
      expect(existsSync(dataDir)).toBe(false);
    }
    await expect(restore(folder, empty.connectionString)).rejects.toThrow(`${folder} is no file. Name one backup.`);
    // A row that the backup lost before it was counted would still be seen by the foreign keys.
    const orphaned = await rewrittenAsKept((text) => text.slice(text.indexOf('\n') + 1));
    await expect(restore(orphaned, empty.connectionString)).rejects.toMatchObject({ code: '23503' });
    expect(await tablesOf(empty.connectionString)).toEqual([]);
  } finally {
    await empty.close();
  }
});

test('OPS-8 R17 rows that do not come back as they were, and files that no part holds, undo the restore', async () => {
  const empty = await emptyDatabase();
  try {
    // A database that changes rows by itself while they are loaded.
    await withClient(empty.connectionString, (client) =>
      client.query(`
        create schema odd;
        create function odd.change() returns event_trigger language plpgsql as
          $$ begin
              if to_regclass('public.messages') is not null then update public.messages set body = 'another text'; end if;
            end $$;
        create event trigger odd on ddl_command_end when tag in ('CREATE INDEX') execute function odd.change()`),
    );
    await expect(restore(whole, empty.connectionString)).rejects.toThrow(
      'Table messages: 2 rows came back that are not the 2 of the backup.',
    );
    expect(await tablesOf(empty.connectionString)).toEqual([]);
    await withClient(empty.connectionString, (client) => client.query('drop schema odd cascade'));
    const left = { count: 0, bytes: 0, lines: '' };
    const without = await rewritten((part) => {
      if (part.head.kind === 'file' && part.head.name.includes('AAAA')) return null;
      if (part.head.kind === 'file') {
        left.count += 1;
        left.bytes += part.body.length;
        left.lines += `${part.head.name} ${part.body.length} ${createHash('sha256').update(part.body).digest('hex')}\n`;
      }
      if (part.head.kind !== 'end') return part;
      const { count, bytes, lines } = left;
      const sha256 = createHash('sha256').update(lines).digest('hex');
      return withText(part, (manifest) => ({ ...manifest, files: { count, bytes, sha256 } }));
    });
    await expect(restore(without, empty.connectionString)).rejects.toThrow(
      `File avatars/AA/${PICTURES[0]}.webp: the rows name it, and the backup does not have it.`,
    );
    expect(await tablesOf(empty.connectionString)).toEqual([]);
  } finally {
    await empty.close();
  }
});

/** One chat less, and a manifest that says so. */
async function rewrittenAsKept(change: (text: string) => string): Promise<string> {
  let sha256 = '';
  return rewritten((part) => {
    if (isTable(part, 'chats')) {
      const changed = withRows(part, change);
      sha256 = createHash('sha256').update(gunzipSync(changed.body)).digest('hex');
      return changed;
    }
    if (part.head.kind !== 'end') return part;
    return withText(part, (manifest) => ({
      ...manifest,
      tables: (manifest['tables'] as { name: string; rows: number }[]).map((table) =>
        table.name === 'chats' ? { ...table, rows: table.rows - 1, sha256 } : table,
      ),
    }));
  });
}

test.runIf(isNightly)(
  'OPS-8 A49 a backup without the app key asks for it, and one that is lost can be done without',
  async () => {
    const place = path.join(folder, 'without.backup');
    await makeBackup({ ...deps(), appKey: APP_KEY, keepsAppKey: false }, place);
    const empty = await emptyDatabase();
    const dataDir = path.join(folder, 'own key');
    try {
      await expect(restore(place, empty.connectionString)).rejects.toThrow(/^The app key is not in this backup/);
      const restored = await restore(place, empty.connectionString, {
        ...{ appKey: 'another app key of 32 characters', takesOtherAppKey: true, dataDir },
      });
      expect(restored.appKey).toBe('another app key of 32 characters');
      expect(existsSync(dataDir)).toBe(false);
    } finally {
      await empty.close();
    }
  },
);

test.runIf(isNightly)(
  'OPS-8 R17 a backup that could not be finished leaves no file, and two at once are refused',
  async () => {
    const broken: FileStore = {
      ...files,
      read: async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('half');
            throw new Error('the disk failed');
          })(),
        ),
    };
    const target = path.join(folder, 'half', 'x.backup');
    await mkdir(path.dirname(target));
    const made = { ...deps(), appKey: APP_KEY, keepsAppKey: true };
    await expect(makeBackup({ ...made, files: broken }, target)).rejects.toThrow('the disk failed');
    expect(readdirSync(path.dirname(target))).toEqual([]);
    let second: Promise<unknown> = Promise.resolve();
    const slow: FileStore = {
      ...files,
      async read(name) {
        second = makeBackup(made, path.join(folder, 'half', 'y.backup'));
        await expect(second).rejects.toThrow('Another backup of this database is under way.');
        expect(readdirSync(path.dirname(target)).every((found) => found.endsWith('.draft'))).toBe(true);
        return files.read(name);
      },
    };
    await makeBackup({ ...made, files: slow }, target);
    expect(readdirSync(path.dirname(target))).toEqual(['x.backup']);
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' });
    await expect(
      makeBackup({ ...made, files: { ...files, read: () => Promise.reject(full) } }, `${target}.full`),
    ).rejects.toThrow(`There is no room left for ${target}.full (ENOSPC): no backup was made.`);
    const told = new AbortController();
    const telling: FileStore = {
      ...files,
      read(name) {
        told.abort();
        return files.read(name);
      },
    };
    const stopped = { ...made, files: telling, signal: told.signal };
    await expect(makeBackup(stopped, `${target}.stopped`)).rejects.toThrow();
    expect(readdirSync(path.join(folder, 'half'))).toEqual(['x.backup']);
    await expect(makeBackup(made, path.join(folder, 'nowhere', 'x.backup'))).rejects.toThrow(
      'takes no new file (ENOENT)',
    );
  },
);

test('OPS-8 a file that is there and not as it was stored is named', async () => {
  const key = 'CCCCCCCCCCCCCCCCCCCCCC';
  const { id } = await makeUser(database.db);
  const chat = await database.db.selectFrom('chats').select(['id', 'facility_id']).limit(1).executeTakeFirstOrThrow();
  await database.db
    .insertInto('attachments')
    .values({
      ...{
        id: randomUUID(),
        chat_id: chat.id,
        facility_id: chat.facility_id,
        uploader_id: id,
        state: 'ready',
        key,
        name: 'x.pdf',
      },
      ...{ upload_bytes: 4, received_bytes: 4, bytes: 4, kind: 'pdf', mime: 'application/pdf' },
      sha256: createHash('sha256').update('as it was').digest(),
    })
    .execute();
  const name = `attachments/CC/${key}/file.bin`;
  await files.put(name, Buffer.from('rotten'));
  const made = await makeBackup({ ...deps(), appKey: APP_KEY, keepsAppKey: true }, path.join(folder, 'rotten.backup'));
  expect(made.manifest.faults).toEqual([{ name, what: 'changed' }]);
});

test('A49 the key is made once, outside the data folder, for its owner alone', async () => {
  const dataDir = path.join(folder, 'ward data');
  const place = `${dataDir}-backup.key`;
  const config = { dataDir, backupKey: null };
  expect(() => readBackupKeys(config, false)).toThrow('is missing');
  const made = readBackupKeys(config, true);
  expect(made).toEqual({ madeAt: place, keys: [(await readFile(place, 'utf8')).trim()] });
  expect(made.keys[0]).toHaveLength(43);
  expect(readBackupKeys(config, false)).toEqual({ ...made, madeAt: null });
  expect(readBackupKeys({ ...config, backupKey: KEY }, true)).toEqual({ keys: [KEY], madeAt: null });
  await chmod(place, 0o640);
  expect(() => readBackupKeys(config, true)).toThrow('is readable by others');
  await chmod(place, 0o600);
  await writeFile(place, 'short');
  expect(() => readBackupKeys(config, true)).toThrow('too short');
  await writeFile(place, `${KEY}\nshort\n`);
  expect(() => readBackupKeys(config, true)).toThrow(`Key 2 of ${place}`);
  await writeFile(place, `${KEY}\n\n${made.keys[0]}\n`);
  expect(readBackupKeys(config, true)).toEqual({ keys: [KEY, made.keys[0]], madeAt: null });
});

test('OPS-8 the oldest dated backups go, and nothing else', async () => {
  const place = path.join(folder, 'kept');
  await mkdir(place);
  const dated = [1, 2, 3].map((day) => datedName(new Date(`2026-11-0${day}T01:02:03.456Z`)));
  expect(dated[0]).toBe('wardline-2026-11-01T01-02-03Z.backup');
  const drafts = ['old', 'new'].map((_, n) => `.${dated[n]}.0000000${n}.draft`);
  for (const name of [...dated, ...drafts, 'mine.backup', 'wardline-2026.backup'])
    await writeFile(path.join(place, name), 'x');
  const yesterday = new Date(Date.now() - 86_400_000);
  await utimes(path.join(place, drafts[0] ?? ''), yesterday, yesterday);
  expect(await removeOldBackups(place, 2)).toEqual([dated[0]]);
  expect(readdirSync(place).sort()).toEqual(
    [drafts[1], 'mine.backup', 'wardline-2026.backup', dated[1], dated[2]].sort(),
  );
  expect(await removeOldBackups(place, 5)).toEqual([]);
});
