import { randomUUID } from 'node:crypto';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { picture } from '#/platform/images/testing/pictures.ts';
import { eicar, type FakeClamd, startFakeClamd } from '#/platform/malware/testing/fake-clamd.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { auditOf, type TestClient } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { append, begin, pdf, TUS, upload } from './testing/send-files.ts';

let clamd: FakeClamd;
let world: World;
let person: TestClient;
let reader: TestClient;
beforeAll(async () => {
  clamd = await startFakeClamd();
  world = await makeWorld({
    clamd: clamd.address,
    attachments: { maxBytes: 2 * 1024 * 1024, kinds: ['pdf', 'image'] },
  });
  person = await clientOf(world, 'with the right');
  reader = await clientOf(world, 'reader of the chat');
});
afterAll(async () => {
  await world.server.close();
  await clamd.close();
});
afterEach(() => {
  clamd.mood = 'well';
  vi.useRealTimers();
});

const infected = (text: string) => Buffer.concat([pdf(text), eicar()]);
const row = (id: string) =>
  world.server.db.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();
const chatAddress = () => `/api/chats/${world.ours.chatId}`;
const messageOf = async (client: TestClient, seq: number): Promise<Message> =>
  (await client.send('GET', `${chatAddress()}/messages?after=${seq - 1}`)).json().data[0];
const get = (client: TestClient, id: string, size = 'file') => client.send('GET', `/storage/attachments/${id}/${size}`);

async function say(attachments: readonly string[], body = ''): Promise<Message> {
  const answer = await person.send('POST', `${chatAddress()}/messages`, {
    body: { client_id: randomUUID(), body, attachments },
  });
  expect(answer.statusCode, answer.payload).toBe(201);
  return answer.json();
}

/** Sent while nobody could look at it. */
async function sendUnchecked(bytes: Buffer, name?: string): Promise<{ id: string; message: Message }> {
  clamd.mood = 'gone';
  const id = await upload(person, world.ours.chatId, { bytes, name });
  const message = await say([id]);
  return { id, message };
}

/** The jobs that wait for a minute are due now. */
async function runLater(): Promise<void> {
  await sql`update jobs set run_at = now() where kind = 'chat.attachment.scan'`.execute(world.server.db);
  await world.server.runJobs();
}

