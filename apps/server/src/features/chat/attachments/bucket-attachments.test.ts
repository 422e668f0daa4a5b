import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyFiles } from '#/app/commands/files-command.ts';
import { createDiskStore } from '#/platform/files/file-store.ts';
import { createS3Store, type S3Store } from '#/platform/files/s3/s3-store.ts';
import { type FakeS3, startFakeS3 } from '#/platform/files/s3/testing/fake-s3.ts';
import { picture } from '#/platform/images/testing/pictures.ts';
import { createLog } from '#/platform/log.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { append, begin, pdf, TUS, upload } from './testing/send-files.ts';

const LIMITS = { silenceMs: 2_000, bytesPerMs: 512, tries: 2, pauseMs: 1 };

let s3: FakeS3;
let stores: S3Store[];
let world: World;
let second: TestServer;
let person: TestClient;
let elsewhere: TestClient;
beforeAll(async () => {
  s3 = await startFakeS3({ pageSize: 100 });
  stores = [1, 2].map(() => createS3Store(s3.settings, createLog('silent'), LIMITS));
  const [files, others] = stores;
  if (files === undefined || others === undefined) throw new Error('two stores were opened');
  const attachments = { maxBytes: 20 * 1024 * 1024, kinds: ['pdf', 'image'] as const };
  world = await makeWorld({ files, attachments });
  // Another server over the same database and the same bucket.
  const { db, walled } = world.server;
  const database = { db, walled, close: async () => undefined } as never;
  second = await startTestServer({ kept: { database, appKey: TEST_APP_KEY }, files: others, attachments });
  person = await clientOf(world, 'with the right');
  elsewhere = await signedIn(second, world.ours.entitled.id);
});
afterAll(async () => {
  await second.close();
  await world.server.close();
  for (const store of stores) store.close();
  await s3.close();
});

const keyOf = async (id: string) => {
  const found = await world.server.db.selectFrom('attachments').select('key').where('id', '=', id).executeTakeFirst();
  return found?.key ?? 'none';
};
const stored = async (id: string) => {
  const key = await keyOf(id);
  return [...s3.objects.keys()].filter((name) => name.includes(key)).sort();
};
const say = (client: TestClient, attachments: readonly string[]) =>
  client.send('POST', `/api/chats/${world.ours.chatId}/messages`, {
    body: { client_id: randomUUID(), body: '', attachments },
  });
const get = (client: TestClient, id: string, headers: Record<string, string> = {}) =>
  client.send('GET', `/storage/attachments/${id}/file`, { headers });

