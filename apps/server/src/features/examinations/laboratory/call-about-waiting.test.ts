import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { LaboratoryFeed, UnmatchedResult } from '@wardline/contract/examinations/laboratory.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { oru, type SaidResult } from './testing/oru.ts';

let server: TestServer;
let facility: MadeFacility;
let machine: Person;
let admin: Person;
/** May assign results, as Ruth may. */
let mira: Person;
let ruth: Person;
/** May not. */
let owen: Person;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  machine = await signedInMember(server, { facility, name: 'Feed', roles: ['patientSystem'] });
  admin = await signedInMember(server, { facility, name: 'Ada Min', roles: ['facilityAdministrator'] });
  mira = await signedInMember(server, { facility, name: 'Mira Okafor', roles: ['chargeNurse'] });
  ruth = await signedInMember(server, { facility, name: 'Ruth Calloway', roles: ['houseSupervisor'] });
  owen = await signedInMember(server, { facility, name: 'Owen Clarke' });
});

const MRN = '40-118-236';
const NORMAL = 'NM|2823-3^Potassium^LN||4.4|mmol/L|3.5-5.3|N|||F';
const LATER = '20261119120000';

async function tell(said: SaidResult = {}): Promise<void> {
  const body = { facility: facility.id, message: oru({ mrn: MRN, ...said }) };
  const answer = await machine.client.send('POST', '/api/census/feeds/hl7', { body });
  expect(answer.json(), answer.body).toMatchObject({ code: 'AA', reason: null });
}

const get = async <T>(path: string, who = mira): Promise<T> => (await who.client.send('GET', path)).json();
const base = () => `/api/facilities/${facility.id}`;
const waiting = async () => (await get<{ data: UnmatchedResult[] }>(`${base()}/laboratory-results`)).data;
const feed = () => get<LaboratoryFeed>(`${base()}/laboratory-feed`);

/** What was said where who may assign is called; nothing before the first call. */
async function discussion(who = mira): Promise<Message[]> {
  const { data } = await get<{ data: Chat[] }>(`${base()}/chats?limit=50`, who);
  const chat = data.find(({ kind }) => kind === 'group');
  return chat ? (await get<{ data: Message[] }>(`/api/chats/${chat.id}/messages?after=0&limit=100`, who)).data : [];
}

const calls = async () => (await discussion()).flatMap((message) => (message.urgent ? [message] : []));
const called = (message: Message | undefined) => message?.urgent?.people.map(({ name }) => name).sort();
const lines = async () =>
  (await discussion()).filter(({ kind }) => kind === 'system').map(({ sender, body }) => `${sender.name} ${body}`);

async function onlyCall(): Promise<Message> {
  const [call, other] = await calls();
  if (!call || other) throw new Error(`${other ? 'several calls' : 'no call'}`);
  return call;
}

async function accept(who: Person): Promise<void> {
  const { chat_id, id } = await onlyCall();
  const path = `/api/chats/${chat_id}/messages/${id}/urgent/acceptance`;
  expect((await who.client.send('PUT', path, { body: {} })).statusCode).toBe(200);
}

async function onCall(name: string, holder: Person): Promise<string> {
  const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name });
  const [startsAt, endsAt] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
  await makeShift(server.db, { facilityId: facility.id, roleId, userId: holder.id, startsAt, endsAt });
  return roleId;
}

async function setFeed(critical_role_id: string): Promise<void> {
  const { version } = await feed();
  const body = { version, authority: null, critical_role_id, codes: [] };
  expect((await admin.client.send('PUT', `${base()}/laboratory-feed`, { body })).statusCode).toBe(200);
}

async function newCase(): Promise<string> {
  const patient = { name: 'Edith Maron', born_on: '1948-03-14', identifier: `MRN ${MRN}` };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
  return (await mira.client.send('POST', `${base()}/chats`, { body })).json<Chat>().id;
}

async function close(act: 'assign' | 'set-aside', body: object): Promise<void> {
  const [result] = await waiting();
  const path = `${base()}/laboratory-results/${result?.id}/${act}`;
  const answer = await mira.client.send('POST', path, { body: { version: result?.version, ...body } });
  expect(answer.statusCode, answer.body).toBe(200);
}

