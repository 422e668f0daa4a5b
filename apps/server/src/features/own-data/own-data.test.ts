import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDiskStore } from '#/platform/files/file-store.ts';
import { createLog } from '#/platform/log.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { type MadeUser, makeApp, makePasskey, makeSession, makeUser, TEST_SECRET } from '#/testing/factories/users.ts';
import { actsOf, audited, auditOf, signedIn, type TestClient, withSession } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { makeCopy } from './make-copy.ts';
import { purgeCopies } from './purge-copies.ts';

let server: TestServer;
let facility: MadeFacility;
let person: MadeUser;
let colleague: MadeUser;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  person = await makeUser(server.db, { name: 'Ana Reyes' });
  colleague = await makeUser(server.db, { name: 'LEAK-COLLEAGUE' });
  await makeMembership(server.db, { userId: person.id, facility, roles: ['clinician'], title: 'Registrar' });
  await makeMembership(server.db, { userId: colleague.id, facility, roles: ['facilityAdministrator'] });
  client = await signedIn(server, person.id);
});

const COPIES = '/api/user/data-copies';
const ask = (who = client) => who.send('POST', COPIES);
const get = (id: string, who = client) => who.send('GET', `${COPIES}/${id}/file`);
const listOf = async (who = client) => (await who.send('GET', COPIES)).json().data;

async function askAndMake(who = client): Promise<string> {
  const asked = await ask(who);
  expect(asked.statusCode).toBe(201);
  await server.runJobs();
  return asked.json().id;
}

async function giveTexts(is = true): Promise<void> {
  const given = { own_texts_in_copies: is };
  await server.db.updateTable('facilities').set(given).where('id', '=', facility.id).execute();
}

/** A case chat in which both wrote; everything that must not leave carries LEAK. */
async function makeTalk() {
  const chat = await makeChat(server.db, {
    ...{ facilityId: facility.id, kind: 'case' as const, patient: { name: 'LEAK-PATIENT', identifier: 'LEAK-MRN' } },
    participants: [{ userId: colleague.id }, { userId: person.id }],
    messages: [
      { senderId: colleague.id, body: 'LEAK-OTHERS-WORDS' },
      { senderId: person.id, body: 'potassium is five point one' },
      { senderId: person.id, body: 'LEAK-FORWARDED' },
      { senderId: person.id, body: 'LEAK-SYSTEM', kind: 'system' },
      { senderId: person.id, body: 'LEAK-DELETED' },
    ],
  });
  const at = (seq: number) => server.db.updateTable('messages').where('chat_id', '=', chat.id).where('seq', '=', seq);
  await at(3)
    .set({ forwarded: JSON.stringify({ text: 'LEAK-SOURCE' }) })
    .execute();
  await at(2).set({ sender_role: 'Night pharmacist' }).execute();
  await at(5).set({ body: '', deleted_at: new Date(), delete_reason: 'LEAK-REASON' }).execute();
  const given = (user_id: string, name: string) => ({
    code: 'thumbs_up',
    user_id,
    name,
    at: '2026-11-20T10:00:00.000Z',
  });
  const reactions = JSON.stringify([given(colleague.id, 'LEAK-COLLEAGUE'), given(person.id, 'Ana Reyes')]);
  await at(1).set({ reactions, change_seq: 1 }).execute();
  return chat;
}

describe('what is recorded, and for how long', () => {
  it('ACC-5 tells the figures of the installation and of the facilities one is let into, and of no other', async () => {
    await makeFacility(server.db, { name: 'LEAK-ELSEWHERE' });
    await giveTexts();
    const response = await client.send('GET', '/api/user/recorded');
    expect(response.body).not.toContain('LEAK');
    expect(response.json()).toEqual({
      ...{ audit_years: null, shared_session_hours: 12, own_session_days: 7, token_days: 90 },
      facilities: [
        {
          ...{ id: facility.id, name: facility.name, census_log_years: null, idle_lock_minutes: 15 },
          ...{ shows_last_seen: true, own_texts_in_copies: true },
        },
      ],
    });
  });
});

