import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { picture } from '#/platform/images/testing/pictures.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { ACTORS, type ActorName, clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { auditOf, guest, signedIn, type TestClient } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { pdf, TUS, upload } from './testing/send-files.ts';

let world: World;
let person: TestClient;
beforeAll(async () => {
  world = await makeWorld();
  person = await clientOf(world, 'with the right');
});
afterAll(() => world.server.close());
afterEach(() => void vi.useRealTimers());

const messagesOf = (chatId: string) => `/api/chats/${chatId}/messages`;

function say(client: TestClient, said: { body?: string; attachments?: readonly string[]; client_id?: string }) {
  const { body = '', client_id = randomUUID(), ...more } = said;
  return client.send('POST', messagesOf(world.ours.chatId), { body: { client_id, body, ...more } });
}

async function sendPicture(): Promise<{ id: string; message: Message }> {
  const bytes = await picture({ width: 600, height: 400, format: 'jpeg' });
  const id = await upload(person, world.ours.chatId, { bytes, name: 'wound.jpg' });
  const answer = await say(person, { attachments: [id] });
  expect(answer.statusCode, answer.payload).toBe(201);
  return { id, message: answer.json() };
}

const addressOf = (id: string, size = 'file') => `/storage/attachments/${id}/${size}`;
const get = (client: TestClient, id: string, size = 'file') => client.send('GET', addressOf(id, size));