describe('a critical result that matches no chat', () => {
  it('EXAM-5 URG-1 calls everybody who may assign it where none of them is on call, and nobody else', async () => {
    await tell();
    const call = await onlyCall();
    expect(call).toMatchObject({ kind: 'text', sender: { name: 'Wardline' }, urgent: { state: 'calling' } });
    expect(called(call)).toEqual(['Mira Okafor', 'Ruth Calloway']);
    const { data } = await get<{ data: { message_id: string }[] }>('/api/urgent', ruth);
    expect(data.map(({ message_id }) => message_id)).toEqual([call.id]);
    const [result] = await waiting();
    expect((await discussion())[0]).toMatchObject({
      body: 'received a critical result that matches no chat: Renal profile (CORELAB, number F-1001)',
      act: { kind: 'laboratory_result', id: result?.id },
    });
    expect([await discussion(owen), await discussion(admin)]).toEqual([[], []]);
    expect(result?.is_critical).toBe(true);
    expect(await feed()).toMatchObject({ unmatched: 1, unmatched_critical: 1 });
  });

  it('EXAM-5 A16 says nothing there of the patient or of what was found', async () => {
    await tell();
    const said = JSON.stringify(await discussion());
    for (const secret of ['Edith', 'Maron', MRN, '1948', '7.1', 'Potassium']) expect(said).not.toContain(secret);
  });

  it('EXAM-5 calls who of them is on call, and before them whoever holds the role that the facility names', async () => {
    await onCall('House supervisor', ruth);
    await tell();
    expect(called(await onlyCall())).toEqual(['Ruth Calloway']);
    await accept(ruth);
    await setFeed(await onCall('Medical registrar', mira));
    await tell({ filler: 'F-1002' });
    expect((await calls()).map(called)).toEqual([['Ruth Calloway'], ['Mira Okafor']]);
  });

  it('EXAM-5 calls who left the chat again where they are on call, or where all of them left', async () => {
    let newest: Message | undefined;
    const ask = async (who: Person, ...[method, path, body]: ['PUT' | 'DELETE', string, object?]) => {
      const { statusCode } = await who.client.send(method, `/api/chats/${newest?.chat_id}/${path}`, { body });
      expect([200, 204]).toContain(statusCode);
    };
    const leave = (who: Person) => ask(who, 'DELETE', `participants/${who.id}`);
    const acceptNewest = (who: Person) => ask(who, 'PUT', `messages/${newest?.id}/urgent/acceptance`, {});
    const call = async (filler: string) => {
      await tell({ filler });
      newest = (await calls()).at(-1);
      return called(newest);
    };
    await call('F-1001');
    await leave(ruth);
    await acceptNewest(mira);
    expect(await call('F-1002')).toEqual(['Mira Okafor']);
    await acceptNewest(mira);
    await onCall('House supervisor', ruth);
    expect(await call('F-1003')).toEqual(['Ruth Calloway']);
    await acceptNewest(ruth);
    await server.db.deleteFrom('on_call_shifts').where('facility_id', '=', facility.id).execute();
    await leave(ruth);
    await leave(mira);
    expect(await call('F-1004')).toEqual(['Mira Okafor', 'Ruth Calloway']);
  });

  it('EXAM-5 calls nobody by a role whose holder may not assign it, nor who is on call elsewhere', async () => {
    await setFeed(await onCall('Medical registrar', owen));
    const here = facility;
    facility = await makeFacility(server.db, { name: 'St. Elsewhere', timeZone: 'Europe/Dublin' });
    await onCall('Registrar elsewhere', mira);
    await server.db.insertInto('laboratory_feeds').values({ facility_id: facility.id }).execute();
    facility = here;
    await tell();
    expect(called(await onlyCall())).toEqual(['Mira Okafor', 'Ruth Calloway']);
  });

  it('EXAM-5 is said beside the call while nobody has accepted that, also at the same time, and calls anew afterwards', async () => {
    await Promise.all(['F-1', 'F-2', 'F-3'].map((filler) => tell({ filler })));
    await onlyCall();
    expect(await lines()).toHaveLength(3);
    await accept(mira);
    await tell({ filler: 'F-4' });
    expect((await calls()).map(({ urgent }) => urgent?.state)).toEqual(['withdrawn', 'calling']);
    expect(await lines()).toContain('Wardline withdrew the urgent message: another critical result has come');
  });

  it('EXAM-5 URG-1 calls anew where the call before was in vain', async () => {
    await tell();
    for (let minutes = 1; (await onlyCall()).urgent?.state === 'calling'; minutes += 60) {
      await server.runEscalations(new Date(Date.now() + minutes * 60_000));
    }
    expect((await onlyCall()).urgent?.state).toBe('exhausted');
    await tell({ filler: 'F-1002' });
    expect((await calls()).map(({ urgent }) => urgent?.state)).toEqual(['withdrawn', 'calling']);
  });

  it('EXAM-5 is not said again where the next message about it says the same', async () => {
    await tell({ status: 'P' });
    await accept(mira);
    await tell({ status: 'F', at: LATER });
    expect(await waiting()).toHaveLength(1);
    expect((await onlyCall()).urgent?.state).toBe('accepted');
    expect(await lines()).toHaveLength(2);
  });

  it.each<[string, () => Promise<void>, string]>([
    ['assigned', async () => close('assign', { chat_id: await newCase() }), 'Mira Okafor'],
    ['set aside', () => close('set-aside', { reason: 'An outpatient.' }), 'Mira Okafor'],
    ['corrected', () => tell({ at: LATER, status: 'C', findings: [NORMAL] }), 'Wardline'],
    [
      'filed by its next message',
      async () => {
        await newCase();
        await tell({ at: LATER });
      },
      'Wardline',
    ],
  ])('EXAM-5 calls nobody any more once it is %s', async (_, act, by) => {
    await tell();
    await act();
    expect((await onlyCall()).urgent?.state).toBe('withdrawn');
    expect((await lines()).at(-1)).toBe(`${by} withdrew the urgent message: no critical result waits any more`);
  });

  it('EXAM-5 calls on while another one waits', async () => {
    await tell();
    await tell({ filler: 'F-1002' });
    await close('set-aside', { reason: 'An outpatient.' });
    expect((await onlyCall()).urgent?.state).toBe('calling');
    await close('set-aside', { reason: 'An outpatient.' });
    expect((await onlyCall()).urgent?.state).toBe('withdrawn');
  });

  it('EXAM-2 EXAM-5 is told by our own limits, where the laboratory has no flag', async () => {
    await tell({ findings: ['NM|2823-3^Potassium^LN||7.1|mmol/L|||||F'] });
    expect(called(await onlyCall())).toEqual(['Mira Okafor', 'Ruth Calloway']);
    expect((await waiting())[0]?.is_critical).toBe(true);
  });

  it('EXAM-5 PERM-2 calls who gives the roles where nobody may assign it, and who was given one the next time', async () => {
    const permissions = (may: string[]) =>
      server.db
        .updateTable('roles')
        .set({ permissions: may })
        .where('facility_id', '=', facility.id)
        .where('name', 'in', ['Charge nurse', 'House supervisor'])
        .execute();
    await permissions([]);
    await tell();
    const [line, call] = await discussion(admin);
    expect(line?.body).toContain('matches no chat');
    expect([call?.body, called(call)]).toEqual([expect.stringContaining('nobody may assign it'), ['Ada Min']]);
    expect(await discussion(mira)).toEqual([]);
    await permissions(['results.assign']);
    const path = `/api/chats/${call?.chat_id}/messages/${call?.id}/urgent/acceptance`;
    expect((await admin.client.send('PUT', path, { body: {} })).statusCode).toBe(200);
    await tell({ filler: 'F-1002' });
    expect(called((await calls()).at(-1))).toEqual(['Mira Okafor', 'Ruth Calloway']);
  });
});

it('EXAM-1 a result that is not critical waits without a call', async () => {
  await tell({ findings: [NORMAL] });
  expect((await waiting()).map(({ is_critical }) => is_critical)).toEqual([false]);
  expect(await discussion()).toEqual([]);
  expect(await feed()).toMatchObject({ unmatched: 1, unmatched_critical: 0 });
});
