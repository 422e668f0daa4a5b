import { EMERGENCY_ACCESS_HOURS } from '@wardline/contract/chat/emergency-access.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createChat } from '#/features/chat/chats/create-chat.ts';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { listMessages } from '#/features/chat/messages/list-messages.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { listParticipants } from '#/features/chat/participants/list-participants.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import type { ShippedRole } from '#/features/facilities/roles/shipped-roles.ts';
import { createCounter } from '#/platform/http/rate-limit.ts';
import { createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { actorOf } from '#/testing/actor-of.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { END_JOB, endEmergency } from './end-emergency.ts';
import { findPatientChats } from './find-patient-chats.ts';
import { openInEmergency } from './open-in-emergency.ts';
import { countEmergencyAccesses, listEmergencyAccesses, reviewEmergencyAccess } from './review-emergencies.ts';

let ward: Ward;
let ana: Person;
let leila: Person;
let officer: Person;
let chat: { id: string };
let patient: { identifier: string; born_on: string };
const rechecked: string[] = [];
const rightsChanged = (userId: string) => void rechecked.push(userId);
const looks = createCounter('looks', { points: 1000, duration: 60 });
const WHY = 'Cardiac arrest on MED 3A, I am the anaesthetist.';

beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  leila = await ward.person('Leila Haddad');
  officer = await reviewer('Owen Park');
});
afterAll(() => ward.close());
beforeEach(async () => {
  patient = { identifier: `ME-${newId()}`, born_on: '1950-02-03' };
  chat = await openCase(patient);
  await say(ana, chat, { body: 'K 6.9, ECG shows peaked T.' });
  ward.published.length = 0;
  rechecked.length = 0;
});

const here = { query: {}, body: {} };
const facility = () => ({ params: { facility: ward.facility.id } });

async function openCase({ identifier, born_on }: { identifier: string; born_on?: string }) {
  const about = { name: 'Rosa Lindqvist', identifier, ...(born_on && { born_on }) };
  const body = { client_id: newId(), kind: 'case' as const, patient: about, participant_ids: [] };
  return createChat(await ana.ask(), { ...facility(), query: {}, body });
}

/** Reviews, and treats nobody unless a further role says so. */
async function reviewer(name: string, roles: ShippedRole[] = ['facilityAdministrator']): Promise<Person> {
  const user = await makeUser(ward.db, { name });
  await makeMembership(ward.db, { userId: user.id, facility: ward.facility, roles });
  const ask = async () => ({ ...(await ana.ask()), actor: await actorOf(ward.db, user) });
  return { ...ana, ...user, ask };
}

const look = async (by: Person, body: { identifier: string; born_on?: string | null } = patient) =>
  (await findPatientChats({ looks })(await by.ask(), { ...facility(), query: {}, body })).data;

const open = async (by: Person, { clientId = newId(), chatId = chat.id, of = patient } = {}) =>
  openInEmergency({ looks })(await by.ask(), {
    ...facility(),
    query: {},
    body: { client_id: clientId, chat_id: chatId, ...of, reason: WHY },
  });

const linesFor = async (person: Person) => {
  const { data } = await listMessages(await person.ask(), { params: { chat: chat.id }, ...here });
  return data.map((message) => message.body);
};

const list = async (by: Person, query = {}) =>
  listEmergencyAccesses(await by.ask(), { ...facility(), query, body: {} });

const accessHere = async () => {
  const { data } = await list(officer, { limit: 200 });
  const found = data.find((access) => access.chat.id === chat.id);
  if (!found) throw new Error('no emergency access to this chat');
  return found;
};

const review = async (by: Person, id: string, verdict: 'justified' | 'not_justified' = 'justified') =>
  reviewEmergencyAccess(await by.ask(), {
    params: { facility: ward.facility.id, emergency_access: id },
    query: {},
    body: { verdict, note: 'Seen with the ward.' },
  });

