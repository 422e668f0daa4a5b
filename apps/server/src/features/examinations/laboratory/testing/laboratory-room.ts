import type { RefusedMessage } from '@wardline/contract/census/feed.ts';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { Examination, ExaminationSummary, ReportVersion } from '@wardline/contract/examinations/examinations.ts';
import type { LaboratoryFeed, UnmatchedResult } from '@wardline/contract/examinations/laboratory.ts';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { sendByMllp } from '#/testing/send-by-mllp.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { oru, type SaidResult } from './oru.ts';

export let server: TestServer;
export let facility: MadeFacility;
export let elsewhere: MadeFacility;
/** Signs and assigns. */
export let mira: Person;
/** Signs, and assigns nothing. */
export let owen: Person;
export let away: Person;
export let admin: Person;
export let machine: Person;
export let chat: Chat;
export let mrn: string;

/** A facility with a laboratory, and for each test a patient with one chat of their own. */
export function useLaboratoryRoom(): void {
  beforeAll(async () => {
    server = await startTestServer();
    facility = await makeFacility(server.db, { name: 'St. Brigid General', code: 'LAB', timeZone: 'Europe/Dublin' });
    elsewhere = await makeFacility(server.db, { name: 'St. Elsewhere', timeZone: 'Europe/Dublin' });
    mira = await signedInMember(server, { facility, name: 'Mira Okafor', roles: ['chargeNurse'] });
    owen = await signedInMember(server, { facility, name: 'Owen Clarke' });
    admin = await signedInMember(server, { facility, name: 'Ada Min', roles: ['facilityAdministrator'] });
    machine = await signedInMember(server, { facility, name: 'Feed', roles: ['patientSystem'] });
    away = await signedInMember(server, { facility: elsewhere, name: 'Ada Away', roles: ['chargeNurse'] });
  });
  afterAll(() => server.close());
  beforeEach(() => nextPatient());
}

let patients = 0;

/** From here on the test is about another patient, in a chat of their own. */
export async function nextPatient(more: object = {}): Promise<void> {
  mrn = `40-118-${String(++patients).padStart(3, '0')}`;
  chat = await newCase(mira, more);
}

export const EDITH = { name: 'Edith Maron', born_on: '1948-03-14' };

export async function newCase(who: Person = mira, more: object = {}, at: MadeFacility = facility): Promise<Chat> {
  const patient = { ...EDITH, identifier: `MRN ${mrn}`, ...more };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
  const answer = await who.client.send('POST', `/api/facilities/${at.id}/chats`, { body });
  expect(answer.statusCode, answer.body).toBe(201);
  const made = answer.json<Chat>();
  if (who === mira) await mira.client.send('PUT', `/api/chats/${made.id}/participants/${owen.id}`, { body: {} });
  return made;
}

export async function hand(text: string, who: Person = machine) {
  const body = { facility: facility.id, message: text };
  const answer = await who.client.send('POST', '/api/census/feeds/hl7', { body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ code: string; error_code: number | null; reason: string | null; acknowledgement: string }>();
}

/** About this test's patient, taken. */
export async function tell(said: SaidResult = {}): Promise<string> {
  const text = oru({ mrn, filler: `F-${mrn}`, ...said });
  expect(await hand(text)).toMatchObject({ code: 'AA', reason: null });
  return text;
}

export const get = async <T>(path: string, who: Person = mira): Promise<T> =>
  (await who.client.send('GET', path)).json();
export const listed = async (id = chat.id) =>
  (await get<{ data: ExaminationSummary[] }>(`/api/chats/${id}/examinations`)).data;
export const examination = (id: string) => get<Examination>(`/api/examinations/${id}`);
export const versions = async (id: string) =>
  (await get<{ data: ReportVersion[] }>(`/api/examinations/${id}/versions`)).data;
export const lines = async (id = chat.id) =>
  (await get<{ data: Message[] }>(`/api/chats/${id}/messages?after=0&limit=100`)).data.map(
    ({ body, sender }) => `${sender.name} ${body}`,
  );
export const base = () => `/api/facilities/${facility.id}`;
export const waiting = async (state = 'unmatched') =>
  (await get<{ data: UnmatchedResult[] }>(`${base()}/laboratory-results?state=${state}&limit=200`)).data.filter(
    ({ number }) => number.includes(mrn) || number === 'P-only',
  );

export async function only(): Promise<Examination> {
  const [one, other] = await listed();
  if (!one || other) throw new Error(`${other ? 'several' : 'no'} examinations`);
  return examination(one.id);
}

export async function firstWaiting(): Promise<UnmatchedResult> {
  const [one, other] = await waiting();
  if (!one || other) throw new Error(`${other ? 'several wait' : 'none waits'}`);
  return one;
}

/** By Mira into this test's chat, where nothing else is said. */
export function assign(id: string, body: object, who = mira, headers: Record<string, string> = {}) {
  const path = `${base()}/laboratory-results/${id}/assign`;
  return who.client.send('POST', path, { body: { chat_id: chat.id, ...body }, headers });
}

export const stored = (id: string) =>
  server.db.selectFrom('laboratory_results').selectAll().where('id', '=', id).executeTakeFirst();

export const told = (data: unknown, said: string) => (data as { message: Message }).message.body.includes(said);

/** A result of this test's patient that waits for a second chat about them alone. */
export async function tellAgain(): Promise<UnmatchedResult> {
  const second = await newCase();
  await tell({ filler: `D-${mrn}` });
  await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', second.id).execute();
  return firstWaiting();
}

/** An on-call role that somebody holds now. */
export async function newRole(holder: Person, unitId: string | null = null): Promise<string> {
  const id = newId();
  const role = { id, facility_id: facility.id, unit_id: unitId, name: `Registrar ${id}` };
  await server.db.insertInto('on_call_roles').values(role).execute();
  const [starts_at, ends_at] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
  const shift = { id: newId(), facility_id: facility.id, role_id: id, user_id: holder.id, created_by: holder.id };
  await server.db
    .insertInto('on_call_shifts')
    .values({ ...shift, starts_at, ends_at })
    .execute();
  return id;
}

/** Whom the alert in this test's chat calls. */
export async function called(): Promise<string[] | undefined> {
  const { data } = await get<{ data: Message[] }>(`/api/chats/${chat.id}/messages?after=0&limit=100`);
  return data.find(({ urgent }) => urgent)?.urgent?.people.map(({ name }) => name);
}

export async function setFeed(more: object): Promise<void> {
  const { version } = await get<LaboratoryFeed>(`${base()}/laboratory-feed`);
  const body = { version, authority: null, critical_role_id: null, codes: [], ...more };
  const answer = await admin.client.send('PUT', `${base()}/laboratory-feed`, { body });
  expect(answer.statusCode, answer.body).toBe(200);
}

export const byMllp = (text: string) =>
  sendByMllp(text, (one) => server.receiveHl7({ facilityCode: 'LAB', text: one, ip: '10.9.8.7' }));

/** A message among those that were refused, by its number. */
export async function refused(controlId: string): Promise<RefusedMessage | undefined> {
  const path = `/api/census/facilities/${facility.id}/feed/refused?limit=100`;
  const { data } = await get<{ data: RefusedMessage[] }>(path, admin);
  return data.find(({ control_id }) => control_id === controlId);
}
