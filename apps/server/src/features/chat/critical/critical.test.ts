import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { CriticalAlert, CriticalCategory } from '@wardline/contract/chat/critical.ts';
import type { Urgent } from '@wardline/contract/chat/urgent.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import {
  type MadeFacility,
  type MembershipOptions,
  makeFacility,
  makeMembership,
} from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import type { MadeUser } from '#/testing/factories/users.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ICU = { id: newId(), code: 'ICU', name: 'Intensive care' };

let server: TestServer;
let facility: MadeFacility;
let owen: Person;
let mira: Person;
let ana: Person;
/** On call, and in no chat. */
let leila: Person;
let outsider: Person;
let roleId: string;
let chat: Chat;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  owen = await person('Owen Clarke');
  mira = await person('Mira Okafor');
  ana = await person('Ana Reyes');
  leila = await person('Leila Haddad', ['houseSupervisor']);
  outsider = await person('Otto Outsider');
  roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: 'Medical registrar' });
  await makeShift(server.db, {
    ...{ facilityId: facility.id, roleId, userId: leila.id },
    ...{ startsAt: new Date(Date.now() - HOUR_MS), endsAt: new Date(Date.now() + 100 * HOUR_MS) },
  });
  // Who signs works in a second hospital, whose unit has the same code.
  const second = await makeFacility(server.db);
  await makeMembership(server.db, { facility: second, userId: owen.id });
  const unit = { kind: 'icu', position: 9 };
  const others = { ...ICU, ...unit, id: newId(), facility_id: second.id };
  await server.db.insertInto('units').values(others).execute();
  await server.db
    .insertInto('units')
    .values({ ...ICU, ...unit, facility_id: facility.id })
    .execute();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.updateTable('escalations').set({ due_at: null }).execute();
  const patient = { name: 'Edith Maron', identifier: 'MRN 40-118-236', born_on: '1948-03-14', bed: 'ICU-05' };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [mira.id, ana.id] };
  chat = (await owen.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
});

const person = (name: string, roles?: MembershipOptions['roles']) =>
  signedInMember(server, { facility, name, ...(roles && { roles }) });

const people = (...asked: readonly MadeUser[]) => ({ people: asked.map(({ id }) => id), role_id: null });
const alertTo = (targets: object = people(mira), category: CriticalCategory = 'minutes') => ({
  ...{ kind: 'alert', category, targets },
});
const NOBODY = { kind: 'none', reason: 'Known, on dialysis, told by telephone' };

const inProgress = (values: Readonly<Record<string, string>> = { potassium: '6.8' }) =>
  makeExamination(server.db, {
    ...{ chatId: chat.id, facilityId: facility.id, userId: owen.id, state: 'in_progress', values },
  });
const sign = (id: string, more: object, { who = owen, version = 1, to = 'reported' } = {}) =>
  who.client.send('POST', `/api/examinations/${id}/transitions`, {
    body: { to, expected_version: version, ...more },
  });

async function raised(critical: object = alertTo(), values?: Readonly<Record<string, string>>) {
  const answer = await sign(await inProgress(values), { critical });
  expect(answer.statusCode, answer.body).toBe(200);
  const examination: Examination = answer.json();
  const [alert] = examination.critical_alerts ?? [];
  if (!alert) throw new Error('no alert');
  return { examination, alert, messageId: alert.message_id };
}

async function read(who: Person, messageId: string): Promise<Message & { urgent: Urgent; critical: CriticalAlert }> {
  const page = (await who.client.send('GET', `/api/chats/${chat.id}/messages?limit=100`)).json();
  const found = page.data.find(({ id }: Message) => id === messageId);
  return { ...found, critical: found.urgent.critical };
}
const linesOf = async (): Promise<string[]> => {
  const page = (await owen.client.send('GET', `/api/chats/${chat.id}/messages?limit=100`)).json();
  return page.data.map(({ sender, body }: Message) => `${sender.name} ${body}`);
};

const receive = (who: Person, messageId: string) =>
  who.client.send('PUT', `/api/chats/${chat.id}/messages/${messageId}/critical/receipt`, { body: {} });
const RIGHT = {
  findings: [{ field: 'potassium', value: '6,80', unit: 'mmol/l' }],
  patient: { name: '', identifier: '40-118-236', born_on: null },
};
const readBack = (who: Person, messageId: string, said: object = RIGHT) =>
  who.client.send('POST', `/api/chats/${chat.id}/messages/${messageId}/critical/read-backs`, { body: said });