/** The hours are over. */
async function endTheHours(): Promise<void> {
  await ward.db.updateTable('jobs').set({ run_at: new Date() }).where('kind', '=', END_JOB).execute();
  const handlers = { [END_JOB]: endEmergency({ publish: (told) => void ward.published.push(...told), rightsChanged }) };
  const jobs = createJobs({ db: ward.db, log: createLog('silent'), handlers });
  await jobs.runDue();
  await jobs.stop();
}

const eventsTo = (user: { id: string }) =>
  ward.published
    .filter(({ channel }) => channel.endsWith(user.id))
    .map(({ event }) => event.replace('App\\Events\\', ''));

test('PERM-4 a member opens the chat of a patient with a reason, reads all of it, writes, and everybody in it sees why', async () => {
  expect(await refusalOf(linesFor(leila))).toBe('404 not_found');
  const [found, ...others] = await look(leila);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ id: chat.id, patient: { name: 'Rosa Lindqvist', ...patient }, is_mine: false });
  expect(await open(leila)).toMatchObject({ id: chat.id, my: { access: 'write' } });
  const line = `opened this chat in an emergency, for ${EMERGENCY_ACCESS_HOURS} hours: ${WHY}`;
  expect(await linesFor(leila)).toEqual(['created the chat', 'K 6.9, ECG shows peaked T.', line]);
  expect(await linesFor(ana)).toContain(line);
  expect(eventsTo(ana)).toContain('ChatChanged');
  expect(eventsTo(leila)).toContain('MembershipChanged');
  expect(await say(leila, chat, { body: 'On my way.' })).toMatchObject({ body: 'On my way.' });
  const { data } = await listParticipants(await ana.ask(), { params: { chat: chat.id }, ...here });
  const until = data.map(({ name, emergency_until }) => [name, typeof emergency_until]);
  expect(until).toEqual([
    ['Ana Reyes', 'object'],
    ['Leila Haddad', 'string'],
  ]);
});

test('PERM-4 a patient is found by number and date of birth together, whatever the case, and only in case chats', async () => {
  const { identifier } = patient;
  expect(await look(leila, { identifier })).toEqual([]);
  expect(await look(leila, { identifier, born_on: '1950-02-04' })).toEqual([]);
  expect(await look(leila, { identifier: identifier.toUpperCase(), born_on: patient.born_on })).toHaveLength(1);
  expect(await look(leila, { identifier: identifier.slice(0, -1), born_on: patient.born_on })).toEqual([]);
  const unborn = `ME-${newId()}`;
  await openCase({ identifier: unborn });
  expect(await look(leila, { identifier: unborn })).toHaveLength(1);
  expect(await look(ana)).toMatchObject([{ is_mine: true }]);
});

test('PERM-4 only who holds chats.break_glass opens, only a case chat, and only with the identifiers of its patient', async () => {
  expect(await refusalOf(look(officer))).toBe('403 forbidden');
  expect(await refusalOf(open(officer))).toBe('403 forbidden');
  expect(await refusalOf(open(leila, { of: { identifier: patient.identifier, born_on: '1951-01-01' } }))).toBe(
    '404 not_found',
  );
  const group = await openChat(ward, ana);
  expect(await refusalOf(open(leila, { chatId: group.id }))).toBe('404 not_found');
  const elsewhere = await ward.person('Emil Novak', await ward.otherFacility());
  expect(await refusalOf(look(elsewhere))).toBe('404 not_found');
  expect(await refusalOf(open(elsewhere))).toBe('404 not_found');
  expect(await linesFor(ana)).toHaveLength(2);
});

test('PERM-4 the same press twice, or by two at once, opens once', async () => {
  const clientId = newId();
  const opened = await Promise.all([open(leila, { clientId }), open(leila, { clientId }), open(leila)]);
  expect(opened.map(({ id }) => id)).toEqual([chat.id, chat.id, chat.id]);
  expect(await linesFor(ana)).toHaveLength(3);
  expect((await list(officer, { limit: 200 })).data.filter((access) => access.chat.id === chat.id)).toHaveLength(1);
});

