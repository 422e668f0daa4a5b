import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pdf, upload } from '#/features/chat/attachments/testing/send-files.ts';
import { attachmentFile } from '#/features/chat/index.ts';
import { type FakeS3, startFakeS3 } from '#/platform/files/s3/testing/fake-s3.ts';
import { createLog } from '#/platform/log.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { signedIn } from '#/testing/test-client.ts';
import { startTestServer } from '#/testing/test-server.ts';
import { localFiles, openFileStore, openServedFiles } from './open-file-store.ts';

const log = createLog('silent');

let world: World;
let s3: FakeS3;
let dataDir: string;
beforeEach(async () => {
  world = await makeWorld();
  s3 = await startFakeS3();
  dataDir = mkdtempSync(path.join(tmpdir(), 'wardline-files-'));
});
afterEach(async () => {
  await world.server.close();
  await s3.close();
  rmSync(dataDir, { recursive: true });
});

const serve = (given: FakeS3['settings'] | null = s3.settings) =>
  openServedFiles({ dataDir, s3: given }, world.server.walled, log);

it('OPS-5 a bucket that a newest file of the data folder was not copied to ends the start; once it is there, the folder is left for good', async () => {
  const person = await signedIn(world.server, world.ours.entitled.id);
  const id = await upload(person, world.ours.chatId, { bytes: pdf('Letter') });
  const { key } = await world.server.db
    .selectFrom('attachments')
    .select('key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const name = attachmentFile(key, 'file');
  const folder = localFiles({ dataDir });
  await folder.put(name, pdf('Letter'));

  await expect(serve()).rejects.toThrow(
    /^Of the 100 newest files 1 are in .*files and not in the bucket of S3_BUCKET\.\nCopy them first/,
  );
  expect(await (await openFileStore({ dataDir, s3: null }, log)).size(name)).not.toBeNull();

  s3.fail(
    /^PUT /,
    ...Array<{ kind: 'status'; status: number; code: string }>(4).fill({
      kind: 'status',
      status: 503,
      code: 'SlowDown',
    }),
  );
  await serve();
  expect(await (await openFileStore({ dataDir, s3: null }, log)).size(name)).not.toBeNull();

  const bucket = await openFileStore({ dataDir, s3: s3.settings }, log);
  await bucket.put(name, pdf('Letter'));
  await serve();
  const said =
    /^S3_BUCKET is not set\. The files of this installation have been in the bucket ward-files\/ours\/ since 20/;
  await expect(serve(null)).rejects.toThrow(said);
  await expect(openFileStore({ dataDir, s3: null }, log)).rejects.toThrow(said);
  expect(readFileSync(path.join(dataDir, 'bucket.json'), 'utf8')).not.toContain(s3.settings.secretAccessKey);
});

it('OPS-5 a bucket is marked by the installation that keeps files there: another one, or one that begins, is refused', async () => {
  const name = `${s3.settings.prefix}installation.json`;
  const open = (db = world.server.walled) => openServedFiles({ dataDir, s3: s3.settings }, db, log);
  const begun = await startTestServer();
  await open(begun.walled);
  expect([...s3.objects.keys()]).toEqual([]);
  await open();
  // By which account it was marked first does not matter later: a clock that was wrong gives a new one an earlier number.
  const earlier = await makeUser(world.server.db);
  const id = '00000000-0000-7000-8000-000000000000';
  await world.server.db.updateTable('users').set({ id }).where('id', '=', earlier.id).execute();
  await open();
  expect([...s3.objects.keys()]).toEqual([name]);
  const said = /^The bucket ward-files\/ours\/ keeps the files of another installation[\s\S]+ours\/installation\.json$/;
  await expect(open(begun.walled)).rejects.toThrow(said);
  await begun.close();
  const other = await makeWorld();
  await expect(open(other.server.walled)).rejects.toThrow(said);
  s3.objects.delete(name);
  await open(other.server.walled);
  await expect(open()).rejects.toThrow(said);
  await other.server.close();
});
