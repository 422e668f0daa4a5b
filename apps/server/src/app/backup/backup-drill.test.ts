import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ATTACHMENTS_MAX } from '@wardline/contract/chat/attachments.ts';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyChain } from '#/features/audit/index.ts';
import { append, begin, pdf, upload } from '#/features/chat/attachments/testing/send-files.ts';
import { noteBackup, readLastBackup } from '#/platform/db/backups.ts';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { createDiskStore, type FileStore } from '#/platform/files/file-store.ts';
import { createS3Store, type S3Store } from '#/platform/files/s3/s3-store.ts';
import { type FakeS3, startFakeS3 } from '#/platform/files/s3/testing/fake-s3.ts';
import { picture } from '#/platform/images/testing/pictures.ts';
import { createLog } from '#/platform/log.ts';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { describeSchema, listTables } from '#/testing/dump-database.ts';
import { testPasswordHash } from '#/testing/factories/users.ts';
import { isNightly, runs } from '#/testing/nightly.ts';
import { makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { guestWithCookies, postLogin, signedIn, statusOf, type TestClient } from '#/testing/test-client.ts';
import { emptyDatabase, openBoth } from '#/testing/test-database.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { SCHEMA } from '../start/places.ts';
import type { KeyRing } from './backup-key.ts';
import { makeBackup } from './make-backup.ts';
import { moveDatabase } from './move-database.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';

const KEY = 'a key of backups that is only for tests';
const KEYS: KeyRing = [KEY];
const LIMITS = { silenceMs: 2_000, bytesPerMs: 512, tries: 2, pauseMs: 1 };
const WRITERS = 4;
/** For what hangs: each makes a whole schema, and everything that stands on it. */
const LIMIT_MS = 240_000;
/** One person may begin sixty a minute, and the tests begin some. */
const FILES = runs(5);

let world: World;
let s3: FakeS3;
let bucket: S3Store;
let folder: string;
let lost: string[];
let person: TestClient;
/** A picture, and letters. */
const sent: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wardline-drill-'));
  s3 = await startFakeS3({ pageSize: 100 });
  bucket = createS3Store(s3.settings, createLog('silent'), LIMITS);
  world = await makeWorld({ attachments: { maxBytes: 20 * 1024 * 1024, kinds: ['pdf', 'image'] } });
  const named = await world.server.db.selectFrom('attachments').select('key').orderBy('key').execute();
  lost = named.map(({ key }) => key);
  const passwordHash = await testPasswordHash(TEST_APP_KEY);
  await world.server.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', world.ours.entitled.id)
    .execute();
  person = await signedIn(world.server, world.ours.entitled.id);
  sent.push(
    await upload(person, world.ours.chatId, { bytes: await picture({ width: 400, height: 300 }), name: 'wound.jpg' }),
  );
  for (let n = 1; n < FILES; n++)
    sent.push(await upload(person, world.ours.chatId, { bytes: pdf(`Letter ${n}`.repeat(9_000)) }));
  for (let from = 0; from < sent.length; from += ATTACHMENTS_MAX) await say(sent.slice(from, from + ATTACHMENTS_MAX));
  await world.server.runAudit();
});
afterAll(async () => {
  await world.server.close();
  bucket.close();
  await s3.close();
  rmSync(folder, { recursive: true });
});

const say = async (attachments: readonly string[] = [], client = person) => {
  const body = { client_id: randomUUID(), body: `Said ${randomUUID()}`, attachments };
  const answer = await client.send('POST', `/api/chats/${world.ours.chatId}/messages`, { body });
  if (answer.statusCode >= 300) throw new Error(answer.payload);
  return answer.json() as { id: string; seq: number };
};
const filesOf = (server: TestServer) => createDiskStore(server.filesRoot);
const backUp = (name: string, files: FileStore) =>
  makeBackup(
    { connectionString: source, files, keys: KEYS, appKey: TEST_APP_KEY, keepsAppKey: true },
    path.join(folder, name),
  );

/** The database of the test server, by its owner's address. */
let source: string;
beforeAll(async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.server.db);
  const empty = await emptyDatabase();
  source = Object.assign(new URL(empty.connectionString), { pathname: `/${rows[0]?.name}` }).href;
  await empty.close();
});

interface Target {
  readonly connectionString: string;
  readonly files: FileStore;
  readonly schema?: string;
}

async function restoreTo(file: string, { connectionString, files, schema = SCHEMA }: Target) {
  const deps = { connectionString, files, schema, keys: KEYS, appKey: null, takesOtherAppKey: false };
  const dataDir = path.join(folder, `data-${randomUUID()}`);
  const place = path.join(folder, file);
  const restored = await restoreBackup(place, await checkBackup(place, deps), { ...deps, dataDir });
  return { restored, dataDir };
}