describe('a copy of one’s own data', () => {
  it('ACC-5 A30 is refused to a session that has not confirmed the password, to ask for and to take', async () => {
    const id = await askAndMake();
    const cold = withSession(server, await makeSession(server.db, { userId: person.id, isConfirmed: false }));
    expect((await ask(cold)).statusCode).toBe(423);
    expect((await get(id, cold)).statusCode).toBe(423);
    expect((await get(id)).statusCode).toBe(200);
  });

  it('ACC-5 has what is stored of a person in every list, and is told by mail that holds nothing of it', async () => {
    const chat = await makeTalk();
    await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
    await makePasskey(server.db, person.id);
    const examination = { chatId: chat.id, facilityId: facility.id, values: { potassium: 'LEAK-VALUE' } };
    await makeExamination(server.db, {
      ...examination,
      userId: person.id,
      state: 'reported',
      impression: 'LEAK-SIGNED',
    });
    await makeExamination(server.db, { ...examination, userId: colleague.id, state: 'reported' });
    const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: 'Medical registrar' });
    const span = { startsAt: new Date(), endsAt: new Date(Date.now() + 3_600_000) };
    await makeShift(server.db, { facilityId: facility.id, roleId, userId: person.id, ...span });
    const before = server.mails.length;
    const response = await get(await askAndMake());
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="own-data-[\d-]{10}[.]json"$/);
    const copy = response.json();
    expect(copy).toMatchObject({
      person_id: person.id,
      account: [{ id: person.id, name: 'Ana Reyes', email: person.email, is_system_administrator: false }],
      memberships: [{ facility: facility.name, title: 'Registrar', until: null, roles: ['Clinician'] }],
      on_call_shifts: [{ role: 'Medical registrar' }],
      reactions: [{ chat_id: chat.id, own: [{ code: 'thumbs_up', at: '2026-11-20T10:00:00.000Z' }] }],
      examinations: [{ chat_id: chat.id, signed: [{ version: 1 }] }],
      left_out: [],
    });
    expect(copy.second_factors.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'authenticator_app',
      'passkey',
    ]);
    expect(copy.sessions).toHaveLength(1);
    expect(copy.audit_entries.map(({ what }: { what: string }) => what)).toContain('own_data.request');
    const [mail, ...more] = server.mails.slice(before);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: person.email, subject: 'Your copy of your data at Wardline is ready' });
    expect(mail?.text).not.toMatch(/Ana|Registrar|potassium|LEAK/);
  });

  it.each([false, true])('ACC-5 A16 leaks no word of others and no secret; texts given: %s', async (isGiven) => {
    await giveTexts(isGiven);
    await makeTalk();
    await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
    const { body } = await get(await askAndMake());
    expect(body).not.toContain('LEAK');
    expect(body).not.toContain(TEST_SECRET);
    const { password_hash } = await server.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(body).not.toContain(password_hash);
    expect(body.includes('potassium is five point one')).toBe(isGiven);
    const messages: { seq: number; text?: string; written_as?: string }[] = JSON.parse(body).messages;
    expect(messages.map(({ seq, text, written_as }) => [seq, text !== undefined, written_as])).toEqual([
      [2, isGiven, 'Night pharmacist'],
      [3, false, undefined],
      [5, false, undefined],
    ]);
  });

  it('ACC-5 A16 is nobody else’s, and gone after a day', async () => {
    const id = await askAndMake();
    expect((await get(id, await signedIn(server, colleague.id))).statusCode).toBe(404);
    expect(await listOf(await signedIn(server, colleague.id))).toEqual([]);
    const [copy] = await listOf();
    expect(copy).toMatchObject({ id, state: 'ready', is_complete: true });
    expect(Date.parse(copy.expires_at) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    const past = sql<Date>`now() - interval '25 hours'`;
    const late = { requested_at: past, expires_at: sql<Date>`now()` };
    await server.db.updateTable('own_data_copies').set(late).where('id', '=', id).execute();
    expect((await get(id)).statusCode).toBe(404);
    const files = createDiskStore(server.filesRoot);
    const stored = async () => (await readdir(path.join(server.filesRoot, 'copies'), { recursive: true })).join();
    const { key } = await server.db
      .selectFrom('own_data_copies')
      .select('key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await stored()).toContain(key);
    await purgeCopies({ db: server.db, files });
    expect(await stored()).not.toContain(key);
    expect(await listOf()).toEqual([]);
  });

  it('ACC-5 A9 texts of a facility are not given once one is no longer let in there, or it gives them no more', async () => {
    await giveTexts();
    await makeTalk();
    const id = await askAndMake();
    await giveTexts(false);
    expect((await get(id)).statusCode).toBe(403);
    await giveTexts();
    expect((await get(id)).statusCode).toBe(200);
    const left = { ended_at: new Date() };
    await server.db.updateTable('memberships').set(left).where('user_id', '=', person.id).execute();
    const later = await signedIn(server, person.id);
    expect((await get(id, later)).statusCode).toBe(403);
    const again = (await get(await askAndMake(later), later)).json();
    expect(again.messages).toHaveLength(3);
    expect(again.messages.some((message: object) => 'text' in message)).toBe(false);
  });

  it('ACC-5 can be asked for twice a day, however many ask at once', async () => {
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let asking: ReturnType<typeof ask>[] = [];
    await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', person.id).forNoKeyUpdate().execute();
      asking = Array.from({ length: 5 }, () => ask());
      await expect.poll(async () => (await waiting.execute(server.db)).rows.length, { timeout: 10_000 }).toBe(5);
    });
    const answers = await Promise.all(asking);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 429, 429, 429]);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json().message).toBe('You can ask for 2 copies in 24 hours.');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(86_000);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    expect(await auditOf(server, 'own_data.request', person.id)).toHaveLength(2);
  });

  it('ACC-5 OPS-12 a job that runs twice makes one copy, one mail and one entry', async () => {
    const asked = (await ask()).json();
    const deps = {
      files: createDiskStore(server.filesRoot),
      lists: [],
      productName: 'Wardline',
    };
    const context = { db: server.db, log: createLog('silent'), jobId: randomUUID() };
    const before = server.mails.length;
    await makeCopy(deps)({ copy_id: asked.id }, context);
    await makeCopy(deps)({ copy_id: asked.id }, context);
    await server.runJobs();
    expect(server.mails.slice(before).filter(({ to }) => to === person.email)).toHaveLength(1);
    const made = await auditOf(server, 'own_data.make', null);
    expect(made.filter(({ object_id }) => object_id === asked.id)).toMatchObject([
      { object_type: 'data_copy', outcome: 'done', detail: { user: person.id, left_out: [] } },
    ]);
    await get(asked.id);
    const copy = ['data_copy', asked.id] as const;
    expect(await actsOf(server, person.id)).toEqual([
      audited('own_data.request', copy),
      audited('own_data.download', copy),
    ]);
  });

  it('ACC-5 PERM-2 of whoever goes while their copy is written no file stays', async () => {
    const { id } = (await ask()).json();
    const files = createDiskStore(server.filesRoot);
    const named: string[] = [];
    const slow: typeof files = {
      ...files,
      async put(name, source) {
        // The account is deleted, and what was asked for taken away, before the file is whole.
        await server.db.deleteFrom('own_data_copies').where('id', '=', id).execute();
        named.push(name);
        return files.put(name, source);
      },
    };
    const context = { db: server.db, log: createLog('silent'), jobId: randomUUID() };
    await makeCopy({ files: slow, lists: [], productName: 'Wardline' })({ copy_id: id }, context);
    const [name = ''] = named;
    expect(path.dirname(path.dirname(name))).toBe('copies');
    expect(await files.read(name)).toBeNull();
  });

  it('ACC-5 says what it left out where a list is longer than a copy holds, and reads every page once', async () => {
    const said = Array.from({ length: 25 }, (_, n) => ({ senderId: person.id, body: `number ${n}` }));
    const participants = [{ userId: person.id }];
    for (let chats = 0; chats < 2; chats++) {
      await makeChat(server.db, { facilityId: facility.id, participants, messages: said });
    }
    const make = async (rowsOfList: number) => {
      const { id } = (await ask()).json();
      const limits = { rowsAtOnce: 7, rowsOfList, bytes: 1e6, ms: 60_000 };
      const { ownData } = await import('#/features/chat/messages/own-data.ts');
      const files = createDiskStore(server.filesRoot);
      const deps = { files, lists: ownData, productName: 'Wardline' };
      const context = { db: server.db, log: createLog('silent'), jobId: randomUUID() };
      await makeCopy(deps, limits)({ copy_id: id }, context);
      return (await get(id)).json();
    };
    const whole = await make(1_000);
    expect(whole.left_out).toEqual([]);
    expect(new Set(whole.messages.map(({ id }: { id: string }) => id)).size).toBe(50);
    const part = await make(30);
    expect([part.messages.length, part.left_out]).toEqual([30, ['messages']]);
    expect((await listOf())[0]).toMatchObject({ is_complete: false });
  });
});