test('PERM-4 ACC-7 after the hours the person is out at once, as everybody sees; the press that opened it opens nothing more', async () => {
  const clientId = newId();
  await open(leila, { clientId });
  await endTheHours();
  expect(rechecked).toContain(leila.id);
  expect(await refusalOf(linesFor(leila))).toBe('404 not_found');
  expect((await linesFor(ana)).at(-1)).toBe('is no longer in this chat: the emergency access has ended');
  expect(await accessHere()).toMatchObject({ is_open: false });
  expect(await refusalOf(open(leila, { clientId }))).toBe('409 conflict');
  expect(await open(leila)).toMatchObject({ id: chat.id });
});

test('PERM-4 A14 after the hours nobody reads, writes or is told by them, also while the job that ends them waits', async () => {
  await open(leila);
  const opened = { opened_at: new Date(Date.now() - 9 * 3_600_000), ends_at: new Date(Date.now() - 1_000) };
  await ward.db.updateTable('emergency_accesses').set(opened).where('chat_id', '=', chat.id).execute();
  expect(await refusalOf(linesFor(leila))).toBe('404 not_found');
  expect(await refusalOf(say(leila, chat, { body: 'Still here.' }))).toBe('404 not_found');
  ward.published.length = 0;
  await say(ana, chat, { body: 'K 4.1.' });
  expect(ward.published.map(({ channel }) => channel).join()).not.toContain(leila.id);
});

test('PERM-4 whoever is added during the hours stays after them', async () => {
  await open(leila);
  const kept = { params: { chat: chat.id, user: leila.id }, query: {}, body: {} };
  expect(await refusalOf(addParticipant(await leila.ask(), kept).then(() => undefined))).toBe('403 forbidden');
  expect(await addParticipant(await ana.ask(), kept)).toMatchObject({ access: 'write', emergency_until: null });
  expect((await linesFor(ana)).at(-1)).toBe('kept Leila Haddad in the chat');
  await endTheHours();
  expect(await linesFor(leila)).toContain('kept Leila Haddad in the chat');
});

test('PERM-4 who left and was added later is not put out when the hours of before are over', async () => {
  await open(leila);
  const of = { params: { chat: chat.id, user: leila.id }, query: {} };
  await removeParticipant({ rightsChanged })(await leila.ask(), { ...of, body: {} });
  await addParticipant(await ana.ask(), { ...of, body: {} });
  await endTheHours();
  expect((await linesFor(leila)).at(-1)).toBe('added Leila Haddad, who sees all messages');
});

test('PERM-4 who is there in an emergency renames nothing and does not inherit the chat', async () => {
  await open(leila);
  const body = { expected_version: 1, title: 'Mine' };
  expect(await refusalOf(updateChat(await leila.ask(), { params: { chat: chat.id }, query: {}, body }))).toBe(
    '403 forbidden',
  );
  await removeParticipant({ rightsChanged })(await ana.ask(), {
    params: { chat: chat.id, user: ana.id },
    ...here,
  });
  expect((await linesFor(leila)).at(-1)).toBe('left the chat');
});

test('ADM-4 an officer signs off who opened what, once, and never what they opened themselves', async () => {
  await open(leila);
  const access = await accessHere();
  expect(access).toMatchObject({
    person: { id: leila.id, name: 'Leila Haddad' },
    reason: WHY,
    is_open: true,
    review: null,
  });
  expect(await refusalOf(list(leila))).toBe('403 forbidden');
  expect(await refusalOf(review(leila, access.id))).toBe('403 forbidden');
  const elsewhere = await ward.person('Emil Novak', await ward.otherFacility());
  expect(await refusalOf(list(elsewhere))).toBe('404 not_found');
  expect(await refusalOf(review(elsewhere, access.id))).toBe('404 not_found');
  const reviewed = await review(officer, access.id);
  expect(reviewed.review).toMatchObject({ verdict: 'justified', note: 'Seen with the ward.', by: { id: officer.id } });
  expect(await review(officer, access.id)).toEqual(reviewed);
  expect(await refusalOf(review(officer, access.id, 'not_justified'))).toBe('409 conflict');
  const both = await reviewer('Bea Ito', ['clinician', 'facilityAdministrator']);
  await open(both);
  const own = (await list(both, { review: 'waiting', limit: 200 })).data.find(({ person }) => person.id === both.id);
  expect(await refusalOf(review(both, own?.id ?? ''))).toBe('403 forbidden');
});