interface Content {
  readonly table: string;
  readonly rows: number;
  readonly hash: string;
}

/** Read another way than the backup reads. */
async function contentsOf(client: Client): Promise<Content[]> {
  const contents: Content[] = [];
  for (const table of await listTables(client)) {
    const { rows } = await client.query<Omit<Content, 'table'>>(
      `select count(*)::int as rows, coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as hash from ${table} t`,
    );
    contents.push(...rows.map((row) => ({ table, ...row })));
  }
  return contents;
}

/** What a restore changes on purpose, and what its ordinary start adds. */
const OTHERWISE = [
  'sessions',
  'access_tokens',
  'own_data_copies',
  'retention_rules',
  'schema_migrations',
  'schema_functions',
  'push_subscriptions',
];

test(
  'OPS-5 R17 a database moves into another with every row, so that who is signed in stays so; what stops it leaves that one empty',
  async () => {
    const database = await emptyDatabase();
    const move = (onCompared: () => void) =>
      moveDatabase({ from: source, to: database.connectionString, schema: SCHEMA, onCompared });
    try {
      const stopped = move(() => {
        throw new Error('Stopped after all was compared');
      });
      await expect(stopped).rejects.toThrow('Stopped after all was compared');
      expect(await withClient(database.connectionString, listTables)).toEqual([]);
      const moved = await move(() => undefined);
      expect(moved.leftOut).toEqual([]);
      const compared = async (address: string) =>
        (await withClient(address, contentsOf)).filter(({ table }) => table !== 'schema_functions');
      expect(await compared(database.connectionString)).toEqual(await compared(source));
      await expect(move(() => undefined)).rejects.toThrow('The database is not empty: it has public.');
      await grantAppRole(database.connectionString, APP_ROLE);
      const kept = { ...database, ...openBoth(database.connectionString, 4) };
      const server = await startTestServer({ kept: { database: kept, appKey: TEST_APP_KEY } });
      try {
        expect(await statusOf(withCookiesOf(server, person))).toBe(200);
        const chain = await verifyChain(server.db, { appKey: Buffer.from(TEST_APP_KEY) });
        expect(chain.tamperings).toEqual([]);
      } finally {
        await server.close();
      }
    } finally {
      await database.close();
    }
  },
  LIMIT_MS,
);