const urgentAct = (who: Person, messageId: string, what: 'acceptance' | 'closure' | 'withdrawal', note?: string) =>
  who.client.send('PUT', `/api/chats/${chat.id}/messages/${messageId}/urgent/${what}`, {
    body: note === undefined ? {} : { note },
  });
const later = (minutes: number) => server.runEscalations(new Date(Date.now() + minutes * MINUTE_MS + 2_000));
const kindsOf = (urgent: Urgent) => urgent.entries.map(({ kind }) => kind);

describe('at the signature', () => {
  it('EXAM-5 a critical finding is not signed without a decision, and nothing is kept of the try', async () => {
    const id = await inProgress({ potassium: '6.8', sodium: '118' });
    const refused = await sign(id, {});
    expect(refused.statusCode).toBe(422);
    const text = 'Critical: Potassium, Sodium. Choose whom to call, or say why nobody needs to be.';
    expect(refused.json()).toMatchObject({ message: text, errors: { critical: [text] } });
    expect((await owen.client.send('GET', `/api/examinations/${id}`)).json()).toMatchObject({ state: 'in_progress' });
    for (const critical of [
      { kind: 'none', reason: ' ' },
      { kind: 'alert', category: 'soon', targets: people(mira) },
    ]) {
      expect((await sign(id, { critical })).statusCode).toBe(422);
    }
    const nobody = await sign(id, { critical: alertTo(people()) });
    expect(nobody.json().errors).toEqual({ 'critical.targets': ['Choose who must acknowledge it.'] });
    const stranger = await sign(id, { critical: alertTo(people(outsider)) });
    expect(stranger.json().errors).toHaveProperty(['critical.targets']);
    expect(
      await server.db.selectFrom('critical_alerts').select('id').where('examination_id', '=', id).execute(),
    ).toEqual([]);
  });

  it('EXAM-5 nobody is called where the signer says why, and the reason is kept', async () => {
    const id = await inProgress();
    const signed = await sign(id, { critical: NOBODY });
    expect(signed.json()).toMatchObject({
      critical_alerts: [],
      critical_decisions: [{ report_version: 1, by: { name: 'Owen Clarke' }, reason: NOBODY.reason }],
    });
    expect((await linesOf()).at(-1)).toBe(
      `Owen Clarke signed: Renal profile, version 1. Critical: Potassium 6.8 mmol/L, HH. No alert: ${NOBODY.reason}`,
    );
    const audits = await auditOf(server, 'examination.move', owen.id);
    expect(audits.filter(({ object_id }) => object_id === id)).toMatchObject([
      { detail: { critical: { kind: 'none' } } },
    ]);
    await expect(
      sql`update critical_decisions set reason = 'Another' where examination_id = ${id}`.execute(server.db),
    ).rejects.toThrow('never changed');
  });

  it('EXAM-5 a decision where nothing critical is new is refused, and one that goes with no signature', async () => {
    const well = await inProgress({ potassium: '4.8' });
    expect((await sign(well, { critical: NOBODY })).json().errors).toHaveProperty('critical');
    const back = await sign(well, { critical: NOBODY, reason: 'Wrong tube' }, { to: 'requested' });
    expect(back.json().errors).toHaveProperty('critical');
  });

  it('EXAM-5 URG-2 an alert calls, is a message with the finding and two identifiers, and stands beside its report', async () => {
    const { examination, alert, messageId } = await raised();
    expect(alert).toMatchObject({
      ...{ examination_id: examination.id, title: 'Renal profile', report_version: 1, category: 'minutes' },
      ...{ state: 'notifying', read_backs: [] },
      findings: [{ field: 'potassium', label: 'Potassium', value: '6.8', interpretation: 'HH' }],
    });
    const message = await read(mira, messageId);
    expect(message).toMatchObject({
      sender: { name: 'Owen Clarke' },
      body: 'Critical: Potassium 6.8 mmol/L, HH\nEdith Maron, MRN 40-118-236, bed ICU-05\nRenal profile, version 1',
      urgent: { state: 'calling', people: [{ user_id: mira.id, times: 1 }] },
      critical: { id: alert.id, state: 'notifying' },
    });
    const waiting = (await mira.client.send('GET', '/api/urgent')).json();
    expect(waiting.data).toMatchObject([{ message_id: messageId, critical: 'minutes', waits_for: 'accept' }]);
    const row = await server.db.selectFrom('critical_alerts').selectAll().where('id', '=', alert.id).executeTakeFirst();
    expect(row).toMatchObject({ unit_id: ICU.id });
    const audits = await auditOf(server, 'examination.move', owen.id);
    expect(audits.find(({ object_id }) => object_id === examination.id)).toMatchObject({
      detail: { critical: { kind: 'alert', alert: alert.id, category: 'minutes' } },
    });
    const push = await sql<{ payload: string }>`
      select payload::text from jobs where payload::text like ${`%${messageId}%`}`.execute(server.db);
    expect(JSON.stringify(push.rows)).not.toMatch(/Edith|6\.8|Potassium/);
  });

  it('EXAM-5 a long text is put into few words for the read-back', async () => {
    const id = await makeExamination(server.db, {
      ...{ chatId: chat.id, facilityId: facility.id, userId: owen.id, state: 'in_progress' },
      impression: 'A very long impression. '.repeat(10),
    });
    await sql`update examination_entries set interpretation = 'AA' where examination_id = ${id}`.execute(server.db);
    const refused = await sign(id, { critical: alertTo(), entries: [{ field: 'potassium', value: '4.0' }] });
    expect(refused.json().errors).toHaveProperty(['critical.statements.impression']);
    const statements = [{ field: 'impression', text: 'Acute renal failure' }];
    const signed = await sign(id, {
      ...{ critical: { ...alertTo(), statements }, entries: [{ field: 'potassium', value: '4.0' }] },
    });
    expect(signed.json().critical_alerts[0].findings).toMatchObject([{ value: 'Acute renal failure', unit: null }]);
  });
});

