import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pdf, upload } from '#/features/chat/attachments/testing/send-files.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { createNoteReads } from '#/platform/http/note-reads.ts';
import { createLog } from '#/platform/log.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { sampleOf, sendSample } from '#/testing/samples/contract-samples.ts';
import { makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';

let world: World;
let person: TestClient;
let chatId: string;
beforeAll(async () => {
  world = await makeWorld();
  person = await signedIn(world.server, world.ours.entitled.id);
});
afterAll(() => world.server.close());
beforeEach(async () => {
  chatId = await newChat();
});

const newChat = async () => {
  const { facility, entitled, reader } = world.ours;
  const made = await makeChat(world.server.db, {
    ...{ facilityId: facility.id, kind: 'case', patient: { name: `Edith ${randomUUID()}`, identifier: randomUUID() } },
    participants: [{ userId: entitled.id }, { userId: reader.id }],
    messages: [{ senderId: reader.id, body: 'Potassium is 5.2' }],
  });
  return made.id;
};

/** The readings of a chat and of what belongs to it. */
const readings = () =>
  world.server.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', 'in', ['chat.read', 'chat.found', 'chat.attachment.view', 'chat.attachment.download'])
    .where(sql<boolean>`(object_id = ${chatId} or detail ->> 'chat' = ${chatId})`)
    .orderBy('id')
    .execute();
const actions = async () => (await readings()).map(({ action }) => action);
const messages = (query = '') => person.send('GET', `/api/chats/${chatId}/messages${query}`);

test('F-S4 ADM-3 who opens a chat is named, before the answer, with where from and nothing of what it says', async () => {
  expect((await messages()).statusCode).toBe(200);
  const [entry, ...more] = await readings();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    ...{ actor_id: world.ours.entitled.id, facility_id: world.ours.facility.id, action: 'chat.read', outcome: 'done' },
    ...{ object_type: 'chat', object_id: chatId, detail: null, request_id: expect.any(String), ip: expect.any(String) },
    session_hash: expect.any(Buffer),
  });
  expect(JSON.stringify(entry)).not.toMatch(/Potassium|Edith/);
});

test('F-S4 of a quarter of an hour a person’s reading is one entry, and the next quarter has its own', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T10:14:50Z') });
  try {
    for (const query of ['', '?limit=1', '?after=0', '?around=1', '?changed_after=0']) await messages(query);
    await Promise.all([1, 2, 3].map(() => messages()));
    expect((await person.send('GET', `/api/chats/${chatId}/pins`)).statusCode).toBe(200);
    expect(await actions()).toEqual(['chat.read']);
    vi.setSystemTime(new Date('2026-11-23T10:15:01Z'));
    await messages();
    expect(await actions()).toEqual(['chat.read', 'chat.read']);
  } finally {
    vi.useRealTimers();
  }
});

test('F-S4 several servers note the same reading once', async () => {
  const { db } = world.server;
  const credential = { kind: 'session', key: 'ab'.repeat(32), abilities: ['*'] } as const;
  const actor = { ...({ userId: world.ours.member.id } as Actor), credential };
  const subject = { facilityId: world.ours.facility.id, objectType: 'chat', objectId: chatId };
  const reader = { actor, http: { requestId: 'r', ip: '192.0.2.7' } };
  const servers = [1, 2, 3, 4].map(() => createNoteReads(db, createLog('silent')));
  await Promise.all(servers.map((noteReads) => noteReads(reader, 'chat.read', [subject, subject])));
  expect(await actions()).toEqual(['chat.read']);
});

test('F-S4 who reads on in an open chat is named by the marker that rises', async () => {
  await person.send('PUT', `/api/chats/${chatId}/markers`, { body: { delivered_seq: 1 } });
  expect(await actions()).toEqual([]);
  const raised = await person.send('PUT', `/api/chats/${chatId}/markers`, { body: { read_seq: 1 } });
  expect(raised.statusCode, raised.payload).toBe(200);
  expect(await actions()).toEqual(['chat.read']);
});

test('F-S4 what a search finds of a chat is told as found', async () => {
  await sql`update messages set body = ${`Lactate ${chatId}`} where chat_id = ${chatId}`.execute(world.server.db);
  const found = await person.send('GET', `/api/search?q=${chatId}`);
  expect(found.json().data).toHaveLength(1);
  expect(await actions()).toEqual(['chat.found']);
});

test('F-S4 CHAT-15 a chat whose file a search finds is told as found', async () => {
  const id = await upload(person, chatId, { bytes: pdf('0123456789'), name: `Referral ${chatId}.pdf` });
  const body = { client_id: randomUUID(), body: '', attachments: [id] };
  expect((await person.send('POST', `/api/chats/${chatId}/messages`, { body })).statusCode).toBe(201);
  const found = await person.send('GET', `/api/search?types=files&q=referral`);
  expect(found.json().files).toHaveLength(1);
  expect((await readings()).map(({ action, object_id }) => [action, object_id])).toEqual([['chat.found', chatId]]);
});

