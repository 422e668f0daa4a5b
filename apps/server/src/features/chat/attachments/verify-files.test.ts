import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDiskStore } from '#/platform/files/file-store.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { picture } from '#/platform/images/testing/pictures.ts';
import { createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import type { TestClient } from '#/testing/test-client.ts';
import { attachmentFile } from './attachment-store.ts';
import { countDamagedFiles, noteDamage } from './damaged-files.ts';
import { pdf, upload } from './testing/send-files.ts';
import { beginVerification, giveMended, VERIFY_JOB, verifyFiles } from './verify-files.ts';

let world: World;
let person: TestClient;
beforeAll(async () => {
  world = await makeWorld();
  person = await clientOf(world, 'with the right');
});
afterAll(() => world.server.close());

const errors: unknown[] = [];
const log = Object.assign(createLog('silent'), { error: (said: unknown) => void errors.push(said) });
beforeEach(async () => {
  errors.length = 0;
  await sql`delete from file_verifications`.execute(world.server.db);
  await sql`delete from damaged_files`.execute(world.server.db);
  await sql`delete from attachments`.execute(world.server.db);
});

const SUNDAY = new Date('2026-11-22T02:15:00Z');
const WEEK_MS = 7 * 86_400_000;
const mend = () => giveMended({ db: world.server.db, log, files: createDiskStore(world.server.filesRoot) });
const begin = (now = SUNDAY) => beginVerification({ db: world.server.db, log }, now);

/** All of a week's run, in jobs of this size. */
async function verify(
  now = SUNDAY,
  batch = { files: 100, bytes: 1_000_000 },
  files = createDiskStore(world.server.filesRoot),
) {
  await begin(now);
  const handlers = { [VERIFY_JOB]: verifyFiles({ files, batch }) };
  const jobs = createJobs({ db: world.server.db, log, handlers });
  let count = 0;
  for (let ran = 1; ran > 0; count += ran) ran = await jobs.runDue();
  const run = await world.server.db
    .selectFrom('file_verifications')
    .selectAll()
    .orderBy('week', 'desc')
    .executeTakeFirstOrThrow();
  return { jobs: count, files: run.files, isFinished: run.finished_at !== null };
}

interface Sent {
  readonly id: string;
  readonly key: string;
}

async function send(bytes: Buffer, name: string): Promise<Sent> {
  const id = await upload(person, world.ours.chatId, { bytes, name });
  const body = { client_id: randomUUID(), body: '', attachments: [id] };
  const said = await person.send('POST', `/api/chats/${world.ours.chatId}/messages`, { body });
  expect(said.statusCode, said.payload).toBe(201);
  const { key } = await world.server.db
    .selectFrom('attachments')
    .select('key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, key };
}

const placeOf = ({ key }: Sent, size: 'file' | 'large' = 'file') =>
  path.join(world.server.filesRoot, attachmentFile(key, size));

async function flipByte(file: Sent, at = 12): Promise<void> {
  const bytes = await readFile(placeOf(file));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(placeOf(file), bytes);
}

const get = (id: string, headers = {}) => person.send('GET', `/storage/attachments/${id}/file`, { headers });
const statusOf = async ({ id }: Sent) => (await get(id)).statusCode;
const damaged = () => countDamagedFiles(world.server.db);

async function audited(action: string) {
  const rows = await world.server.db
    .selectFrom('audit_entries')
    .select(['facility_id', 'object_id', 'detail'])
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .execute();
  return rows;
}

describe('R22 the weekly reading of stored files', () => {
  it('finds nothing where all is as it was stored, once a week, from Sunday at two', async () => {
    await send(pdf('whole'), 'whole.pdf');
    await send(await picture({ width: 60, height: 40, format: 'jpeg' }), 'wound.jpg');
    expect(await verify()).toEqual({ jobs: 1, files: 2, isFinished: true });
    for (const days of [0, 1, 6]) expect((await verify(new Date(SUNDAY.getTime() + days * 86_400_000))).jobs).toBe(0);
    expect((await verify(new Date(SUNDAY.getTime() + WEEK_MS - 16 * 60_000))).jobs).toBe(0);
    expect((await verify(new Date(SUNDAY.getTime() + WEEK_MS))).jobs).toBe(1);
    expect([await damaged(), errors]).toEqual([0, []]);
  });

  it('tells of a flipped byte and of a file that is gone, in the log and the audit; nobody is given either', async () => {
    const [changed, gone, fine] = [
      await send(pdf('a'.repeat(99)), 'a.pdf'),
      await send(pdf('b'), 'b.pdf'),
      await send(pdf('c'), 'c.pdf'),
    ];
    const photo = await send(await picture({ width: 600, height: 400, format: 'jpeg' }), 'wound.jpg');
    await flipByte(changed);
    await rm(placeOf(gone));
    await rm(placeOf(photo, 'large'));
    await verify();
    expect(await damaged()).toBe(3);
    expect(errors).toContainEqual({
      ...{ facility: world.ours.facility.id, attachment: changed.id },
      ...{ file: attachmentFile(changed.key, 'file'), damage: 'changed' },
    });
    const said = await audited('chat.attachment.damage');
    expect(said).toHaveLength(3);
    expect(said).toContainEqual({
      facility_id: world.ours.facility.id,
      object_id: gone.id,
      detail: { damage: 'missing' },
    });
    expect(await Promise.all([changed, gone, photo, fine].map(statusOf))).toEqual([404, 404, 404, 200]);
    expect((await get(changed.id, { range: 'bytes=0-3' })).statusCode).toBe(404);
    await verify(new Date(SUNDAY.getTime() + WEEK_MS));
    expect(await audited('chat.attachment.damage')).toHaveLength(3);
  });

  it('gives a file again that was brought back from a backup, and says so', async () => {
    const file = await send(pdf('kept elsewhere'), 'kept.pdf');
    const bytes = await readFile(placeOf(file));
    await flipByte(file);
    await verify();
    await mend();
    expect([await damaged(), await statusOf(file)]).toEqual([1, 404]);
    await writeFile(placeOf(file), bytes);
    await mend();
    expect([await damaged(), await statusOf(file)]).toEqual([0, 200]);
    await flipByte(file);
    await verify(new Date(SUNDAY.getTime() + WEEK_MS));
    expect(await damaged()).toBe(1);
    await writeFile(placeOf(file), bytes);
    await verify(new Date(SUNDAY.getTime() + 2 * WEEK_MS));
    expect([await damaged(), await statusOf(file)]).toEqual([0, 200]);
    const mended = (await audited('chat.attachment.mend')).filter(({ object_id }) => object_id === file.id);
    expect(mended).toHaveLength(2);
  });

  it('goes on in small steps, by files and by bytes, and a step that is done again does no harm', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await send(pdf(name), `${name}.pdf`);
    expect(await verify(SUNDAY, { files: 2, bytes: 1_000_000 })).toEqual({ jobs: 3, files: 5, isFinished: true });
    const next = new Date(SUNDAY.getTime() + WEEK_MS);
    expect(await verify(next, { files: 100, bytes: 1 })).toEqual({ jobs: 5, files: 5, isFinished: true });
    const handler = verifyFiles({ files: createDiskStore(world.server.filesRoot) });
    const context = { db: world.server.db, log, jobId: 'again' };
    await handler({ week: '2026-11-29', after: null }, context as never);
    const run = await world.server.db
      .selectFrom('file_verifications')
      .select('files')
      .orderBy('week', 'desc')
      .executeTakeFirst();
    expect(run?.files).toBe(5);
  });

  it('takes a store that does not answer for no damage, and a deleted file for no loss', async () => {
    const file = await send(pdf('deleted soon'), 'soon.pdf');
    const silent = {
      ...createDiskStore(world.server.filesRoot),
      read: () => Promise.reject(new Error('ECONNREFUSED')),
    };
    expect(await verify(SUNDAY, { files: 100, bytes: 1_000_000 }, silent)).toMatchObject({
      files: 0,
      isFinished: false,
    });
    expect(await damaged()).toBe(0);
    await flipByte(file);
    await verify(new Date(SUNDAY.getTime() + WEEK_MS));
    expect(await damaged()).toBe(1);
    await mend();
    expect(await damaged()).toBe(1);
    await sql`update attachments set state = 'removing' where id = ${file.id}`.execute(world.server.db);
    await rm(placeOf(file));
    await mend();
    expect(await damaged()).toBe(0);
    // Who asked just before it was deleted finds nothing damaged either.
    const write = createJobWrite({ db: world.server.db, log, jobId: 'served' });
    await noteDamage({ write, log }, file.key, 'missing');
    expect(await damaged()).toBe(0);
  });
});

describe('R22 a file that was changed since', () => {
  it('is not given to who asks before anybody has looked, and is known from then on', async () => {
    const file = await send(pdf('changed in between'), 'changed.pdf');
    await flipByte(file);
    const answer = await get(file.id);
    expect([answer.statusCode, answer.payload.includes('PDF')]).toEqual([404, false]);
    expect(await damaged()).toBe(1);
    expect((await audited('chat.attachment.damage'))[0]).toMatchObject({ object_id: file.id });
  });

  it('that is gone is known from then on as well', async () => {
    const photo = await send(await picture({ width: 600, height: 400, format: 'jpeg' }), 'wound.jpg');
    await rm(placeOf(photo, 'large'));
    const large = () => person.send('GET', `/storage/attachments/${photo.id}/large`);
    expect((await large()).statusCode).toBe(404);
    expect([await damaged(), await statusOf(photo)]).toEqual([1, 404]);
  });

  it('ends before its last part where it is long', async () => {
    const file = await send(pdf('x'.repeat(300_000)), 'long.pdf');
    await flipByte(file, 200_000);
    await expect(get(file.id)).rejects.toThrow();
    expect(await damaged()).toBe(1);
    expect(await statusOf(file)).toBe(404);
  });
});
