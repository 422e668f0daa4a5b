import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directChatId, pairOf, roleChatId } from '#/features/chat/core/direct-pair.ts';
import { type FakeClamd, startFakeClamd } from '#/platform/malware/testing/fake-clamd.ts';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { append, pdf, TUS } from './testing/send-files.ts';

interface Person {
  readonly id: string;
  readonly client: TestClient;
}

let clamd: FakeClamd;
let server: TestServer;
let facility: MadeFacility;
let ana: Person;
let mira: Person;
let leila: Person;

beforeAll(async () => {
  clamd = await startFakeClamd();
  server = await startTestServer({ clamd: clamd.address });
  facility = await makeFacility(server.db, { name: 'St. Hedwig' });
});
afterAll(async () => {
  await server.close();
  await clamd.close();
});
beforeEach(async () => {
  [ana, mira, leila] = await Promise.all([person('Ana Reyes'), person('Mira Okafor'), person('Leila Haddad')]);
});
afterEach(() => {
  clamd.mood = 'well';
});

async function person(name: string): Promise<Person> {
  const { id } = await makeUser(server.db, { name });
  await makeMembership(server.db, { userId: id, facility, roles: ['clinician'] });
  return { id, client: await signedIn(server, id) };
}

const toPerson = ({ id }: { id: string }) => `/api/facilities/${facility.id}/members/${id}`;
const toRole = (id: string) => `/api/facilities/${facility.id}/on-call-roles/${id}`;
const begin = ({ client }: Person, to: string, bytes: Buffer, name = 'Letter.pdf') =>
  client.send('POST', `${to}/uploads`, {
    headers: {
      ...{ ...TUS, 'upload-length': String(bytes.length) },
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
/** The id of a file that is ready. */
async function give(from: Person, to: string, bytes = pdf('a letter')): Promise<string> {
  const begun = await begin(from, to, bytes);
  expect(begun.statusCode, begun.payload).toBe(201);
  expect((await append(from.client, begun.json().id, bytes, 0)).statusCode).toBe(204);
  return begun.json().id;
}
const write = ({ client }: Person, to: string, attachments: readonly string[], client_id = newId()) =>
  client.send('POST', `${to}/messages`, { body: { client_id, body: '', attachments } });
const chatsOf = async ({ client }: Person): Promise<Chat[]> =>
  (await client.send('GET', `/api/facilities/${facility.id}/chats`)).json().data;
const messagesOf = async ({ client }: Person, chat: string): Promise<Message[]> =>
  (await client.send('GET', `/api/chats/${chat}/messages`)).json().data;
const read = ({ client }: Person, id: string) => client.send('GET', `/storage/attachments/${id}/file`);
const row = (id: string) => server.db.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();
const leave = (who: Person) =>
  server.db
    .updateTable('memberships')
    .set({ ended_at: new Date() })
    .where('user_id', '=', who.id)
    .where('ended_at', 'is', null)
    .execute();

describe('a file of the first message to a person', () => {
  it('CHAT-14 CHAT-17 makes no chat until it is sent, and is read by the other then', async () => {
    const bytes = pdf('of two parts');
    const begun = await begin(ana, toPerson(mira), bytes, 'Brief Ä.pdf');
    const { id } = begun.json();
    expect([begun.statusCode, begun.headers.location]).toEqual([201, `/api/uploads/${id}`]);
    await append(ana.client, id, bytes.subarray(0, 5), 0);
    expect((await ana.client.send('GET', `/api/uploads/${id}`)).json()).toMatchObject({ offset: 5 });
    await append(ana.client, id, bytes.subarray(5), 5);
    expect([await chatsOf(ana), await chatsOf(mira)]).toEqual([[], []]);
    expect((await read(mira, id)).statusCode).toBe(404);

    const clientId = newId();
    const sent = await write(ana, toPerson(mira), [id], clientId);
    expect(sent.statusCode, sent.payload).toBe(201);
    const { chat, message } = sent.json();
    expect(message.attachments).toEqual([expect.objectContaining({ id, name: 'Brief Ä.pdf', kind: 'pdf' })]);
    expect(chat.id).toBe(directChatId(facility.id, pairOf(ana.id, mira.id)));
    const [heard] = await messagesOf(mira, chat.id);
    expect(heard?.attachments).toEqual(message.attachments);
    expect((await read(mira, id)).rawPayload).toEqual(bytes);
    expect((await read(leila, id)).statusCode).toBe(404);
    expect((await write(ana, toPerson(mira), [id], clientId)).json().message).toEqual(message);
    expect((await write(ana, toPerson(mira), [await give(ana, toPerson(mira))], clientId)).json().code).toBe(
      'client_id_reused',
    );
    const entry = (await auditOf(server, 'chat.attachment.begin', ana.id)).find(({ object_id }) => object_id === id);
    expect(entry).toMatchObject({ facility_id: facility.id, detail: { chat: chat.id, user: mira.id } });
  });

  it('CHAT-14 CHAT-17 of two who write first at the same moment each has theirs in the one chat', async () => {
    const [one, other] = [await give(ana, toPerson(mira)), await give(mira, toPerson(ana))];
    const answers = await Promise.all([write(ana, toPerson(mira), [one]), write(mira, toPerson(ana), [other])]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    const [chat] = answers.map((answer) => answer.json().chat.id);
    expect(answers.map((answer) => answer.json().chat.id)).toEqual([chat, chat]);
    const files = (await messagesOf(ana, chat)).flatMap(({ attachments }) => attachments?.map(({ id }) => id));
    expect(new Set(files)).toEqual(new Set([one, other]));
    expect([(await read(ana, other)).statusCode, (await read(mira, one)).statusCode]).toEqual([200, 200]);
  });

  it('CHAT-14 CHAT-17 goes with an ordinary message, where the other has written first meanwhile', async () => {
    const id = await give(ana, toPerson(mira));
    const first = (await write(mira, toPerson(ana), [await give(mira, toPerson(ana))])).json();
    const sent = await ana.client.send('POST', `/api/chats/${first.chat.id}/messages`, {
      body: { client_id: newId(), body: 'here', attachments: [id] },
    });
    expect(sent.statusCode, sent.payload).toBe(201);
    expect((await read(mira, id)).statusCode).toBe(200);
  });

  it('A16 A19 CHAT-14 is its sender’s alone until it is sent, and goes to nobody else', async () => {
    const id = await give(ana, toPerson(mira));
    for (const { client } of [mira, leila]) {
      expect((await client.send('GET', `/api/uploads/${id}`)).statusCode).toBe(404);
      expect((await append(client, id, Buffer.from('x'), 0)).statusCode).toBe(404);
      expect((await client.send('DELETE', `/api/uploads/${id}`, { headers: TUS })).statusCode).toBe(404);
    }
    const refused = await write(ana, toPerson(leila), [id]);
    expect([refused.statusCode, refused.json().errors?.attachments]).toEqual([
      422,
      ['A file is no longer there. Attach it again.'],
    ]);
    expect((await write(mira, toPerson(ana), [id])).statusCode).toBe(422);
    expect([await chatsOf(ana), await chatsOf(leila)]).toEqual([[], []]);
    expect((await write(ana, toPerson(mira), [id, id])).statusCode).toBe(422);
  });

  it('CHAT-14 CHAT-17 stops where the other has left, and goes on where they are back; nobody sends one to themselves', async () => {
    const bytes = pdf('to somebody who leaves');
    const { id } = (await begin(ana, toPerson(mira), bytes)).json();
    await leave(mira);
    expect((await append(ana.client, id, bytes, 0)).statusCode).toBe(404);
    expect((await begin(ana, toPerson(mira), bytes)).statusCode).toBe(404);
    await makeMembership(server.db, { userId: mira.id, facility, roles: ['clinician'] });
    expect((await append(ana.client, id, bytes, 0)).statusCode).toBe(204);
    expect((await write(ana, toPerson(mira), [id])).statusCode).toBe(201);
    expect((await begin(ana, toPerson(ana), bytes)).statusCode).toBe(422);
    await leave(ana);
    expect((await ana.client.send('GET', `/api/uploads/${id}`)).statusCode).toBe(404);
  });

  it('CHAT-14 CHAT-17 opens a chat again that was closed with the leaving of one of the two', async () => {
    const { chat } = (await write(ana, toPerson(mira), [await give(ana, toPerson(mira))])).json();
    await leave(mira);
    await makeMembership(server.db, { userId: mira.id, facility, roles: ['clinician'] });
    expect((await chatsOf(ana)).find(({ id }) => id === chat.id)?.state).toBe('closed');
    const id = await give(mira, toPerson(ana));
    expect((await write(mira, toPerson(ana), [id])).json().chat).toMatchObject({ id: chat.id, state: 'open' });
    expect((await read(ana, id)).statusCode).toBe(200);
  });

  it('A24 CHAT-14 leaves neither a row nor a chat where it is not sent in time, or taken back', async () => {
    const [late, back] = [await give(ana, toPerson(mira)), await give(ana, toPerson(mira))];
    expect((await ana.client.send('DELETE', `/api/uploads/${back}`, { headers: TUS })).statusCode).toBe(204);
    await server.db
      .updateTable('attachments')
      .set({ expires_at: new Date(0) })
      .where('id', '=', late)
      .execute();
    await sql`update jobs set run_at = now() - interval '1 s' where payload ->> 'attachment' = ${late}`.execute(
      server.db,
    );
    await server.runJobs();
    expect([await row(late), await row(back), await chatsOf(ana)]).toEqual([undefined, undefined, []]);
  });

  it('CHAT-14 is looked at for malware before and after there is a chat, as any other', async () => {
    clamd.mood = 'gone';
    const [early, sent] = [await give(ana, toPerson(mira)), await give(ana, toPerson(leila))];
    const { chat, message } = (await write(ana, toPerson(leila), [sent])).json();
    expect(message.attachments[0].held).toBe('checking');
    clamd.mood = 'well';
    await sql`update jobs set run_at = now() where kind = 'chat.attachment.scan'`.execute(server.db);
    await server.runJobs();
    expect([(await row(early))?.scan, (await row(sent))?.scan]).toEqual(['clean', 'clean']);
    expect((await messagesOf(leila, chat.id))[0]?.attachments?.[0]?.held).toBeUndefined();
  });

  it('CHAT-11 CHAT-14 is forwarded as any other', async () => {
    const id = await give(ana, toPerson(mira));
    const { chat, message } = (await write(ana, toPerson(mira), [id])).json();
    const other = await makeChat(server.db, { facilityId: facility.id, participants: [{ userId: ana.id }] });
    const forwarded = await ana.client.send('POST', `/api/chats/${other.id}/forwards`, {
      body: {
        ...{ client_id: newId(), source: { chat: chat.id, message: message.id } },
        device_time: new Date().toISOString(),
      },
    });
    expect(forwarded.statusCode, forwarded.payload).toBe(201);
    expect(await row(forwarded.json().attachments[0].id)).toMatchObject({
      ...{ copied_from: id, chat_id: other.id, made_chat_id: other.id, direct_user_id: null },
    });
  });
});

describe('a file of the first message to an on-call role', () => {
  it('CHAT-14 CHAT-18 is read by whoever holds it, once it is sent', async () => {
    const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Pharmacist ${newId()}` });
    const times = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 3_600_000) };
    await makeShift(server.db, { facilityId: facility.id, roleId, userId: mira.id, ...times });
    const id = await give(ana, toRole(roleId));
    expect(await row(id)).toMatchObject({ chat_id: roleChatId(facility.id, ana.id, roleId), made_chat_id: null });
    const sent = await write(ana, toRole(roleId), [id]);
    expect(sent.statusCode, sent.payload).toBe(201);
    await server.runRoles();
    expect((await read(mira, id)).statusCode).toBe(200);
    expect((await read(leila, id)).statusCode).toBe(404);
    await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', roleId).execute();
    expect((await begin(ana, toRole(roleId), pdf('x'))).statusCode).toBe(404);
  });
});
