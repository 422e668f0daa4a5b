import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@wardline/contract/audit.ts';
import { AUDIT_KINDS, actionsOfKind } from '@wardline/contract/audit-actions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '#/platform/db/database.ts';
import { asActor } from '#/platform/db/stated-actor.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { findAuditIds } from './audit-queries.ts';
import { formatAction } from './format-action.ts';

let server: TestServer;
let facility: MadeFacility;
let [officer, ana, ben]: [MadeUser, MadeUser, MadeUser] = [] as never;
let asOfficer: TestClient;
let asAna: TestClient;
let asBen: TestClient;
/** Two chats about Edith, and one about somebody else. */
let [edith, edithAgain, other] = ['', '', ''];

const person = async (role?: 'facilityAdministrator' | 'clinician') => {
  const user = await makeUser(server.db);
  await makeMembership(server.db, { userId: user.id, facility, roles: role ? [role] : [] });
  return user;
};
const chatAbout = async (name: string, identifier: string) => {
  const participants = [{ userId: ana.id }, { userId: ben.id, access: 'read' as const }];
  const messages = [{ senderId: ana.id, body: 'Potassium is 5.2' }];
  const patient = { name, identifier };
  const made = await makeChat(server.db, {
    facilityId: facility.id,
    kind: 'case',
    title: name,
    patient,
    participants,
    messages,
  });
  return made.id;
};
const open = (client: TestClient, chatId: string) => client.send('GET', `/api/chats/${chatId}/messages`);

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { timeZone: 'America/Guatemala' });
  [officer, ana, ben] = [await person('facilityAdministrator'), await person('clinician'), await person('clinician')];
  [edith, edithAgain, other] = [
    await chatAbout('Edith Sample', 'MRN 4711'),
    await chatAbout('Edith Sample', 'MRN 4711'),
    await chatAbout('Omar Sample', 'MRN 4712'),
  ];
  [asOfficer, asAna, asBen] = [
    await signedIn(server, officer.id),
    await signedIn(server, ana.id),
    await signedIn(server, ben.id),
  ];
  for (const chatId of [edith, other]) await open(asAna, chatId);
  await open(asBen, edithAgain);
  const body = { client_id: randomUUID(), body: 'A secret of Edith' };
  expect((await asAna.send('POST', `/api/chats/${edith}/messages`, { body })).statusCode).toBe(201);
  expect((await asBen.send('POST', `/api/chats/${edith}/messages`, { body })).statusCode).toBe(403);
  await vi.waitFor(async () => expect(await auditOf(server, 'authorisation.refused', ben.id)).toHaveLength(1));
});
afterAll(() => server.close());

const address = (query: Record<string, string> = {}, path = '') =>
  `/api/facilities/${facility.id}/audit${path}?${new URLSearchParams(query)}`;
async function list(query: Record<string, string> = {}): Promise<AuditEntry[]> {
  const answer = await asOfficer.send('GET', address(query));
  expect(answer.statusCode, answer.payload).toBe(200);
  return answer.json().data;
}