test('F-S4 a file that is taken and a picture that is looked at are told with their chat, whatever parts are asked for', async () => {
  const id = await upload(person, chatId, { bytes: pdf('0123456789') });
  const body = { client_id: randomUUID(), body: 'The letter', attachments: [id] };
  expect((await person.send('POST', `/api/chats/${chatId}/messages`, { body })).statusCode).toBe(201);
  const take = (range: string) => person.send('GET', `/storage/attachments/${id}/file`, { headers: { range } });
  expect((await take('bytes=0-3')).statusCode).toBe(206);
  expect((await take('bytes=4-7')).statusCode).toBe(206);
  const [entry, ...more] = await readings();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ action: 'chat.attachment.download', object_id: id, detail: { chat: chatId } });
});

test('F-S4 who may not read is not told as having read', async () => {
  for (const who of [world.ours.member, world.theirs.entitled, world.former, world.operator]) {
    const client = await signedIn(world.server, who.id);
    expect((await client.send('GET', `/api/chats/${chatId}/messages`)).statusCode).toBe(404);
    await client.send('PUT', `/api/chats/${chatId}/markers`, { body: { read_seq: 1 } });
  }
  expect(await readings()).toEqual([]);
});

test('F-S4 who is on duty reads on where a reading cannot be noted, and the log of the process names it', async () => {
  const logTo: string[] = [];
  const error = (about: unknown, text: string) => void logTo.push(`${text} ${JSON.stringify(about)}`);
  const log = Object.assign(createLog('silent'), { error });
  const broken = createNoteReads({} as Database, log);
  const actor = { userId: world.ours.entitled.id, credential: { kind: 'session', key: '00' } } as Actor;
  const subject = { facilityId: world.ours.facility.id, objectType: 'chat', objectId: chatId };
  await broken({ actor, http: { requestId: 'r', ip: '192.0.2.7' } }, 'chat.read', [subject]);
  expect(logTo).toEqual([expect.stringContaining(chatId)]);
  expect(logTo[0]).toContain(actor.userId);
});

/** What the audit says of who is answered at an address. */
const NOTED: Readonly<Record<string, readonly AuditAction[]>> = {
  listMessages: ['chat.read'],
  listMessageVersions: ['chat.read'],
  listPins: ['chat.read'],
  listCitations: ['chat.read'],
  listChatPictures: ['chat.read'],
  listUrgent: ['chat.read'],
  raiseMarkers: ['chat.read'],
  exportChat: ['chat.read', 'chat.export'],
  search: ['chat.found'],
  findPatientChats: ['chat.emergency.look'],
  listEmergencyAccesses: ['audit.view'],
  listUnexportedChats: ['retention.view'],
  listLegalHolds: ['hold.view'],
  listExaminations: ['chat.read'],
  getExamination: ['examination.view'],
  listReportVersions: ['examination.view'],
  listTrend: ['examination.view'],
  exportExamination: ['examination.view', 'examination.export'],
  noteExaminationPrint: ['examination.view', 'examination.print'],
  listLaboratoryResults: ['result.view'],
  listHandoverSuggestions: ['chat.read'],
  listHandovers: ['chat.read'],
  listWaitingHandovers: ['chat.read'],
  listUnitHandovers: ['chat.read'],
  getHandover: ['handover.view'],
  exportHandover: ['handover.view', 'handover.export'],
  listAudit: ['audit.view'],
  exportAudit: ['audit.export'],
  findAuditedChats: ['audit.patient_search'],
  listCensusLog: ['census.log.view'],
  exportCensusLog: ['census.log.export'],
};

test.each(Object.entries(NOTED).map(([name, noted], index) => [name, noted, index] as const))(
  'F-S4 ADM-3 %s notes %j',
  async (name, noted, index) => {
    const endpoint = endpoints.find((one) => one.name === name);
    if (!endpoint) throw new Error(`there is no ${name}`);
    const { server, ours } = world;
    const sample = await sampleOf(world, endpoint);
    const entries = async () => {
      const query = server.db.selectFrom('audit_entries').select('action').where('actor_id', '=', ours.entitled.id);
      return (await query.orderBy('id').execute()).map(({ action }) => action);
    };
    const before = (await entries()).length;
    // A quarter of an hour of its own, in which nothing was noted yet.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (index + 1) * 15 * 60_000 });
    try {
      expect((await sendSample(person, endpoint, sample)).statusCode).toBeLessThan(300);
    } finally {
      vi.useRealTimers();
    }
    expect(new Set((await entries()).slice(before))).toEqual(new Set(noted));
  },
);