describe('the look for malware', () => {
  it('CHAT-14 a clean file is given out, an infected one is refused with words, kept nowhere and noted', async () => {
    const clean = await upload(person, world.ours.chatId, { bytes: pdf('clean') });
    expect(await row(clean)).toMatchObject({ state: 'ready', scan: 'clean' });
    const [taken] = await auditOf(world.server, 'chat.attachment.upload', world.ours.entitled.id);
    expect(taken).toMatchObject({ object_id: clean, detail: { scan: 'clean' } });
    const sent = await say([clean]);
    expect(sent.attachments?.[0]?.held).toBeUndefined();
    expect((await get(reader, clean)).statusCode).toBe(200);
    const bytes = infected('bad');
    const id = await begin(person, world.ours.chatId, { bytes });
    const refused = await append(person, id, bytes, 0);
    expect([refused.statusCode, refused.json().message]).toEqual([
      422,
      'This file was held back: it may contain malware.',
    ]);
    await world.server.runJobs();
    expect(await row(id)).toBeUndefined();
    const [entry] = await auditOf(world.server, 'chat.attachment.refuse', world.ours.entitled.id);
    expect(entry).toMatchObject({
      ...{ outcome: 'refused', object_id: id },
      detail: { verdict: 'infected', signature: 'Eicar-Test-Signature' },
    });
  });

  it.each([
    ['sound', Buffer.from('fLaC')],
    ['an office document', Buffer.from('PK\u0003\u0004[Content_Types].xml word/document.xml')],
  ])('A20 CHAT-14 %s is refused where only other kinds are taken, with their names', async (_what, bytes) => {
    const id = await begin(person, world.ours.chatId, { bytes });
    const refused = await append(person, id, bytes, 0);
    expect([refused.statusCode, refused.json().message]).toEqual([
      422,
      'Files of this kind can’t be sent. You can send PDF, pictures (JPEG, PNG, WebP).',
    ]);
  });

  it('CHAT-14 a file that is too large to be looked at is refused', async () => {
    const bytes = pdf('x'.repeat(1_500_000));
    const id = await begin(person, world.ours.chatId, { bytes });
    const refused = await append(person, id, bytes, 0);
    expect([refused.statusCode, refused.json().message]).toEqual([
      422,
      'This file is too large to be checked for malware, and can’t be sent.',
    ]);
  });

  it('CHAT-14 A16 while nobody can look a file waits: it is sent, said to be checked, and given to nobody in any size', async () => {
    const bytes = await picture({ width: 600, height: 400, format: 'jpeg' });
    const { id, message } = await sendUnchecked(bytes, 'wound.jpg');
    expect(message.attachments?.[0]).toMatchObject({ id, held: 'checking' });
    for (const client of [person, reader]) {
      for (const size of ['file', 'large', 'small']) expect((await get(client, id, size)).statusCode).toBe(404);
      const addresses = ['file', 'large', 'small'].map((size) => `/storage/attachments/${id}/${size}`);
      const signed = await client.send('POST', '/api/attachment-addresses', { body: { addresses } });
      expect(signed.json().addresses).toEqual([null, null, null]);
    }
    const find = async () => (await reader.send('GET', '/api/search?types=files&q=wound')).json().files.length;
    expect(await find()).toBe(0);
    await runLater();
    expect((await row(id))?.scan).toBe('pending');
    const socket = await openSocket(world.server);
    await socket.join(reader, `presence-chat.${world.ours.chatId}`);
    clamd.mood = 'well';
    await runLater();
    expect((await row(id))?.scan).toBe('clean');
    expect((await messageOf(reader, message.seq)).attachments?.[0]?.held).toBeUndefined();
    for (const size of ['file', 'large', 'small']) expect((await get(reader, id, size)).statusCode).toBe(200);
    expect(await find()).toBe(1);
    await socket.settle();
    const told = socket.frames.filter(({ event }) => event === 'App\\Events\\MessageEdited');
    expect(JSON.stringify(told.at(-1)?.data)).toContain(id);
    const changed = await messageOf(reader, message.seq);
    expect([changed.edited_at, changed.version]).toEqual([undefined, undefined]);
    socket.close();
  });

  it('CHAT-14 what is found later is held back from its sender too, beside what is clean, and noted', async () => {
    clamd.mood = 'gone';
    const bad = await upload(person, world.ours.chatId, { bytes: infected('later'), name: 'Bad.pdf' });
    const good = await upload(person, world.ours.chatId, { bytes: pdf('later'), name: 'Good.pdf' });
    const message = await say([bad, good], 'two letters');
    clamd.mood = 'well';
    await runLater();
    const shown = await messageOf(reader, message.seq);
    expect(shown.attachments?.map(({ name, held }) => [name, held])).toEqual([
      ['Bad.pdf', 'malware'],
      ['Good.pdf', undefined],
    ]);
    expect([(await get(person, bad)).statusCode, (await get(person, good)).statusCode]).toEqual([404, 200]);
    const entries = await world.server.db
      .selectFrom('audit_entries')
      .select(['outcome', 'detail'])
      .where('action', '=', 'chat.attachment.scan')
      .where('object_id', 'in', [bad, good])
      .orderBy('outcome')
      .execute();
    expect(entries).toMatchObject([
      { outcome: 'done', detail: { verdict: 'clean' } },
      { outcome: 'refused', detail: { signature: 'Eicar-Test-Signature' } },
    ]);
  });

  it('CHAT-14 what waits or was held back is not forwarded', async () => {
    const { message } = await sendUnchecked(infected('forward'));
    const participants = [{ userId: world.ours.entitled.id, access: 'manage' as const }];
    const target = await makeChat(world.server.db, { facilityId: world.ours.facility.id, participants });
    const source = { chat: world.ours.chatId, message: message.id };
    const answer = await person.send('POST', `/api/chats/${target.id}/forwards`, {
      body: { client_id: randomUUID(), source },
    });
    expect([answer.statusCode, answer.payload]).toEqual([422, expect.stringContaining('checked for malware')]);
  });

  it('CHAT-14 a file that is found bad before it was sent is taken back, and one that was deleted stays so', async () => {
    clamd.mood = 'gone';
    const unsent = await upload(person, world.ours.chatId, { bytes: infected('unsent') });
    const { id, message } = await sendUnchecked(pdf('deleted'));
    const address = `${chatAddress()}/messages/${message.id}/deletion`;
    await person.send('PUT', address, { body: { reason: 'Wrong patient' } });
    clamd.mood = 'well';
    await runLater();
    await world.server.runJobs();
    expect((await person.send('GET', `/api/uploads/${unsent}`, { headers: TUS })).statusCode).toBe(404);
    expect(await row(unsent)).toBeUndefined();
    expect((await row(id))?.state).toBe('removed');
    const left = world.server.db.selectFrom('jobs').selectAll().where('kind', '=', 'chat.attachment.scan');
    expect(await left.where(sql`payload ->> 'attachment'`, '=', id).execute()).toEqual([]);
    expect((await messageOf(reader, message.seq)).attachments).toBeUndefined();
  });

  it('CHAT-14 what one look has found bad no other one lets through that began before', async () => {
    const { db } = world.server;
    const { id } = await sendUnchecked(pdf('twice'));
    clamd.mood = 'well';
    const { looked } = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('chats').select('id').where('id', '=', world.ours.chatId).forUpdate().execute();
      const looked = runLater();
      await untilBlocked(db, looked);
      await tx.updateTable('attachments').set({ scan: 'infected' }).where('id', '=', id).execute();
      return { looked };
    });
    await looked;
    expect((await row(id))?.scan).toBe('infected');
    expect((await get(reader, id)).statusCode).toBe(404);
  });

  it('OPS-9 /ready says whether files are checked, and how many wait', async () => {
    const ready = async () => (await world.server.app.inject({ method: 'GET', url: '/ready' })).json();
    const before = (await ready()).files_held;
    await sendUnchecked(pdf('waiting'));
    expect(await ready()).toMatchObject({ ready: true, files_held: before + 1 });
    const clock = vi.spyOn(performance, 'now');
    // The look of a moment ago counts for ten seconds.
    clock.mockReturnValue(performance.now() + 10_001);
    await expect.poll(async () => (await ready()).malware_check).toBe(false);
    clock.mockRestore();
  });
});