test('ADM-4 who may sign them off is told how many wait, without their own and those of another facility', async () => {
  const both = await reviewer('Iris Berg', ['facilityAdministrator', 'clinician']);
  const count = async (by: Person) =>
    (await countEmergencyAccesses(await by.ask(), { ...facility(), query: {}, body: {} })).waiting;
  const [before, beforeBoth] = [await count(officer), await count(both)];
  await open(both);
  chat = await openCase(patient);
  await open(leila);
  const there = await ward.otherFacility();
  await makeMembership(ward.db, { userId: both.id, facility: there, roles: ['facilityAdministrator'] });
  const theirs = await makeChat(ward.db, {
    ...{ facilityId: there.id, kind: 'case', title: 'Theirs', participants: [{ userId: both.id }] },
    patient: { name: 'Rosa Lindqvist', identifier: newId(), bornOn: '1950-02-03' },
  });
  const row = { id: newId(), facility_id: there.id, chat_id: theirs.id, user_id: leila.id, reason: WHY };
  await ward.db
    .insertInto('emergency_accesses')
    .values({ ...row, ends_at: new Date(Date.now() + 3_600_000) })
    .execute();
  expect([await count(officer), await count(both)]).toEqual([before + 2, beforeBoth + 1]);
  await review(officer, (await accessHere()).id);
  expect([await count(officer), await count(both)]).toEqual([before + 1, beforeBoth]);
  await expect(count(leila)).rejects.toMatchObject({ code: 'forbidden' });
});

test('PERM-4 A16 is of the facility of the chat, also for who works and answers in two', async () => {
  const there = await ward.otherFacility();
  const both = await reviewer('Bo Both', ['clinician', 'facilityAdministrator']);
  await makeMembership(ward.db, { userId: both.id, facility: there, roles: ['clinician', 'facilityAdministrator'] });
  const astray = { params: { facility: there.id }, query: {} };
  expect(await findPatientChats({ looks })(await both.ask(), { ...astray, body: patient })).toEqual({ data: [] });
  const body = { client_id: newId(), chat_id: chat.id, ...patient, reason: WHY };
  expect(await refusalOf(openInEmergency({ looks })(await both.ask(), { ...astray, body }))).toBe('404 not_found');
  await open(leila);
  const { id } = await accessHere();
  const params = { facility: there.id, emergency_access: id };
  const signing = reviewEmergencyAccess(await both.ask(), { params, query: {}, body: { verdict: 'justified' } });
  expect(await refusalOf(signing)).toBe('404 not_found');
  const listed = await listEmergencyAccesses(await both.ask(), { ...astray, body: {} });
  expect(listed.data).toEqual([]);
  expect(await review(both, id)).toMatchObject({ review: { by: { id: both.id } } });
});

test('PERM-4 ADM-3 A48 nobody comes in whose membership ends meanwhile; each step says whose access it was, and its end waits in the queue', async () => {
  const temp = await ward.person('Temp');
  let opening: Promise<unknown> = Promise.resolve();
  await ward.db.transaction().execute(async (tx) => {
    await tx.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', temp.id).execute();
    opening = refusalOf(open(temp));
    await untilBlocked(ward.db, opening);
  });
  expect(await opening).toBe('404 not_found');
  expect(await linesFor(ana)).toHaveLength(2);
  const clientId = newId();
  await open(leila, { clientId });
  const { ends_at } = await accessHere();
  expect(Math.round((Date.parse(ends_at) - Date.now()) / 3_600_000)).toBe(EMERGENCY_ACCESS_HOURS);
  const jobs = await ward.db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', END_JOB)
    .orderBy('run_at', 'desc')
    .execute();
  expect(jobs[0]).toMatchObject({
    payload: { emergency_access: clientId },
    is_pressing: true,
    run_at: new Date(ends_at),
  });
  await review(officer, clientId, 'not_justified');
  await endTheHours();
  const rows = await ward.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'detail'])
    .where('object_id', '=', chat.id)
    .where('action', 'like', 'chat.emergency.%')
    .orderBy('id')
    .execute();
  expect(rows.map(({ action, actor_id, detail }) => [action.slice(15), actor_id !== null, detail])).toEqual([
    ['open', true, { emergency_access: clientId }],
    ['review', true, { emergency_access: clientId, user: leila.id, verdict: 'not_justified' }],
    ['end', false, { user: leila.id, emergency_access: clientId }],
  ]);
});