describe('a message with files', () => {
  it('CHAT-14 is stored without a text, told to who has the chat open, listed, and named in the list of chats', async () => {
    const socket = await openSocket(world.server);
    await socket.join(await clientOf(world, 'reader of the chat'), `presence-chat.${world.ours.chatId}`);
    const letter = await upload(person, world.ours.chatId, { bytes: pdf('x'), name: 'Letter.pdf' });
    const bytes = await picture({ width: 60, height: 40, format: 'jpeg' });
    const photo = await upload(person, world.ours.chatId, { bytes, name: 'Photo.jpg' });
    const sent: Message = (await say(person, { attachments: [photo, letter] })).json();
    expect(sent.attachments).toEqual([
      {
        ...{ id: photo, kind: 'image', name: 'Photo.jpg', mime: 'image/jpeg', width: 60, height: 40 },
        ...{ bytes: expect.any(Number), blurhash: expect.stringMatching(/^L/) },
      },
      {
        ...{ id: letter, kind: 'pdf', name: 'Letter.pdf', mime: 'application/pdf', bytes: 10 },
        ...{ width: null, height: null, blurhash: null },
      },
    ]);
    await socket.settle();
    const told = socket.frames.filter(({ event }) => event === 'App\\Events\\MessageSent').map(({ data }) => data);
    expect(JSON.stringify(told)).toContain(photo);
    const reader = await clientOf(world, 'reader of the chat');
    const listed = await reader.send('GET', `${messagesOf(world.ours.chatId)}?after=${sent.seq - 1}`);
    expect(listed.json().data[0]).toEqual(sent);
    const chat = await reader.send('GET', `/api/chats/${world.ours.chatId}`);
    expect(chat.json().last_message.excerpt).toBe('2 files');
    expect((await say(person, {})).statusCode).toBe(422);
    socket.close();
  });

  it('CHAT-1 CHAT-14 that is repeated is stored once; with other files it is refused', async () => {
    const [one, other] = [
      await upload(person, world.ours.chatId, { bytes: pdf('1') }),
      await upload(person, world.ours.chatId, { bytes: pdf('2') }),
    ];
    const client_id = randomUUID();
    const first = await say(person, { client_id, body: 'Two pages', attachments: [one] });
    const again = await say(person, { client_id, body: 'Two pages', attachments: [one] });
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    for (const attachments of [[other], [], [one, other]]) {
      expect((await say(person, { client_id, body: 'Two pages', attachments })).statusCode).toBe(409);
    }
  });

  it('CHAT-14 A16 takes only files of its sender for this chat that are ready, and each once', async () => {
    const { server, ours, theirs } = world;
    const reading = await makeUser(server.db);
    await makeMembership(server.db, { userId: reading.id, facility: ours.facility, roles: ['clinician'] });
    const writer = { chat_id: ours.chatId, user_id: reading.id, facility_id: ours.facility.id, access: 'write' };
    await server.db.insertInto('chat_participants').values(writer).execute();
    const colleague = await signedIn(server, reading.id);
    const theirPerson = await signedIn(server, theirs.entitled.id);
    const used = (await sendPicture()).id;
    const cancelled = await upload(person, ours.chatId, { bytes: pdf('gone') });
    await person.send('DELETE', `/api/uploads/${cancelled}`, { headers: TUS });
    const unfinished = await person.send('POST', `/api/chats/${ours.chatId}/uploads`, {
      headers: { ...TUS, 'upload-length': '10' },
    });
    const wrong = {
      'that was sent': used,
      'of a colleague': await upload(colleague, ours.chatId, { bytes: pdf('theirs') }),
      'of another facility': await upload(theirPerson, theirs.chatId, { bytes: pdf('theirs') }),
      'that was cancelled': cancelled,
      'that is under way': unfinished.json().id,
      'that is none': randomUUID(),
    };
    for (const [what, id] of Object.entries(wrong)) {
      const mine = await upload(person, ours.chatId, { bytes: pdf('mine') });
      const answer = await say(person, { attachments: [mine, id] });
      expect([answer.statusCode, answer.json().errors], what).toEqual([
        422,
        { attachments: ['A file is no longer there. Attach it again.'] },
      ]);
      expect((await say(person, { attachments: [mine] })).statusCode, 'the other one can still be sent').toBe(201);
    }
    const mine = await upload(person, ours.chatId, { bytes: pdf('mine') });
    expect((await say(person, { attachments: [mine, mine] })).statusCode).toBe(422);
    const eleven = Array.from({ length: 11 }, () => randomUUID());
    expect((await say(person, { attachments: eleven })).statusCode).toBe(422);
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => say(person, { body: 'It', attachments: [mine] })));
    expect(atOnce.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422, 422]);
  });

  it('CHAT-14 a player is given the part that it asks for, and what cannot be read as one part is the whole', async () => {
    const bytes = pdf('0123456789');
    const id = await upload(person, world.ours.chatId, { bytes });
    expect((await say(person, { attachments: [id] })).statusCode).toBe(201);
    const part = async (range: string) => {
      const { statusCode, headers, rawPayload } = await person.send('GET', `/storage/attachments/${id}/file`, {
        headers: { range },
      });
      return [statusCode, headers['content-range'], headers['content-length'], rawPayload.toString()];
    };
    const size = bytes.length;
    const whole = [200, undefined, String(size), bytes.toString()];
    expect(await part('bytes=9-12')).toEqual([206, `bytes 9-12/${size}`, '4', '0123']);
    expect(await part(`bytes=${size - 2}-`)).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, '2', '89']);
    expect(await part('bytes=17-999')).toEqual([206, `bytes 17-${size - 1}/${size}`, '2', '89']);
    for (const range of ['bytes=0-', 'bytes=5-2', 'bytes=99-', 'bytes=-3', 'bytes=0-1,3-4', 'lines=1-2']) {
      expect(await part(range), range).toEqual(whole);
    }
    const entries = await auditOf(world.server, 'chat.attachment.download', world.ours.entitled.id);
    // However many parts were asked for, it is one reading.
    expect(entries.filter(({ object_id }) => object_id === id)).toHaveLength(1);
  });

  it('CHAT-11 CHAT-14 that is forwarded takes its files along, for who reads the other chat, until both are deleted', async () => {
    const { server, ours } = world;
    const { id, message } = await sendPicture();
    const colleague = await makeUser(server.db);
    await makeMembership(server.db, { userId: colleague.id, facility: ours.facility, roles: ['clinician'] });
    const participants = [{ userId: ours.entitled.id, access: 'manage' as const }, { userId: colleague.id }];
    const team = await makeChat(server.db, { facilityId: ours.facility.id, participants });
    const source = { chat: ours.chatId, message: message.id };
    const body = { client_id: randomUUID(), source };
    const answer = await person.send('POST', `/api/chats/${team.id}/forwards`, { body });
    expect(answer.statusCode, answer.payload).toBe(201);
    const forwarded: Message = answer.json();
    const copy = forwarded.attachments?.[0]?.id ?? '';
    expect(forwarded.attachments).toEqual([{ ...message.attachments?.[0], id: expect.any(String) }]);
    expect(copy).not.toBe(id);
    const other = await signedIn(server, colleague.id);
    expect((await get(other, copy)).rawPayload).toEqual((await get(person, id)).rawPayload);
    expect((await get(other, id)).statusCode, 'the original is not theirs').toBe(404);
    const remove = async ({ chat_id, id: message_id }: Message) => {
      await person.send('PUT', `${messagesOf(chat_id)}/${message_id}/deletion`, { body: { reason: 'Wrong patient' } });
      await server.runJobs();
    };
    await remove(message);
    expect((await get(person, id)).statusCode).toBe(404);
    expect((await get(other, copy)).statusCode).toBe(200);
    const late = await person.send('POST', `/api/chats/${team.id}/forwards`, {
      body: { ...body, client_id: randomUUID() },
    });
    expect(late.statusCode).toBe(422);
    const { key } = await server.db
      .selectFrom('attachments')
      .select('key')
      .where('id', '=', copy)
      .executeTakeFirstOrThrow();
    await remove(forwarded);
    const left = await readdir(server.filesRoot, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile() && entry.parentPath.includes(key))).toEqual([]);
  });

  it('CHAT-11 CHAT-14 that loses a file while it is being forwarded is not forwarded without it', async () => {
    const { server, ours } = world;
    const { id, message } = await sendPicture();
    const participants = [{ userId: ours.entitled.id, access: 'manage' as const }];
    const team = await makeChat(server.db, { facilityId: ours.facility.id, participants });
    const body = { client_id: randomUUID(), source: { chat: ours.chatId, message: message.id } };
    const { late } = await server.db.transaction().execute(async (tx) => {
      await tx.updateTable('attachments').set({ state: 'removed' }).where('id', '=', id).execute();
      const late = person.send('POST', `/api/chats/${team.id}/forwards`, { body });
      await untilBlocked(server.db, late);
      return { late };
    });
    const answer = await late;
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({ source: ['The message to forward was deleted.'] });
    expect((await person.send('GET', messagesOf(team.id))).json().data).toEqual([]);
  });

  it('CHAT-14 A19 that is deleted takes its files from everybody at once, and from the disk', async () => {
    const { server, ours } = world;
    const { id, message } = await sendPicture();
    const reader = await clientOf(world, 'reader of the chat');
    expect((await get(reader, id)).statusCode).toBe(200);
    const [signed] = await sign(reader, addressOf(id, 'small'));
    const found = server.db.selectFrom('attachments').select('key').where('id', '=', id);
    const { key } = await found.executeTakeFirstOrThrow();
    const address = `${messagesOf(ours.chatId)}/${message.id}/deletion`;
    const deleted = await person.send('PUT', address, { body: { reason: 'Wrong patient' } });
    expect(deleted.json().attachments).toBeUndefined();
    for (const size of ['file', 'large', 'small']) expect((await get(reader, id, size)).statusCode).toBe(404);
    expect((await guest(server).send('GET', signed ?? '')).statusCode).toBe(404);
    await server.runJobs();
    const left = await readdir(server.filesRoot, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile() && entry.parentPath.includes(key))).toEqual([]);
    const row = await server.db.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row).toMatchObject({ state: 'removed', message_id: message.id });
    const audit = await auditOf(server, 'chat.message.delete', ours.entitled.id);
    expect(audit[0]?.detail).toMatchObject({ files: [id] });
    const repeat = { client_id: message.client_id, attachments: [id] };
    expect((await say(person, repeat)).json().deleted).toMatchObject({ reason: 'Wrong patient' });
  });
});