test(
  'OPS-8 ADM-4 R17 a backup made while people write comes back whole, into a bucket, and the hospital goes on',
  async () => {
    const unfinished = await begin(person, world.ours.chatId, { bytes: 100 });
    await append(person, unfinished, Buffer.alloc(40), 0);
    const before = await say();
    const letter = await upload(person, world.ours.chatId, { bytes: pdf('Deleted meanwhile') });
    await keepGroupsFor30Days();
    const leaving = await say([letter]);
    const earlier = Number(
      (
        await world.server.db
          .selectFrom('messages')
          .select(({ fn }) => fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    );
    const writing = startWriters();
    await writing.began;
    // Somebody deletes a message while the backup reads files: the file goes, but not before the backup has it.
    let isDeleted = false;
    const files: FileStore = {
      ...filesOf(world.server),
      async read(name, range) {
        if (!isDeleted) {
          isDeleted = true;
          const address = `/api/chats/${world.ours.chatId}/messages/${leaving.id}/deletion`;
          expect((await person.send('PUT', address, { body: { reason: 'Wrong chat' } })).statusCode).toBe(200);
          await world.server.runJobs();
        }
        return filesOf(world.server).read(name, range);
      },
    };
    const made = await backUp('busy.backup', files).finally(writing.stop);
    expect(writing.acknowledged()).toBeGreaterThan(WRITERS);
    expect(isDeleted).toBe(true);
    // The rows of this world name two letters that were never stored: lost before the backup, and named by it.
    expect(made.manifest.faults).toEqual(
      lost.map((key) => ({ name: `attachments/${key.slice(0, 2)}/${key}/file.bin`, what: 'missing' })),
    );

    const database = await emptyDatabase();
    const { restored, dataDir } = await restoreTo('busy.backup', {
      connectionString: database.connectionString,
      files: bucket,
    });
    expect(restored).toMatchObject({ leftOut: [], migrated: [], appKey: TEST_APP_KEY });
    expect(await readFile(path.join(dataDir, 'secrets/app-key'), 'utf8')).toBe(`${TEST_APP_KEY}\n`);
    await grantAppRole(database.connectionString, APP_ROLE);
    await withClient(database.connectionString, async (client) => {
      const found = await contentsOf(client);
      const table = found
        .filter(({ table: name }) => !OTHERWISE.includes(name))
        .map(({ table: name, rows }) => ({
          table: name,
          rows,
          kept: made.manifest.tables.find((kept) => kept.name === name)?.rows,
        }));
      if (isNightly) process.stdout.write(formatTable(table));
      expect(table.filter(({ rows, kept }) => rows !== kept)).toEqual([]);
      // What was there before anybody wrote beside it, at least.
      expect(earlier).toBeGreaterThan(0);
      expect(table.find(({ table: name }) => name === 'messages')?.rows).toBeGreaterThanOrEqual(earlier);
      // One moment: no chat says that it holds more or less than it does.
      const { rows: chats } = await client.query(`
      select id from chats c where head_seq <> (select coalesce(max(seq), 0) from messages where chat_id = c.id)
        or head_seq <> (select count(*) from messages where chat_id = c.id)`);
      expect(chats).toEqual([]);
      // No number is given out twice.
      const { rows: sequences } = await client.query(`
      select sequencename, last_value from pg_sequences where schemaname = 'public'
        and last_value < (select max(id) from audit_entries) and sequencename like 'audit_entries%'`);
      expect(sequences).toEqual([]);
      expect(made.about.sequences.length).toBeGreaterThan(0);
      expect((await describeSchema(client)).sort()).toEqual((await withClient(source, describeSchema)).sort());
      // A legal hold that was placed since is not there, and there is time to place it again before anything is deleted.
      const { rows: rules } = await client.query(
        `select kind, mode, days, effective_at > now() + interval '23 hours' as waits from retention_rules where mode <> 'keep'`,
      );
      expect(rules).toEqual([{ kind: 'group', mode: 'delete', days: 30, waits: true }]);
    });

    const kept = { ...database, ...openBoth(database.connectionString, 4) };
    const server = await startTestServer({ kept: { database: kept, appKey: restored.appKey }, files: bucket });
    try {
      // Sign-ins of then hold no more; passwords do.
      expect(await statusOf(withCookiesOf(server, person))).toBe(401);
      const client = await guestWithCookies(server);
      expect((await postLogin(client, { email: world.ours.entitled.email })).statusCode).toBe(200);
      const around = `/api/chats/${world.ours.chatId}/messages?around=${before.seq}`;
      const { data: messages } = (await client.send('GET', around)).json();
      expect(messages.map(({ seq }: { seq: number }) => seq)).toContain(before.seq);
      const next = (
        await client.send('POST', `/api/chats/${world.ours.chatId}/messages`, {
          body: { client_id: randomUUID(), body: 'After' },
        })
      ).json();
      const { seq: last } = await sqlOne<{ seq: number }>(
        server,
        `select max(seq)::int as seq from messages where chat_id = '${world.ours.chatId}'`,
      );
      expect(next.seq).toBe(last);
      for (const id of sent) {
        const [there, here] = await Promise.all(
          [client, person].map((who) => who.send('GET', `/storage/attachments/${id}/file`)),
        );
        expect(there?.statusCode).toBe(200);
        expect(there?.rawPayload.equals(here?.rawPayload ?? Buffer.alloc(0))).toBe(true);
      }
      const rescued = await client.send('GET', `/storage/attachments/${letter}/file`);
      expect(rescued.rawPayload.equals(pdf('Deleted meanwhile'))).toBe(true);
      expect(await namesIn(bucket)).toHaveLength(made.manifest.files.count);
      const { received_bytes: received } = await sqlOne<{ received_bytes: string }>(
        server,
        `select received_bytes from attachments where id = '${unfinished}'`,
      );
      expect(Number(received)).toBe(0);
      await noteBackup(server.db, 'backup.restore', { made_at: made.about.made_at });
      await server.runAudit();
      const chain = await verifyChain(server.db, { appKey: Buffer.from(TEST_APP_KEY) });
      expect(chain).toMatchObject({ waiting: 0, tamperings: [] });
      expect(chain.entries).toBeGreaterThan(10);
    } finally {
      await server.close();
      await database.close();
    }
    // Here the file that was deleted meanwhile goes now that no backup runs.
    const left = (await namesIn(filesOf(world.server))).length;
    await sql`update jobs set run_at = now() where kind = 'chat.attachment.remove'`.execute(world.server.db);
    await world.server.runJobs();
    expect(await namesIn(filesOf(world.server))).toHaveLength(left - 1);
  },
  LIMIT_MS,
);

/** A rule that has been in force for long. */
async function keepGroupsFor30Days(): Promise<void> {
  const { db } = world.server;
  const facilityId = world.ours.facility.id;
  await sql`delete from retention_rules`.execute(db);
  await sql`insert into retention_policies (facility_id) values (${facilityId}) on conflict do nothing`.execute(db);
  await sql`
    insert into retention_rules (facility_id, kind, mode, days, effective_at)
    values (${facilityId}, 'group', 'delete', 30, now() - interval '90 days')`.execute(db);
}

function formatTable(
  rows: readonly { readonly table: string; readonly rows: number; readonly kept: number | undefined }[],
) {
  const lines = rows.map(
    ({ table, rows: back, kept }) => `${table.padEnd(32)} ${String(kept).padStart(8)} ${String(back).padStart(8)}`,
  );
  return `${['table                                kept     back', ...lines].join('\n')}\n`;
}

test.runIf(isNightly)(
  'OPS-8 OPS-10 R17 a backup out of a bucket comes back under a later build, every row and file as it was',
  async () => {
    const { db } = world.server;
    for (const name of await namesIn(filesOf(world.server))) {
      const bytes = await filesOf(world.server).get(name);
      if (bytes) await bucket.put(name, bytes);
    }
    await sql`update attachments set received_bytes = 0 where state = 'uploading'`.execute(db);
    await backUp('quiet.backup', bucket);
    const schema = path.join(folder, 'later build');
    await cp(SCHEMA, schema, { recursive: true });
    await writeFile(
      path.join(schema, 'migrations/9999_later.sql'),
      "alter table facilities add column later text not null default 'later'; update users set name = name || ' of later';",
    );
    const database = await emptyDatabase();
    try {
      const files = createDiskStore(path.join(folder, 'quiet'));
      const { restored } = await restoreTo('quiet.backup', {
        connectionString: database.connectionString,
        files,
        schema,
      });
      expect(restored).toMatchObject({ leftOut: [], migrated: ['9999_later'] });
      const before = await withClient(source, contentsOf);
      await withClient(database.connectionString, async (client) => {
        const { rows } = await client.query("select from users where name not like '% of later'");
        expect(rows).toEqual([]);
        await client.query('alter table facilities drop column later');
        await client.query("update users set name = replace(name, ' of later', '')");
        const after = await contentsOf(client);
        const compared = (contents: readonly Content[]) => contents.filter(({ table }) => !OTHERWISE.includes(table));
        expect(compared(after)).toEqual(compared(before));
        expect(after.find(({ table }) => table === 'schema_migrations')?.rows).toBe(
          (before.find(({ table }) => table === 'schema_migrations')?.rows ?? 0) + 1,
        );
      });
      const bytesOf = async (store: FileStore) =>
        Promise.all((await namesIn(store)).map(async (name) => [name, await store.get(name)] as const));
      const named = new Set((await bytesOf(files)).map(([name]) => name));
      expect(named.size).toBeGreaterThan(FILES);
      expect(await bytesOf(files)).toEqual((await bytesOf(bucket)).filter(([name]) => named.has(name)));
      // A build without that migration takes nothing of it.
      await expect(
        makeBackup(
          {
            connectionString: database.connectionString,
            files,
            keys: KEYS,
            appKey: TEST_APP_KEY,
            keepsAppKey: false,
          },
          path.join(folder, 'later.backup'),
        ).then(() => checkBackup(path.join(folder, 'later.backup'), { keys: KEYS, schema: SCHEMA })),
      ).rejects.toThrow('its migration 9999_later has no file here');
    } finally {
      await database.close();
    }
    expect(await readLastBackup(db)).toBeNull();
    await noteBackup(db, 'backup.make', { rows: 1 });
    await noteBackup(db, 'backup.restore', { rows: 1 });
    expect(Date.now() - ((await readLastBackup(db))?.getTime() ?? 0)).toBeLessThan(60_000);
  },
  LIMIT_MS,
);

async function namesIn(store: FileStore): Promise<string[]> {
  const found: string[] = [];
  for (const top of ['attachments', 'avatars', 'uploads'])
    for await (const { name } of store.list(top)) found.push(name);
  return found.sort();
}

function withCookiesOf(server: TestServer, { cookies }: TestClient): TestClient {
  return {
    cookies,
    send: (method, url) =>
      server.app.inject({
        method,
        url,
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      }),
  };
}

async function sqlOne<Row>({ db }: TestServer, text: string): Promise<Row> {
  const { rows } = await sql.raw<Row>(text).execute(db);
  const [row] = rows;
  if (!row) throw new Error('nothing was found');
  return row;
}

/** Some people who write without a pause until they are stopped. */
function startWriters() {
  let [acknowledged, isStopped] = [0, false];
  const write = async () => {
    while (!isStopped) {
      await say();
      acknowledged += 1;
    }
  };
  const all = Array.from({ length: WRITERS }, write);
  return {
    began: expect.poll(() => acknowledged).toBeGreaterThan(0),
    acknowledged: () => acknowledged,
    async stop() {
      isStopped = true;
      await Promise.all(all);
    },
  };
}