describe('the read-back', () => {
  it('EXAM-5 one that does not agree names the part, is kept, and closes nothing; the next one that agrees ends the calling', async () => {
    const { messageId, alert } = await raised();
    expect((await receive(mira, messageId)).json().urgent.critical).toMatchObject({ state: 'received' });
    const wrongs = [
      [{ ...RIGHT, findings: [{ field: 'potassium', value: '8.6', unit: 'mmol/L' }] }, 'value'],
      [{ ...RIGHT, findings: [{ field: 'potassium', value: '6.8', unit: 'mg/dL' }] }, 'unit'],
      [{ ...RIGHT, patient: { name: 'Edith Maron', identifier: '', born_on: null } }, 'patient'],
    ] as const;
    for (const [said, part] of wrongs) {
      const answer = (await readBack(mira, messageId, said)).json();
      expect(answer).toMatchObject({ is_right: false, wrong: [{ part }] });
      expect(answer.message.urgent).toMatchObject({ state: 'calling', critical: { state: 'received' } });
      expect(JSON.stringify(answer.wrong)).not.toMatch(/6\.8|mmol|40-118/);
    }
    const right = (await readBack(mira, messageId)).json();
    expect(right).toMatchObject({ is_right: true, wrong: [] });
    expect(right.message.urgent).toMatchObject({ state: 'accepted', critical: { state: 'read_back_ok' } });
    const kept = await server.db
      .selectFrom('critical_read_backs')
      .select(['place', 'is_right', 'said'])
      .where('alert_id', '=', alert.id)
      .orderBy('place')
      .execute();
    expect(kept.map(({ is_right }) => is_right)).toEqual([false, false, false, true]);
    expect(kept[0]?.said).toMatchObject({ findings: [{ value: '8.6' }] });
    const { urgent, critical } = await read(owen, messageId);
    expect(kindsOf(urgent)).toEqual(['sent', 'received', 'misread', 'misread', 'misread', 'accepted']);
    expect(critical.read_backs.map(({ by, is_right }) => [by.name, is_right])).toEqual([
      ...[1, 2, 3].map(() => ['Mira Okafor', false]),
      ['Mira Okafor', true],
    ]);
    expect((await linesOf()).slice(-4)).toEqual([
      'Mira Okafor read the critical result back, not agreed: value of Potassium',
      'Mira Okafor read the critical result back, not agreed: unit of Potassium',
      'Mira Okafor read the critical result back, not agreed: patient',
      'Mira Okafor read back the critical result',
    ]);
    const audits = (await auditOf(server, 'critical.read_back', mira.id)).filter(
      ({ object_id }) => object_id === messageId,
    );
    expect(audits.map(({ detail }) => (detail as { is_right: boolean }).is_right).sort()).toEqual([
      ...[false, false, false],
      true,
    ]);
  });

  it('EXAM-5 it climbs on while somebody reads back wrongly, over people who do not answer, and a restart loses nothing', async () => {
    const { messageId } = await raised(alertTo({ people: [mira.id], role_id: null }));
    await later(5);
    expect((await read(owen, messageId)).critical.state).toBe('notifying');
    await readBack(mira, messageId, { ...RIGHT, patient: { name: '', identifier: '1', born_on: null } });
    await later(10);
    const { urgent, critical } = await read(owen, messageId);
    expect([urgent.state, critical.state]).toEqual(['calling', 'escalated']);
    expect(urgent.people.map(({ name }) => name)).toEqual(['Mira Okafor', 'Ana Reyes']);
    await later(15);
    await later(20);
    expect((await read(owen, messageId)).critical.state).toBe('exhausted');
    expect((await readBack(ana, messageId)).json()).toMatchObject({ is_right: true });
    expect((await read(owen, messageId)).critical).toMatchObject({ state: 'read_back_ok' });
  });

  it('EXAM-5 each category climbs at its pace: within hours a step is an hour, within days a day', async () => {
    const paces = { minutes: [5, 10, 15], hours: [60, 120, 180], days: [1440, 2880, 4320] } as const;
    for (const category of ['minutes', 'hours', 'days'] as const) {
      const { messageId } = await raised(alertTo(people(mira), category));
      const { urgent } = await read(owen, messageId);
      expect(urgent.steps.map(({ after_min }) => after_min)).toEqual(paces[category]);
      const sent = Date.parse(urgent.entries[0]?.at ?? '');
      expect(Date.parse(urgent.due_at ?? '') - sent).toBe(paces[category][0] * MINUTE_MS);
      const due_at = (await readBack(mira, messageId)).json().message.urgent.due_at;
      const reminder = { minutes: 15, hours: 180, days: 4320 }[category];
      expect(Math.round((Date.parse(due_at) - Date.now()) / MINUTE_MS)).toBe(reminder);
    }
  });

  it('EXAM-5 a role’s holder who is not in the chat is let in, and reads back', async () => {
    const { messageId } = await raised(alertTo({ people: [], role_id: roleId }));
    expect((await readBack(leila, messageId)).json()).toMatchObject({ is_right: true });
    expect((await readBack(mira, messageId)).statusCode, 'not called').toBe(403);
    expect((await readBack(outsider, messageId)).statusCode).toBe(404);
    expect((await receive(outsider, messageId)).statusCode).toBe(404);
  });

  it('EXAM-5 of a message with no critical result there is nothing to read back, urgent or not', async () => {
    for (const urgent of [undefined, { targets: people(mira) }]) {
      const body = { client_id: newId(), body: 'Please look', ...(urgent && { urgent }) };
      const sent: Message = (await owen.client.send('POST', `/api/chats/${chat.id}/messages`, { body })).json();
      expect((await readBack(mira, sent.id)).statusCode).toBe(404);
      expect((await receive(mira, sent.id)).statusCode).toBe(404);
    }
  });

  it('EXAM-5 CHAT-7 of 50 at once one wins, and the others are told who', async () => {
    const { messageId } = await raised(alertTo(people(mira, ana)));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => readBack(index % 2 ? mira : ana, messageId)),
    );
    const kept = await sql<{ user_id: string }>`
      select user_id from critical_read_backs where is_right and alert_id = (
        select id from critical_alerts where message_id = ${messageId})`.execute(server.db);
    expect(kept.rows).toHaveLength(1);
    const winner = kept.rows[0]?.user_id === mira.id ? mira : ana;
    const told = answers.filter(({ statusCode }) => statusCode === 409).map((answer) => answer.json().message);
    expect(new Set(told)).toEqual(new Set([`${winner.name} has read it back meanwhile.`]));
    expect(told, 'all of the other').toHaveLength(25);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(25);
    expect(kindsOf((await read(owen, messageId)).urgent)).toEqual(['sent', 'accepted']);
  });

  it('EXAM-5 nothing but a right read-back accepts it, and it closes by what was done', async () => {
    const { messageId, examination } = await raised();
    for (const answer of [
      await urgentAct(mira, messageId, 'acceptance'),
      await urgentAct(mira, messageId, 'closure', 'Calcium given'),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json().message).toBe('Read the result back first.');
    }
    const deleting = { body: { reason: 'Wrong' } };
    const deleted = await owen.client.send('PUT', `/api/chats/${chat.id}/messages/${messageId}/deletion`, deleting);
    expect(deleted.statusCode, deleted.body).toBe(409);
    await readBack(mira, messageId);
    const closed = await urgentAct(mira, messageId, 'closure', 'Calcium given, K repeated');
    expect(closed.json().urgent).toMatchObject({ state: 'closed', critical: { state: 'closed' } });
    const { times } = closed.json().urgent.critical;
    expect(Object.values(times).every((at) => at !== null)).toBe(true);
    expect((await linesOf()).at(-1)).toBe('Mira Okafor closed the critical alert: Calcium given, K repeated');
    expect((await readBack(mira, messageId)).statusCode).toBe(409);
    const panel = (await owen.client.send('GET', `/api/examinations/${examination.id}`)).json();
    expect(panel.critical_alerts).toMatchObject([{ message_id: messageId, state: 'closed' }]);
  });

  it('EXAM-5 ADM-3 that somebody has it is noted once, and who comes after a read-back is told so', async () => {
    const { messageId, alert, examination } = await raised(alertTo(people(mira, ana)));
    for (let press = 0; press < 2; press++) expect((await receive(mira, messageId)).statusCode).toBe(200);
    expect(kindsOf((await read(owen, messageId)).urgent)).toEqual(['sent', 'received']);
    const detail = { chat: chat.id, alert: alert.id, examination: examination.id };
    const of = async (action: string) =>
      (await auditOf(server, action, mira.id))
        .filter(({ object_id }) => object_id === messageId)
        .map((one) => one.detail);
    expect(await of('critical.receive')).toEqual([{ ...detail, from: 'notifying' }]);
    await readBack(mira, messageId, { ...RIGHT, patient: { name: '', identifier: '1', born_on: null } });
    await readBack(mira, messageId);
    expect(await of('critical.read_back')).toEqual([
      { ...detail, from: 'received', is_right: true },
      { ...detail, from: 'received', is_right: false, wrong: [{ part: 'patient', label: null }] },
    ]);
    const late = [await receive(ana, messageId), await urgentAct(ana, messageId, 'acceptance')];
    expect(late.map((answer) => [answer.statusCode, answer.json().message])).toEqual([
      [409, 'Mira Okafor has read it back meanwhile.'],
      [409, 'Somebody else has read it back meanwhile.'],
    ]);
    // Who was called may say what was done, whoever read it back.
    expect((await urgentAct(ana, messageId, 'closure', 'Calcium given')).statusCode).toBe(200);
    expect((await readBack(mira, messageId)).statusCode, 'it is over').toBe(409);
  });

  it.each(['receipt', 'read-back'])('EXAM-5 A16 no %s of who is taken out of the chat while it waits', async (what) => {
    const { messageId } = await raised();
    let asking: ReturnType<typeof receive> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      asking = what === 'receipt' ? receive(mira, messageId) : readBack(mira, messageId);
      await untilBlocked(server.db, asking);
      const place = sql`chat_id = ${chat.id} and user_id = ${mira.id}`;
      await sql`update chat_participants set left_at = now() where ${place}`.execute(tx);
    });
    expect((await asking)?.statusCode).toBe(404);
    expect((await read(owen, messageId)).critical).toMatchObject({ state: 'notifying', read_backs: [] });
  });

  it('EXAM-5 who raised it may withdraw it with a reason, and nobody else', async () => {
    const { messageId } = await raised();
    expect((await urgentAct(mira, messageId, 'withdrawal', 'Not mine')).statusCode).toBe(403);
    const withdrawn = await urgentAct(owen, messageId, 'withdrawal', 'Told in person');
    expect(withdrawn.json().urgent).toMatchObject({ state: 'withdrawn', critical: { state: 'withdrawn' } });
    expect((await receive(mira, messageId)).json().message).toBe('This alert was withdrawn meanwhile.');
  });

  it('EXAM-5 where who read it back leaves the chat before anything was done, it calls again', async () => {
    const { messageId } = await raised(alertTo(people(mira, ana)));
    await readBack(mira, messageId);
    await mira.client.send('DELETE', `/api/chats/${chat.id}/participants/${mira.id}`);
    await later(16);
    const { urgent, critical } = await read(owen, messageId);
    expect(kindsOf(urgent)).toContain('resumed');
    expect(critical.times.read_back_at).toBeNull();
    expect((await readBack(ana, messageId)).json()).toMatchObject({ is_right: true });
  });

  it('EXAM-5 A15 each step is told to who has the chat open and to nobody else', async () => {
    const [listening, stranger] = [await openSocket(server), await openSocket(server)];
    await listening.join(ana.client, `presence-chat.${chat.id}`);
    expect(await stranger.join(outsider.client, `presence-chat.${chat.id}`)).toBe(403);
    const { messageId } = await raised();
    await readBack(mira, messageId);
    await expect
      .poll(() => listening.frames.filter(({ event }) => event === 'App\\Events\\ExaminationChanged').length)
      .toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(stranger.frames)).not.toContain(messageId);
    listening.close();
    stranger.close();
  });
});