const MAY: Readonly<Record<ActorName, number>> = {
  'signed out': 401,
  'of another facility': 404,
  operator: 404,
  'former member': 404,
  'member without right': 404,
  'reader of the chat': 200,
  'with the right': 200,
  'bearer with the right': 200,
};

async function sign(client: TestClient, ...addresses: string[]): Promise<(string | null)[]> {
  return (await client.send('POST', '/api/attachment-addresses', { body: { addresses } })).json().addresses;
}

describe('the address of a file', () => {
  it.each(ACTORS)('A16 A19 I1 answers who may read the message: %s', async (actor) => {
    const { id } = await sendPicture();
    const client = await clientOf(world, actor);
    for (const size of ['file', 'large', 'small']) {
      const answer = await get(client, id, size);
      expect(answer.statusCode).toBe(MAY[actor]);
      if (answer.statusCode !== 200) expect(answer.payload).not.toContain(world.ours.marker);
    }
    if (actor === 'signed out') return;
    const signed = await sign(client, addressOf(id, 'small'));
    expect(signed).toEqual([MAY[actor] === 200 ? expect.stringContaining('signature=') : null]);
  });

  it('A19 A20 gives the file to be kept, and a picture to be shown, never as a page', async () => {
    const { id } = await sendPicture();
    const file = await get(person, id);
    expect(file.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="wound.jpg"; filename*=UTF-8''wound.jpg`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    const small = await get(person, id, 'small');
    expect(small.headers).toMatchObject({ 'content-type': 'image/webp', 'content-disposition': 'inline' });
    const opened = await person.send('GET', addressOf(id, 'small'), { headers: { 'sec-fetch-dest': 'document' } });
    expect(opened.headers['content-disposition']).toContain('attachment; ');
    const name = 'Bericht "Ärzte" (1)\u2019.pdf';
    const letter = await upload(person, world.ours.chatId, { bytes: pdf('x'), name });
    await say(person, { attachments: [letter] });
    expect((await get(person, letter)).headers['content-disposition']).toBe(
      `attachment; filename="Bericht___rzte___1__.pdf"; filename*=UTF-8''Bericht%20%22%C3%84rzte%22%20%281%29%E2%80%99.pdf`,
    );
    expect((await get(person, letter, 'small')).statusCode).toBe(404);
    const audit = await auditOf(world.server, 'chat.attachment.download', world.ours.entitled.id);
    expect(audit.slice(0, 2).map(({ object_id }) => object_id)).toEqual([letter, id]);
  });

  it('A19 is of no file that is not sent, nor of one before who asks joined, nor after they left', async () => {
    const { server, ours } = world;
    const unsent = await upload(person, ours.chatId, { bytes: pdf('not yet') });
    expect((await get(person, unsent)).statusCode).toBe(404);
    const { id, message } = await sendPicture();
    const late = await makeUser(server.db);
    await makeMembership(server.db, { userId: late.id, facility: ours.facility });
    const place = { chat_id: ours.chatId, user_id: late.id, facility_id: ours.facility.id, access: 'read' };
    await server.db
      .insertInto('chat_participants')
      .values({ ...place, joined_seq: message.seq, delivered_seq: message.seq, read_seq: message.seq })
      .execute();
    const client = await signedIn(server, late.id);
    expect((await get(client, id)).statusCode).toBe(404);
    const next = (await sendPicture()).id;
    expect((await get(client, next)).statusCode).toBe(200);
    const [signed] = await sign(client, addressOf(next, 'large'));
    await person.send('DELETE', `/api/chats/${ours.chatId}/participants/${late.id}`);
    expect((await get(client, next)).statusCode).toBe(404);
    expect((await guest(server).send('GET', signed ?? '')).statusCode).toBe(404);
  });

  it('F-C3 A19 signed, is of one file, one size, one holder and one minute', async () => {
    const [{ id }, { id: other }] = [await sendPicture(), await sendPicture()];
    const bearer = await clientOf(world, 'bearer with the right');
    const [signed = '', none] = await sign(bearer, addressOf(id, 'small'), `${addressOf(id, 'small')}?x=1`);
    expect(none).toBeNull();
    const look = async (address: string) => (await guest(world.server).send('GET', address)).statusCode;
    const [, query = ''] = (signed ?? '').split('?');
    expect(await look(signed ?? '')).toBe(200);
    for (const wrong of [addressOf(id, 'large'), addressOf(other, 'small'), addressOf(id)]) {
      expect(await look(`${wrong}?${query}`)).toBe(403);
    }
    expect(await look(`${addressOf(id, 'small')}?holder=x`)).toBe(400);
    const endsAtMs = Number(/expires=(\d+)/.exec(query)?.[1]) * 1000;
    vi.useFakeTimers({ toFake: ['Date'], now: endsAtMs });
    expect(await look(signed ?? '')).toBe(403);
    vi.useRealTimers();
    await bearer.send('POST', '/logout');
    expect(await look(signed ?? '')).toBe(401);
  });

  it('CHAT-14 is looked up by keys, however many files there are', async () => {
    const { db } = world.server;
    await sql`
      insert into attachments (id, chat_id, facility_id, uploader_id, key, name, upload_bytes)
      select gen_random_uuid(), ${world.ours.chatId}, ${world.ours.facility.id}, ${world.ours.entitled.id},
        lpad(n::text, 22, '0'), 'x', 1 from generate_series(1, 20000) as n`.execute(db);
    await sql`analyze attachments`.execute(db);
    const plan = await sql<{ 'QUERY PLAN': string }>`
      explain select from attachments where message_id = gen_random_uuid() and state in ('uploading', 'ready')`.execute(
      db,
    );
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('attachments_message_idx');
  });
});