test('PERM-4 who holds a role of the chat reads on by it when the hours are over, and is told that it changed', async () => {
  await open(leila);
  const roleId = await makeOnCallRole(ward.db, { facilityId: ward.facility.id, name: `Registrar ${newId()}` });
  const place = { chat_id: chat.id, role_id: roleId, facility_id: ward.facility.id, added_by: ana.id };
  await ward.db
    .insertInto('chat_roles')
    .values({ ...place, access: 'write', joined_seq: 0, holder_id: leila.id })
    .execute();
  const span = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 600_000) };
  await makeShift(ward.db, { facilityId: ward.facility.id, roleId, userId: leila.id, ...span });
  ward.published.length = 0;
  await endTheHours();
  const told = ward.published.filter(
    ({ event, channel }) => event.endsWith('MembershipChanged') && channel.endsWith(leila.id),
  );
  const ofHere = told.map(({ data }) => data).filter((data) => JSON.stringify(data).includes(chat.id));
  expect(ofHere).toEqual([{ facility_id: ward.facility.id, chat_id: chat.id, change: 'changed' }]);
  expect((await linesFor(leila)).at(-1)).toBe('is no longer in this chat: the emergency access has ended');
});

test('ADM-4 the list is paged, the newest first, and the waiting ones leave it once they are reviewed', async () => {
  await open(leila);
  chat = await openCase(patient);
  await open(leila);
  const all = (await list(officer, { limit: 200 })).data;
  const paged: typeof all = [];
  let cursor: string | null = null;
  do {
    const page = await list(officer, { limit: 1, ...(cursor && { cursor }) });
    paged.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(paged).toEqual(all);
  expect(all.map(({ opened_at }) => opened_at)).toEqual(
    all
      .map(({ opened_at }) => opened_at)
      .sort()
      .reverse(),
  );
  await review(officer, (await accessHere()).id);
  const waiting = (await list(officer, { review: 'waiting', limit: 200 })).data;
  expect(waiting.map((access) => access.chat.id)).not.toContain(chat.id);
});

test('ADM-3 looking, opening, ending and reviewing each stand in the audit, also a look that found nothing', async () => {
  await look(leila);
  await look(leila, { identifier: 'nobody', born_on: null });
  await open(leila);
  await endTheHours();
  await review(officer, (await accessHere()).id);
  const entries = await ward.db
    .selectFrom('audit_entries')
    .select(['action', 'object_id'])
    .where('action', 'like', 'chat.emergency.%')
    .where('object_id', 'in', [chat.id, ward.facility.id])
    .orderBy('id')
    .execute();
  const of = (action: string, id: string) =>
    entries.filter((entry) => entry.action === `chat.emergency.${action}` && entry.object_id === id).length;
  expect(['look', 'open', 'end', 'review'].map((action) => of(action, chat.id))).toEqual([1, 1, 1, 1]);
  expect(of('look', ward.facility.id)).toBe(1);
});

test('A16 nobody tries numbers: after so many looks in an hour there is a wait', async () => {
  const few = createCounter('few looks', { points: 2, duration: 3600 });
  const tryNumber = async (identifier: string) =>
    findPatientChats({ looks: few })(await leila.ask(), { ...facility(), query: {}, body: { identifier } });
  await tryNumber('1');
  await tryNumber('2');
  expect(await refusalOf(tryNumber('3'))).toBe('429 too_many_requests');
});