describe('an amendment', () => {
  const amend = (id: string, values: Readonly<Record<string, string>>, more: object = {}, version = 2) =>
    sign(
      id,
      {
        ...{ reason: 'Sample mixed up', ...more },
        entries: Object.entries(values).map(([field, value]) => ({ field, value })),
      },
      { to: 'amended', version },
    );

  it('EXAM-5 that leaves the critical finding asks nothing and lets the alert go on', async () => {
    const { examination, messageId } = await raised();
    expect((await amend(examination.id, { sodium: '140' })).statusCode).toBe(200);
    expect((await read(owen, messageId)).critical.state).toBe('notifying');
  });

  it('EXAM-5 after which nothing is critical withdraws the alert, in the name of who amended', async () => {
    const { examination, messageId } = await raised();
    expect((await amend(examination.id, { potassium: '4.8' })).statusCode).toBe(200);
    const { urgent, critical } = await read(mira, messageId);
    expect([urgent.state, critical.state]).toEqual(['withdrawn', 'withdrawn']);
    expect((await linesOf()).at(-1)).toBe(
      'Owen Clarke withdrew the critical alert: Version 2 of the report replaces it.',
    );
    expect((await readBack(mira, messageId)).json().message).toBe('This alert was withdrawn meanwhile.');
  });

  it('EXAM-5 that brings a new critical value asks again, and what the old alert also called about', async () => {
    const { examination, messageId } = await raised(alertTo(), { potassium: '6.8', sodium: '118' });
    const refused = await amend(examination.id, { potassium: '7.1' });
    expect(refused.json().errors.critical[0]).toContain('Critical: Potassium, Sodium.');
    expect((await read(owen, messageId)).critical.state, 'nothing happened').toBe('notifying');
    const amended = await amend(examination.id, { potassium: '7.1' }, { critical: alertTo(people(ana)) });
    expect(amended.statusCode, amended.body).toBe(200);
    const [fresh, old] = amended.json().critical_alerts;
    expect(old).toMatchObject({ message_id: messageId, state: 'withdrawn', report_version: 1 });
    expect(fresh).toMatchObject({ state: 'notifying', report_version: 2 });
    expect(fresh.findings.map(({ value }: { value: string }) => value)).toEqual(['7.1', '118']);
  });

  it('EXAM-5 withdraws the alert about what it changed, and lets another one of the same report go on', async () => {
    const { examination, messageId } = await raised();
    const second = await amend(examination.id, { sodium: '118' }, { critical: alertTo(people(ana)) });
    const fresh = second.json().critical_alerts.find((one: { report_version: number }) => one.report_version === 2);
    expect(fresh.findings.map(({ field }: { field: string }) => field)).toEqual(['sodium']);
    const third = await amend(examination.id, { sodium: '140' }, {}, 3);
    expect(third.statusCode, third.body).toBe(200);
    expect((await read(owen, messageId)).critical.state).toBe('notifying');
    expect((await read(owen, fresh.message_id)).critical.state).toBe('withdrawn');
    const [entry] = await auditOf(server, 'examination.move', owen.id);
    expect(entry?.detail).toMatchObject({ event: 'amend', withdrawn_alerts: [fresh.id] });
  });

  it('EXAM-5 a mark of an error withdraws what is open', async () => {
    const { examination, messageId } = await raised();
    const more = { to: 'entered_in_error', version: 2 };
    const marked = await sign(examination.id, { reason: 'Other patient' }, more);
    expect(marked.statusCode, marked.body).toBe(200);
    expect((await read(owen, messageId)).critical.state).toBe('withdrawn');
  });

  it('EXAM-5 races a right read-back: whichever is first stands, and neither is half done', async () => {
    for (let round = 0; round < 5; round++) {
      const { examination, messageId } = await raised();
      const [said, changed] = await Promise.all([
        readBack(mira, messageId),
        amend(examination.id, { potassium: '4.8' }),
      ]);
      expect(changed.statusCode, changed.body).toBe(200);
      expect([200, 409]).toContain(said.statusCode);
      expect((await read(owen, messageId)).critical.state).toBe('withdrawn');
    }
  });
});