describe('the audit of a facility', () => {
  test('F-S4 ADM-3 names who read and did what, the newest first, and nothing of what was said', async () => {
    const entries = await list({ person: ana.id });
    expect(entries.map(({ what, chat, actor }) => [actor?.name, what, chat?.patient?.name])).toEqual([
      [ana.name, 'Sent a message', 'Edith Sample'],
      [ana.name, 'Opened the chat', 'Omar Sample'],
      [ana.name, 'Opened the chat', 'Edith Sample'],
    ]);
    expect(entries[0]).toMatchObject({ kind: 'chat', outcome: 'done', times: 1, ip: '127.0.0.1' });
    expect(JSON.stringify(entries)).not.toMatch(/Potassium|secret/);
  });

  test('F-S4 ADM-3 says who saw a patient, in all chats about them and in no other', async () => {
    const saw = await list({ chat: edith, kind: 'read' });
    expect(saw.map(({ actor, chat }) => [actor?.id, chat?.id])).toEqual([
      [ben.id, edithAgain],
      [ana.id, edith],
    ]);
    expect((await list({ chat: other, kind: 'read' })).map(({ actor }) => actor?.id)).toEqual([ana.id]);
    // That the officer looked is known of that patient from then on.
    expect((await list({ chat: edith, kind: 'read' })).map(({ actor }) => actor?.id)).toEqual([
      officer.id,
      ben.id,
      ana.id,
    ]);
  });

  test('F-S4 ADM-3 shows refusals as refusals, also those that an older build stored as done', async () => {
    const old = { actor_id: ana.id, action: 'password.refused', object_type: 'user', object_id: ana.id };
    await server.db.insertInto('audit_entries').values(old).execute();
    const refused = await list({ outcome: 'refused' });
    expect(refused.map(({ actor, what }) => [actor?.id, what])).toEqual([
      [ana.id, 'Gave a wrong password'],
      [ben.id, 'Tried without permission: “Stores a message”'],
    ]);
    expect((await list({ outcome: 'done' })).some(({ outcome }) => outcome === 'refused')).toBe(false);
  });

  test('F-S4 ADM-3 has the sign-ins of its members, and of nobody else', async () => {
    const stranger = await makeUser(server.db);
    const entry = (userId: string) => ({
      action: 'session.start',
      object_type: 'user',
      object_id: userId,
      actor_id: userId,
    });
    const failed = { action: 'session.refused', object_type: 'user', object_id: ben.id, outcome: 'refused' };
    await server.db
      .insertInto('audit_entries')
      .values([entry(ana.id), entry(stranger.id), failed, { action: 'session.refused', outcome: 'refused' }])
      .execute();
    const entries = await list({ kind: 'sign_in' });
    expect(entries.map(({ actor, person, what }) => [actor?.id, person?.id, what])).toEqual([
      [undefined, ben.id, 'Failed to sign in'],
      [ana.id, undefined, 'Signed in'],
      [ana.id, undefined, 'Gave a wrong password'],
    ]);
  });

  test('F-S4 days are those of the facility’s clock', async () => {
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Guatemala' }).format(new Date());
    const all = await list();
    expect(await list({ from: today, to: today })).toEqual(all);
    expect(await list({ to: '2020-01-01' })).toEqual([]);
    expect(await list({ from: '9999-12-31' })).toEqual([]);
    expect((await asOfficer.send('GET', address({ from: '0000-01-01' }))).statusCode).toBe(422);
  });

  test('F-S4 its pages join into the whole', async () => {
    const all = await list({ limit: '200' });
    const pages: AuditEntry[] = [];
    let cursor: string | null = null;
    do {
      const answer = await asOfficer.send('GET', address({ limit: '3', ...(cursor === null ? {} : { cursor }) }));
      pages.push(...answer.json().data);
      cursor = answer.json().next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(all);
    expect((await asOfficer.send('GET', address({ cursor: 'x1' }))).statusCode).toBe(422);
  });

  test('F-S4 A16 a chat of another facility is not there', async () => {
    const elsewhere = await makeFacility(server.db);
    const chat = await makeChat(server.db, { facilityId: elsewhere.id, participants: [{ userId: ana.id }] });
    expect((await asOfficer.send('GET', address({ chat: chat.id }))).statusCode).toBe(404);
    const ofOther = await list({ person: ana.id });
    await makeMembership(server.db, { userId: ana.id, facility: elsewhere, roles: ['clinician'] });
    await open(asAna, chat.id);
    expect(await list({ person: ana.id })).toEqual(ofOther);
  });

  test('F-S4 finds patients by parts of name and number, once however many chats there are, and says that it was asked', async () => {
    const find = async (q: string) => (await asOfficer.send('GET', address({ q }, '/chats'))).json().data;
    expect(await find('edith 4711')).toMatchObject([{ patient: { name: 'Edith Sample', identifier: 'MRN 4711' } }]);
    expect(await find('sample')).toHaveLength(2);
    expect(await find('nobody')).toEqual([]);
    expect((await auditOf(server, 'audit.patient_search', officer.id)).length).toBeGreaterThan(0);
  });

  test('F-S4 ADM-3 is exported to its end, each entry once, where that is more than is read at once', async () => {
    const { id } = await person();
    await sql`
      insert into audit_entries (actor_id, facility_id, action)
      select ${id}, ${facility.id}, 'chat.read' from generate_series(1, 1001)`.execute(server.db);
    const { payload } = await asOfficer.send('GET', address({ person: id }, '/export'));
    const numbers = payload.match(/^\d+(?=,)/gm);
    expect([numbers?.length, new Set(numbers).size]).toEqual([1001, 1001]);
  });

  test('F-S4 ADM-3 is exported as CSV with the same filters, which is in the audit before the file is', async () => {
    const answer = await asOfficer.send('GET', address({ chat: edith, kind: 'chat' }, '/export'));
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = answer.payload.split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFentry,at_utc,person,person_id,what,action,outcome,times,about_person,about_person_id,patient,patient_identifier,chat,chat_id,address',
    );
    expect(lines[1]).toContain(
      `,Sent a message,chat.message.send,done,1,,,Edith Sample,MRN 4711,Edith Sample,${edith},`,
    );
    expect(lines.slice(2)).toEqual(['']);
    const [exported] = await auditOf(server, 'audit.export', officer.id);
    expect(exported).toMatchObject({ facility_id: facility.id, detail: { chat: edith, kind: 'chat' } });
  });
});