describe('files of messages in a bucket', () => {
  it('CHAT-14 OPS-5 an upload goes on at another server, of what the first acknowledged nothing is lost', async () => {
    const bytes = Buffer.concat([pdf(''), randomBytes(9 * 1024 * 1024)]);
    const [one, two] = [2_000_001, 5_000_000];
    const id = await begin(person, world.ours.chatId, { bytes });
    expect((await append(person, id, bytes.subarray(0, one), 0)).statusCode).toBe(204);
    expect((await append(elsewhere, id, bytes.subarray(one, two), one)).statusCode).toBe(204);
    const wrong = await append(person, id, bytes.subarray(one), one);
    expect([wrong.statusCode, wrong.headers['upload-offset']]).toEqual([409, String(two)]);
    const [, others] = stores;
    const put = vi.spyOn(others as S3Store, 'put');
    expect((await append(elsewhere, id, bytes.subarray(two), two)).statusCode).toBe(204);
    expect(Buffer.isBuffer(put.mock.lastCall?.[1])).toBe(false);
    const key = await keyOf(id);
    expect(await stored(id)).toEqual([`ours/attachments/${key.slice(0, 2)}/${key}/file.bin`]);
    expect((await say(person, [id])).statusCode).toBe(201);
    const whole = await get(elsewhere, id);
    expect(createHash('sha256').update(whole.rawPayload).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
    const part = await get(person, id, { range: 'bytes=100-299' });
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 100-299/${bytes.length}`]);
    expect(part.rawPayload.equals(bytes.subarray(100, 300))).toBe(true);
  });

  it('CHAT-14 OPS-5 is answered 503 while the bucket fails, keeps what arrived, and goes on after it', async () => {
    const bytes = pdf('x'.repeat(50_000));
    const id = await begin(person, world.ours.chatId, { bytes });
    await append(person, id, bytes.subarray(0, 20_000), 0);
    const down = { kind: 'status', status: 503, code: 'SlowDown' } as const;
    s3.fail(/^PUT/, down, down);
    const failed = await append(person, id, bytes.subarray(20_000), 20_000);
    expect([failed.statusCode, failed.headers['retry-after']]).toEqual([503, '5']);
    const head = await person.send('GET', `/api/uploads/${id}`, { headers: TUS });
    expect(head.json()).toMatchObject({ state: 'uploading', offset: 20_000 });
    expect((await append(person, id, bytes.subarray(20_000), 20_000)).statusCode).toBe(204);
    expect((await person.send('GET', `/api/uploads/${id}`, { headers: TUS })).json().state).toBe('ready');
  });

  it('CHAT-14 pictures have their three sizes there, and the bucket forgets what was deleted', async () => {
    const bytes = await picture({ width: 600, height: 400, format: 'jpeg' });
    const id = await upload(person, world.ours.chatId, { bytes, name: 'wound.jpg' });
    const sent = await say(person, [id]);
    expect((await stored(id)).map((name) => path.basename(name))).toEqual(['file.bin', 'large.bin', 'small.bin']);
    expect((await elsewhere.send('GET', `/storage/attachments/${id}/small`)).statusCode).toBe(200);
    const address = `/api/chats/${world.ours.chatId}/messages/${sent.json().id}/deletion`;
    expect((await person.send('PUT', address, { body: { reason: 'wrong patient' } })).statusCode).toBe(200);
    await world.server.runJobs();
    expect(await stored(id)).toEqual([]);
  });
});

it('OPS-5 the files of a folder are copied to a bucket, compared, and those of nobody stay behind', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'wardline-copy-'));
  const folder = createDiskStore(root);
  const [bucket] = stores;
  if (bucket === undefined) throw new Error('a store was opened');
  const said: string[] = [];
  const copying = { db: world.server.db, folder, bucket, say: (line: string) => void said.push(line) };
  const id = await upload(person, world.ours.chatId, { bytes: pdf('to be copied') });
  const unfinished = await begin(person, world.ours.chatId, { bytes: 1_000 });
  const [key, part] = [await keyOf(id), await keyOf(unfinished)];
  const name = `attachments/${key.slice(0, 2)}/${key}/file.bin`;
  await folder.put(name, pdf('to be copied'));
  await folder.put('attachments/no/nobodys_nobodys_nobody/file.bin', pdf('nobody’s'));
  await folder.append(`uploads/${part.slice(0, 2)}/${part}.part`, 0, [Buffer.from('%PDF-1.7')] as never);
  await bucket.remove(name);
  expect(await copyFiles(copying, 'compare')).toMatchObject({ copied: 0, same: 0, left: 1, wrong: 2 });
  expect(said).toEqual([`${name} is missing.`]);
  expect(await copyFiles(copying, 'copy')).toMatchObject({ copied: 2, same: 0, left: 1, wrong: 0 });
  expect(await copyFiles(copying, 'copy')).toMatchObject({ copied: 1, same: 1, left: 1, wrong: 0 });
  expect(String(await bucket.get(name))).toBe('%PDF-1.7\nto be copied');
  await bucket.put(name, pdf('to be Copied'));
  expect(await copyFiles(copying, 'compare')).toMatchObject({ wrong: 1 });
  expect(said.at(-1)).toBe(`${name} differs.`);
  await rm(root, { recursive: true, force: true });
});

it('OPS-5 a copy takes along what is to be removed and may be on legal hold, counts what is neither here nor there, and says where it was broken off', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'wardline-copy-'));
  const folder = createDiskStore(root);
  const [bucket] = stores;
  if (bucket === undefined) throw new Error('a store was opened');
  const copying = { db: world.server.db, folder, bucket, say: () => undefined };
  const [held, lost] = await Promise.all(
    ['held', 'lost'].map(async (text) => keyOf(await upload(person, world.ours.chatId, { bytes: pdf(text) }))),
  );
  const nameOf = (key = '') => `attachments/${key.slice(0, 2)}/${key}/file.bin`;
  const before = await copyFiles(copying, 'compare');
  await world.server.db
    .updateTable('attachments')
    .set({ state: 'removing' })
    .where('key', '=', held ?? '')
    .execute();
  await folder.put(nameOf(held), pdf('held'));
  for (const key of [held, lost]) await bucket.remove(nameOf(key));
  expect(await copyFiles(copying, 'copy')).toEqual({
    copied: 1,
    same: 0,
    left: 0,
    wrong: 0,
    missing: before.missing + 1,
  });
  expect(String(await bucket.get(nameOf(held)))).toContain('held');
  await folder.put(nameOf(lost), pdf('lost'));
  s3.fail(/^PUT/, { kind: 'refused' }, { kind: 'refused' });
  await expect(copyFiles(copying, 'copy')).rejects.toThrow(
    /^The object storage does not answer any more \(E[A-Z]+\)\. Run it again/,
  );
  expect(await copyFiles(copying, 'copy')).toMatchObject({ copied: 1, same: 1, missing: before.missing });
  await rm(root, { recursive: true, force: true });
});