describe('the times', () => {
  const ask = (who: Person, query: string, place = '') =>
    who.client.send('GET', `/api/facilities/${facility.id}/critical-times${place}?${query}`);

  it('EXAM-5 are told by unit, month and category, as median and 90th percentile of times that occurred, and as a file', async () => {
    const { alert } = await raised();
    for (let n = 0; n < 10; n++) {
      const body = { client_id: newId(), body: `Number ${n}` };
      await owen.client.send('POST', `/api/chats/${chat.id}/messages`, { body });
    }
    // Ten of one month, by the calendar of Dublin: 1 to 10 minutes to the read-back, and one of them never done.
    await sql`
      insert into critical_alerts (id, facility_id, chat_id, message_id, examination_id, report_version, unit_id, category, state,
        version, findings, patient, identified_at, notified_at, received_at, read_back_at, acted_at, closed_at)
      select gen_random_uuid(), a.facility_id, a.chat_id, m.id, a.examination_id, 1, a.unit_id, 'hours',
        case when n < 10 then 'closed' else 'read_back_ok' end, 5, a.findings, a.patient, t.at, t.at + interval '1 s',
        t.at + interval '30 s', t.at + n * interval '1 min',
        case when n < 10 then t.at + n * interval '2 min' end, case when n < 10 then t.at + n * interval '2 min' end
      from critical_alerts a
      join lateral (
        select id, row_number() over (order by seq) as n from messages where chat_id = a.chat_id and body like 'Number %') m on true
      cross join lateral (select timestamptz '2026-03-31 23:30+00' + n * interval '1 s' as at) t
      where a.id = ${alert.id}`.execute(server.db);
    const answer = await ask(leila, 'from=2026-04&to=2026-04');
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().data).toEqual([
      {
        ...{ month: '2026-04', unit: ICU, category: 'hours', raised: 10, withdrawn: 0, open: 1 },
        notified: { count: 10, median_s: 1, p90_s: 1 },
        received: { count: 10, median_s: 30, p90_s: 30 },
        read_back: { count: 10, median_s: 300, p90_s: 540 },
        acted: { count: 9, median_s: 600, p90_s: 1080 },
      },
    ]);
    const file = await ask(leila, 'from=2026-04&to=2026-04', '/export');
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.payload.split('\r\n')[1]).toBe(
      '2026-04,ICU,Intensive care,hours,10,0,1,10,1,1,10,30,30,10,300,540,9,600,1080',
    );
    expect(await auditOf(server, 'critical.times.export', leila.id)).toHaveLength(1);
  });

  it('EXAM-5 are for who plans on-call, of 13 months at most', async () => {
    expect((await ask(mira, 'from=2026-04&to=2026-04')).statusCode).toBe(403);
    expect((await ask(leila, 'from=2026-04&to=2027-05')).json().errors).toEqual({ to: ['At most 13 months.'] });
    expect((await ask(leila, 'from=2026-04&to=2026-03')).statusCode).toBe(422);
    expect((await ask(leila, 'from=2026-4&to=2026-05')).statusCode).toBe(422);
    expect((await ask(leila, 'from=2026-04&to=2027-04')).statusCode).toBe(200);
  });
});