test('F-S4 A16 behind the second wall the entries of chats are found by the index of chats', async () => {
  const chatIds = [edith, edithAgain];
  const look = (db: Database) =>
    findAuditIds(
      db,
      { facilityId: facility.id, chatIds, from: '2020-01-01', to: '2199-01-01' },
      { before: null, limit: 50 },
    );
  // Also those of earlier transactions of the connection, until they are reported.
  const scansOfIndex = async (db: Database) => {
    const { rows } = await sql<{ scans: number }>`
      select pg_stat_get_xact_numscans('audit_entries_chat_idx'::regclass)::int as scans`.execute(db);
    return rows[0]?.scans ?? Number.NaN;
  };
  const found = await asActor(officer.id, [], () =>
    server.walled.transaction().execute(async (tx) => {
      // The table is small here: read whole it would be cheaper.
      await sql`set local enable_seqscan = off`.execute(tx);
      const before = await scansOfIndex(tx);
      const { ids } = await look(tx);
      return { ids, scans: (await scansOfIndex(tx)) - before };
    }),
  );
  expect(found.ids).toEqual((await look(server.db)).ids);
  expect(found.ids.length).toBeGreaterThan(3);
  expect(found.scans).toBe(chatIds.length);
});

describe('who opened my chats', () => {
  const readers = async (client: TestClient, query = '') => client.send('GET', `/api/user/readers${query}`);

  test('F-S4 are the others in the chats that one writes in, without their addresses', async () => {
    const { data } = (await readers(asAna, `?chat=${edithAgain}`)).json();
    expect(data).toMatchObject([{ actor: { id: ben.id }, what: 'Opened the chat', chat: { id: edithAgain } }]);
    expect(data[0]).not.toHaveProperty('ip');
    const all: AuditEntry[] = (await readers(asAna)).json().data;
    expect(new Set(all.map(({ actor }) => actor?.id))).toEqual(new Set([ben.id, officer.id]));
    // Ben reads there, and writes nowhere.
    expect((await readers(asBen)).json()).toEqual({ data: [], next_cursor: null });
    expect((await readers(asBen, `?chat=${edith}`)).statusCode).toBe(404);
  });
});

test('F-S4 ADM-3 every action has words, and its kind', () => {
  for (const action of AUDIT_KINDS.flatMap(actionsOfKind))
    expect(formatAction(action)).not.toContain('an older version');
  expect(formatAction('census.unit_day.submit')).toMatch(/^Census: /);
  expect(formatAction('chat.gone')).toContain('chat.gone');
});

test('F-S4 A16 a page goes on where an entry of another facility stands among those that were looked at', async () => {
  const chatId = await chatAbout('Rosa Sample', 'MRN 4713');
  const elsewhere = await makeFacility(server.db);
  const read = { actor_id: ben.id, action: 'chat.read', object_type: 'chat', object_id: chatId };
  const entries = [
    { ...read, action: 'message.send', facility_id: facility.id },
    ...Array.from({ length: 499 }, () => ({ ...read, facility_id: facility.id })),
    { ...read, facility_id: elsewhere.id },
  ];
  for (const entry of entries) await server.db.insertInto('audit_entries').values(entry).execute();
  const filter = { facilityId: facility.id, chatIds: [chatId], actions: ['message.send'] };
  const found = await asActor(officer.id, [], () => findAuditIds(server.walled, filter, { before: null, limit: 10 }));
  expect(found.ids).toHaveLength(1);
});
