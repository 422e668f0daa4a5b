import type { CensusFeed, RefusedMessage } from '@wardline/contract/census/feed.ts';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { Examination, ExaminationSummary, ReportVersion } from '@wardline/contract/examinations/examinations.ts';
import type { LaboratoryFeed, LaboratoryMessage, UnmatchedResult } from '@wardline/contract/examinations/laboratory.ts';
import type { TrendValue } from '@wardline/contract/examinations/trends.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeExamination, TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeOnCallRole } from '#/testing/factories/on-call.ts';
import { sendByMllp } from '#/testing/send-by-mllp.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { emptyOldResults } from './feed-queries.ts';
import { oru, POTASSIUM, type SaidResult } from './testing/oru.ts';

let server: TestServer;
let facility: MadeFacility;
let elsewhere: MadeFacility;
/** Signs and assigns. */
let mira: Person;
/** Signs, and assigns nothing. */
let owen: Person;
let away: Person;
let admin: Person;
let machine: Person;
let chat: Chat;
let mrn: string;
let patients = 0;

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
beforeEach(async () => {
  mrn = `40-118-${String(++patients).padStart(3, '0')}`;
  chat = await newCase();
});

const EDITH = { name: 'Edith Maron', born_on: '1948-03-14' };

async function newCase(who: Person = mira, more: object = {}, at: MadeFacility = facility): Promise<Chat> {
  const patient = { ...EDITH, identifier: `MRN ${mrn}`, ...more };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
  const answer = await who.client.send('POST', `/api/facilities/${at.id}/chats`, { body });
  expect(answer.statusCode, answer.body).toBe(201);
  const made = answer.json<Chat>();
  if (who === mira) await mira.client.send('PUT', `/api/chats/${made.id}/participants/${owen.id}`, { body: {} });
  return made;
}

async function hand(text: string, who: Person = machine) {
  const body = { facility: facility.id, message: text };
  const answer = await who.client.send('POST', '/api/census/feeds/hl7', { body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ code: string; error_code: number | null; reason: string | null; acknowledgement: string }>();
}

/** About this test's patient, taken. */
async function tell(said: SaidResult = {}): Promise<string> {
  const text = oru({ mrn, filler: `F-${mrn}`, ...said });
  expect(await hand(text)).toMatchObject({ code: 'AA', reason: null });
  return text;
}

const get = async <T>(path: string, who: Person = mira): Promise<T> => (await who.client.send('GET', path)).json();
const listed = async (id = chat.id) =>
  (await get<{ data: ExaminationSummary[] }>(`/api/chats/${id}/examinations`)).data;
const examination = (id: string) => get<Examination>(`/api/examinations/${id}`);
const versions = async (id: string) => (await get<{ data: ReportVersion[] }>(`/api/examinations/${id}/versions`)).data;
const lines = async (id = chat.id) =>
  (await get<{ data: Message[] }>(`/api/chats/${id}/messages?after=0&limit=100`)).data.map(
    ({ body, sender }) => `${sender.name} ${body}`,
  );
const base = () => `/api/facilities/${facility.id}`;
const waiting = async (state = 'unmatched') =>
  (await get<{ data: UnmatchedResult[] }>(`${base()}/laboratory-results?state=${state}&limit=200`)).data.filter(
    ({ number }) => number.includes(mrn) || number === 'P-only',
  );

async function only(): Promise<Examination> {
  const [one, other] = await listed();
  if (!one || other) throw new Error(`${other ? 'several' : 'no'} examinations`);
  return examination(one.id);
}

async function firstWaiting(): Promise<UnmatchedResult> {
  const [one, other] = await waiting();
  if (!one || other) throw new Error(`${other ? 'several wait' : 'none waits'}`);
  return one;
}

/** By Mira into this test's chat, where nothing else is said. */
function assign(id: string, body: object, who = mira, headers: Record<string, string> = {}) {
  const path = `${base()}/laboratory-results/${id}/assign`;
  return who.client.send('POST', path, { body: { chat_id: chat.id, ...body }, headers });
}

const stored = (id: string) =>
  server.db.selectFrom('laboratory_results').selectAll().where('id', '=', id).executeTakeFirst();

const told = (data: unknown, said: string) => (data as { message: Message }).message.body.includes(said);

/** A result of this test's patient that waits for a second chat about them alone. */
async function tellAgain(): Promise<UnmatchedResult> {
  const second = await newCase();
  await tell({ filler: `D-${mrn}` });
  await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', second.id).execute();
  return firstWaiting();
}

describe('a result of a patient with one open chat', () => {
  it('EXAM-1 EXAM-3 stands there as received from the laboratory, with one line and one audit entry', async () => {
    await tell({ findings: ['NM|2823-3^Potassium^LN||4.4|mmol/L|3.5-5.3|N|||F'], more: ['NTE|1||Haemolysed.'] });
    const made = await only();
    expect(made).toMatchObject({
      ...{ type: 'laboratory', title: 'Renal profile', state: 'reported', report_version: 1, critical: [] },
      created: { by: { name: 'Wardline' }, at: '2026-11-19T10:15:00.000Z' },
      imported: { laboratory: 'final', identifier: `F-${mrn}`, reported_by: ['CORELAB'] },
      my: { can_write: false, can_sign: false },
    });
    expect(made.entries).toMatchObject([
      { field: 'f1', value: '4.4', interpretation: 'N' },
      { field: 'f1n', value: 'Haemolysed.' },
    ]);
    expect(made.template.fields[0]).toMatchObject({
      loinc: '2823-3',
      unit: { code: 'mmol/L' },
      ranges: [{ low: '3.5', high: '5.3' }],
    });
    expect((await lines()).filter((line) => line.includes('laboratory'))).toEqual([
      'Wardline received from the laboratory (CORELAB): Renal profile, final',
    ]);
    const audits = await sql<{ detail: { examination: string } }>`select detail from audit_entries
      where action = 'result.receive' and detail ->> 'examination' = ${made.id}`.execute(server.db);
    expect(audits.rows).toHaveLength(1);
  });

  it('EXAM-6 goes out as FHIR by the laboratory’s own status', async () => {
    await tell({ status: 'P' });
    const { id } = await only();
    const bundle = await get<{ entry: { resource: { resourceType: string; status?: string } }[] }>(
      `/api/examinations/${id}/fhir`,
    );
    const report = bundle.entry.find(({ resource }) => resource.resourceType === 'DiagnosticReport');
    expect(report?.resource.status).toBe('preliminary');
  });

  it('A48 comes once, however often it is sent, also at the same time', async () => {
    const text = oru({ mrn, filler: `F-${mrn}` });
    const answers = await Promise.all([hand(text), hand(text), hand(text)]);
    expect(answers.map(({ code }) => code)).toEqual(['AA', 'AA', 'AA']);
    expect(await listed()).toHaveLength(1);
    expect((await lines()).filter((line) => line.includes('received'))).toHaveLength(1);
  });

  it('A48 goes on where it ended when the server was killed in the middle of a message', async () => {
    const second = [
      'OBR|2||SECOND|58410-2^Blood count^LN|||||||||||||||||||||F',
      'OBX|1|NM|718-7^Hb^LN||140|g/L|||||F',
    ];
    const text = oru({ mrn, filler: `F-${mrn}`, more: second });
    await sql`create function refuse_second() returns trigger language plpgsql as
      $$ begin if new.place = 2 then raise exception 'killed'; end if; return new; end $$`.execute(server.db);
    await sql`create trigger refuse_second before insert on laboratory_results for each row execute function refuse_second()`.execute(
      server.db,
    );
    const body = { facility: facility.id, message: text };
    expect((await machine.client.send('POST', '/api/census/feeds/hl7', { body })).statusCode).toBe(500);
    await sql`drop trigger refuse_second on laboratory_results`.execute(server.db);
    await sql`drop function refuse_second`.execute(server.db);
    expect((await listed()).map(({ title }) => title)).toEqual(['Renal profile']);
    expect(await hand(text)).toMatchObject({ code: 'AA' });
    expect((await listed()).map(({ title }) => title).sort()).toEqual(['Blood count', 'Renal profile']);
    expect((await lines()).filter((line) => line.includes('received'))).toHaveLength(2);
    const places = await sql<{ place: number }>`
      select place from laboratory_results where message_id =
        (select message_id from laboratory_results where report_key like ${`%F-${mrn}%`}) order by place`.execute(
      server.db,
    );
    expect(places.rows, 'of one message').toEqual([{ place: 1 }, { place: 2 }]);
  });

  it('EXAM-3 becomes the next version by a correction, and who read the one before must acknowledge it', async () => {
    await tell({ findings: ['NM|2823-3^Potassium^LN||4.4|mmol/L|||||F', 'NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    const { id } = await only();
    await owen.client.send('PUT', `/api/examinations/${id}/receipt`, { body: { version: 1, is_acknowledged: false } });
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2951-2^Sodium^LN||149|mmol/L||H|||C'] });
    const now = await get<Examination>(`/api/examinations/${id}`, owen);
    expect(now).toMatchObject({
      state: 'amended',
      report_version: 2,
      must_acknowledge: true,
      imported: { laboratory: 'corrected' },
    });
    expect(now.entries.map(({ field, value }) => `${field} ${value}`)).toEqual(['f1 4.4', 'f2 149']);
    expect((await versions(id)).map(({ reason, entries }) => [reason, entries.map(({ value }) => value)])).toEqual([
      [`Corrected by the laboratory (CORELAB, F-${mrn})`, ['4.4', '149']],
      [`Reported by the laboratory (CORELAB, F-${mrn})`, ['4.4', '139']],
    ]);
  });

  it('EXAM-2 EXAM-6 EXAM-7 a finding with a time of its own keeps it: in the report, as FHIR and in the trend', async () => {
    const before = '20261119083000+0000';
    const sodium = (time: string) => `NM|2951-2^Sodium^LN||139|mmol/L|||||F|||${time}`;
    await tell({ findings: [`NM|2823-3^Potassium^LN||4.4|mmol/L|||||F|||${before}`, sodium('20261119101500+0000')] });
    const { id, entries } = await only();
    expect(entries.map(({ observed_at }) => observed_at)).toEqual(['2026-11-19T08:30:00.000Z', undefined]);
    expect((await versions(id))[0]?.entries[0]?.observed_at).toBe('2026-11-19T08:30:00.000Z');
    const { entry } = await get<{ entry: { resource: { resourceType: string; effectiveDateTime?: string } }[] }>(
      `/api/examinations/${id}/fhir`,
    );
    const observed = entry.filter(({ resource }) => resource.resourceType === 'Observation');
    expect(observed.map(({ resource }) => resource.effectiveDateTime)).toEqual([
      '2026-11-19T08:30:00.000Z',
      '2026-11-19T10:15:00.000Z',
    ]);
    const trend = (field: string) => get<{ data: TrendValue[] }>(`/api/examinations/${id}/trend?field=${field}`);
    expect((await trend('f1')).data.map(({ at }) => at)).toEqual(['2026-11-19T08:30:00.000Z']);
    expect((await trend('f2')).data.map(({ at }) => at)).toEqual(['2026-11-19T10:15:00.000Z']);
    // Corrected in its time alone it is another finding.
    await tell({ at: '20261119101500', status: 'C', findings: [sodium('20261119094500+0000')] });
    const now = await only();
    expect(now.report_version).toBe(2);
    expect(now.entries.map(({ observed_at }) => observed_at)).toEqual([
      '2026-11-19T08:30:00.000Z',
      '2026-11-19T09:45:00.000Z',
    ]);
  });

  it('EXAM-3 stays as corrected where the first comes late', async () => {
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2951-2^Sodium^LN||149|mmol/L|||||C'] });
    await tell({ at: '20261119101500', status: 'F', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    expect((await only()).entries.map(({ value }) => value)).toEqual(['149']);
    expect((await only()).report_version).toBe(1);
  });

  it('EXAM-3 makes no new version where the final result says what the preliminary one said', async () => {
    await tell({ status: 'P', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||P'] });
    await tell({ at: '20261119120000', status: 'F', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    expect(await only()).toMatchObject({ report_version: 1, imported: { laboratory: 'final' } });
    expect((await lines()).at(-1)).toBe(
      'Wardline received from the laboratory (CORELAB): Renal profile, final, nothing changed',
    );
  });

  it('EXAM-3 empties what the laboratory took back, and says so', async () => {
    await tell({ findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F', POTASSIUM] });
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||W'] });
    const { entries } = await only();
    expect(entries.map(({ field, value }) => `${field} ${value}`)).toEqual([
      'f1n Taken back by the laboratory: it was wrong',
      'f2 7.1',
    ]);
  });

  it('EXAM-1 becomes the report of what was asked for here under its number', async () => {
    const send = async (path: string, body: object) =>
      (await mira.client.send('POST', path, { body })).json<Examination>();
    const begun = await send(`/api/chats/${chat.id}/examinations`, {
      client_id: newId(),
      template_id: TEMPLATES.renalProfile,
    });
    const entries = [{ field: 'question', value: 'Renal failure?' }];
    const typed = await mira.client.send('PATCH', `/api/examinations/${begun.id}`, {
      body: { expected_version: 1, entries },
    });
    await send(`/api/examinations/${begun.id}/transitions`, {
      to: 'requested',
      expected_version: typed.json<Examination>().version,
    });
    await tell({ placer: begun.id });
    const made = await only();
    expect(made).toMatchObject({ id: begun.id, state: 'reported', requested: { by: { name: 'Mira Okafor' } } });
    expect(made.entries.map(({ field, value }) => `${field} ${value}`).sort()).toEqual([
      'f1 7.1',
      'question Renal failure?',
    ]);
    // What was asked stands beside what was found.
    expect(made.template.fields.map(({ code }) => code)).toContain('question');
    // What the form here would have asked the laboratory for gives way to what it has said.
    expect(made.template.fields.filter(({ part }) => part !== 'request').map(({ code }) => code)).toEqual([
      'f1',
      'comments',
    ]);
  });
});

describe('a critical result', () => {
  it('EXAM-5 calls at once, everybody in the chat where no role is named', async () => {
    await tell();
    const made = await only();
    expect(made.critical).toEqual([{ label: 'Potassium', value: '7.1 mmol/L', interpretation: 'HH' }]);
    expect(made.critical_alerts).toMatchObject([{ category: 'minutes', state: 'notifying' }]);
    expect(
      (await lines()).some((line) => line.startsWith('Wardline Critical: Potassium 7.1 mmol/L, HH\nEdith Maron')),
    ).toBe(true);
    const { data } = await get<{ data: { chat: { id: string } }[] }>('/api/urgent', owen);
    expect(JSON.stringify(data)).toContain(chat.id);
  });

  it('EXAM-5 is told by our own limits, where the laboratory has no flag', async () => {
    await tell({ findings: ['NM|K^Kalium^99L||7.1|mmol/L|||||F'] });
    expect((await only()).critical).toEqual([]);
    await setFeed({ codes: [{ code: 'K', loinc: '2823-3' }] });
    await tell({ at: '20261119110000', findings: ['NM|K^Kalium^99L||7.2|mmol/L|||||F'] });
    expect((await only()).critical).toMatchObject([{ interpretation: 'HH' }]);
    await setFeed({});
  });

  it('EXAM-5 calls whom the facility names, and not again for the same value', async () => {
    const roleId = await newRole(owen);
    await setFeed({ critical_role_id: roleId });
    await tell({ status: 'P' });
    await tell({ at: '20261119120000', status: 'F' });
    await setFeed({});
    const { critical_alerts = [] } = await only();
    expect(critical_alerts).toHaveLength(1);
    expect(await called()).toEqual(['Owen Clarke']);
  });

  it('EXAM-5 calls the on-call role of the unit of the bed before the one that the facility names', async () => {
    const unitId = await makeUnit(server.db, { facilityId: facility.id, name: 'Medical 3A', code: 'MED 3A' });
    await newRole(mira, unitId);
    await server.db.updateTable('chats').set({ patient_bed: 'MED 3A-12' }).where('id', '=', chat.id).execute();
    await setFeed({ critical_role_id: await newRole(owen) });
    await tell();
    await setFeed({});
    expect(await called()).toEqual(['Mira Okafor']);
  });

  it('EXAM-5 calls whom the facility names where the unit of the bed has two roles, and a unit’s one that is in use', async () => {
    const unitId = await makeUnit(server.db, { facilityId: facility.id, name: 'Surgical 2B', code: 'SUR 2B' });
    await server.db.updateTable('chats').set({ patient_bed: 'SUR 2B-03' }).where('id', '=', chat.id).execute();
    const [first, second] = [await newRole(mira, unitId), await newRole(mira, unitId)];
    await setFeed({ critical_role_id: await newRole(owen) });
    await tell();
    expect(await called()).toEqual(['Owen Clarke']);
    const retired = server.db.updateTable('on_call_roles').set({ retired_at: new Date() });
    await retired.where('id', '=', second).execute();
    mrn = `${mrn}-B`;
    chat = await newCase(mira, { bed: 'SUR 2B-03' });
    await tell();
    await setFeed({});
    expect(await called()).toEqual(['Mira Okafor']);
    await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', first).execute();
  });

  it('EXAM-5 withdraws the alert where a correction changes the value', async () => {
    await tell();
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|3.5-5.3|N|||C'] });
    const { critical_alerts = [], critical } = await only();
    expect([critical, critical_alerts.map(({ state }) => state)]).toEqual([[], ['withdrawn']]);
  });
});

/** An on-call role that somebody holds now. */
async function newRole(holder: Person, unitId: string | null = null): Promise<string> {
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
async function called(): Promise<string[] | undefined> {
  const { data } = await get<{ data: Message[] }>(`/api/chats/${chat.id}/messages?after=0&limit=100`);
  return data.find(({ urgent }) => urgent)?.urgent?.people.map(({ name }) => name);
}

async function setFeed(more: object): Promise<void> {
  const { version } = await get<LaboratoryFeed>(`${base()}/laboratory-feed`);
  const body = { version, authority: null, critical_role_id: null, codes: [], ...more };
  const answer = await admin.client.send('PUT', `${base()}/laboratory-feed`, { body });
  expect(answer.statusCode, answer.body).toBe(200);
}

describe('a result that matches nobody, or several', () => {
  it.each<[string, SaidResult | (() => Promise<SaidResult>), string]>([
    ['another number', { mrn: '99-000' }, 'No chat is about a patient with this number.'],
    ['another date of birth', { born: '19480315' }, 'The number fits a chat, but the date of birth differs.'],
    [
      'another name, where no date of birth is told',
      { born: '', name: 'Oakes^Bert' },
      'The number fits a chat, but the name differs.',
    ],
    [
      'two open chats',
      async () => {
        await newCase();
        return {};
      },
      '2 chats about this patient are open.',
    ],
    [
      'a closed chat',
      async () => {
        await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
        return {};
      },
      'The chat about this patient is closed.',
    ],
  ])('EXAM-1 waits for a person: %s', async (_, given, why) => {
    const said = typeof given === 'function' ? await given() : given;
    await tell(said);
    expect(await firstWaiting()).toMatchObject({
      why,
      state: 'unmatched',
      findings: [{ value: '7.1 mmol/L', interpretation: 'HH' }],
    });
    expect(await listed()).toEqual([]);
  });

  it('EXAM-1 A16 is assigned by who may, with a reason where it names another patient, and calls then', async () => {
    await tell({ mrn: '99-001' });
    const { id, version } = await firstWaiting();
    const path = `${base()}/laboratory-results/${id}/assign`;
    const body = { version, chat_id: chat.id };
    expect((await owen.client.send('POST', path, { body })).statusCode).toBe(403);
    expect((await away.client.send('POST', path, { body })).statusCode).toBe(404);
    const refused = await mira.client.send('POST', path, { body });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { message: 'Of this patient the number differs. Say why the result is theirs.' },
    ]);
    const done = await mira.client.send('POST', path, {
      body: { ...body, reason: 'Wrong label; asked the laboratory' },
    });
    expect(done.statusCode, done.body).toBe(200);
    expect(await only()).toMatchObject({
      created: { by: { name: 'Mira Okafor' } },
      critical_alerts: [{ state: 'notifying' }],
    });
    expect(await waiting()).toEqual([]);
    expect((await mira.client.send('POST', path, { body: { ...body, reason: 'Again' } })).statusCode).toBe(409);
    const audits = server.db.selectFrom('audit_entries').select('actor_id').where('action', '=', 'result.assign');
    expect(await audits.where('object_id', '=', id).execute()).toEqual([{ actor_id: mira.id }]);
  });

  it('EXAM-3 goes on in the chat to which it was assigned when it is corrected', async () => {
    await tell({ born: '', name: 'Oakes^Bert' });
    const { id, version } = await firstWaiting();
    await mira.client.send('POST', `${base()}/laboratory-results/${id}/assign`, {
      body: { version, chat_id: chat.id, reason: 'Married name' },
    });
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|3.5-5.3|N|||C'] });
    expect(await only()).toMatchObject({ report_version: 2 });
  });

  it('EXAM-1 ADM-3 an assignment says in the audit and in the list what was done with it, and in the chat to all at once', async () => {
    await tell({ mrn: '99-007' });
    const { id, version } = await firstWaiting();
    const socket = await openSocket(server);
    await socket.join(mira.client, `presence-chat.${chat.id}`);
    const reason = 'Wrong label';
    const answer = await assign(id, { version, reason }, mira, { 'x-socket-id': socket.id });
    const made = await only();
    expect(answer.json()).toEqual({ chat_id: chat.id, examination_id: made.id });
    // Who did it knows the examination from the answer, and nothing of the line and the alert.
    await socket.next(
      ({ event, data }) => event === 'App\\Events\\MessageSent' && told(data, 'received from the laboratory'),
    );
    await socket.next(({ event, data }) => event === 'App\\Events\\MessageSent' && told(data, 'Critical: Potassium'));
    socket.close();
    const [entry] = await auditOf(server, 'result.assign', mira.id);
    expect(entry).toMatchObject({
      ...{ facility_id: facility.id, object_type: 'laboratory_result', object_id: id },
      detail: { chat: chat.id, examination: made.id, report: 1, status: 'final', differs: 'the number' },
    });
    expect(await stored(id)).toMatchObject({
      ...{ state: 'filed', examination_id: made.id, why: null, version: version + 1, closed_by: mira.id, reason },
    });
    const same = await assign((await tellAgain()).id, { version: 1 });
    expect(same.statusCode, same.body).toBe(200);
    expect((await auditOf(server, 'result.assign', mira.id))[0]?.detail).not.toHaveProperty('differs');
  });

  it('EXAM-1 A48 is assigned and set aside as it was seen and while it waits, and never once it is over', async () => {
    await tell({ mrn: '99-008' });
    const { id, version } = await firstWaiting();
    const reason = 'Of the clinic next door';
    const setAside = (seen: number) =>
      mira.client.send('POST', `${base()}/laboratory-results/${id}/set-aside`, { body: { version: seen, reason } });
    expect((await setAside(version + 1)).statusCode, 'not as it is').toBe(409);
    expect((await setAside(version)).json()).toEqual({ version: version + 1 });
    expect((await setAside(version + 1)).statusCode, 'set aside already').toBe(409);
    expect((await assign(id, { version, reason })).statusCode, 'as it was before').toBe(409);
    await emptyOldResults(server.db, new Date(Date.now() + 91 * 86_400_000));
    expect((await assign(id, { version: version + 1, reason })).statusCode, 'emptied').toBe(409);
    await tell({ mrn: '99-009', filler: `R-${mrn}` });
    const replaced = await firstWaiting();
    await tell({ mrn: '99-009', filler: `R-${mrn}`, at: '20261119120000', status: 'C' });
    const now = await stored(replaced.id);
    expect(now).toMatchObject({ state: 'replaced', version: replaced.version + 1 });
    expect((await assign(replaced.id, { version: now?.version, reason })).statusCode, 'replaced').toBe(409);
    expect(await listed()).toEqual([]);
  });

  it('EXAM-1 what was set aside can still be assigned, unless what came since is newer than it', async () => {
    const setAside = async ({ id, version }: UnmatchedResult) => {
      const body = { version, reason: 'Whose is it?' };
      await mira.client.send('POST', `${base()}/laboratory-results/${id}/set-aside`, { body });
      return { id, version: version + 1 };
    };
    await tell({ born: '', name: 'Oakes^Bert' });
    const older = await setAside(await firstWaiting());
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|||||C'] });
    expect((await assign(older.id, { version: older.version, reason: 'Married name' })).statusCode).toBe(409);
    expect(await only()).toMatchObject({ report_version: 1, entries: [{ value: '4.1' }] });
    await tell({ filler: `S-${mrn}`, born: '', name: 'Oakes^Bert' });
    const free = await setAside(await firstWaiting());
    expect((await assign(free.id, { version: free.version, reason: 'Married name' })).statusCode).toBe(200);
    expect(await listed()).toHaveLength(2);
  });

  it('EXAM-3 a result that waited goes on in what was filed of its report, in its chat alone and while that holds', async () => {
    await tell();
    const first = await only();
    const corrected = async (hour: number) => {
      await tell({ mrn: '99-010', at: `202611191${hour}0000`, status: 'C' });
      return firstWaiting();
    };
    const other = await newCase(mira, { identifier: `MRN 7${mrn}` });
    const elsewhere = await corrected(2);
    const reason = 'Wrong label';
    const apart = await assign(elsewhere.id, { version: elsewhere.version, chat_id: other.id, reason });
    expect(apart.json().examination_id).not.toBe(first.id);
    // What was filed last is that of the other chat.
    const inIt = await corrected(3);
    const again = await assign(inIt.id, { version: inIt.version, chat_id: other.id, reason });
    expect(again.json().examination_id).toBe(apart.json().examination_id);
    const made = await examination(apart.json().examination_id);
    const body = { to: 'entered_in_error', expected_version: made.version, reason: 'Wrong patient' };
    await mira.client.send('POST', `/api/examinations/${made.id}/transitions`, { body });
    const last = await corrected(4);
    const anew = await assign(last.id, { version: last.version, chat_id: other.id, reason });
    expect(anew.statusCode, anew.body).toBe(200);
    expect(anew.json().examination_id).not.toBe(made.id);
  });

  it('EXAM-1 A16 is put into a chat about a patient of its facility, in which who assigns it writes', async () => {
    const both = await signedInMember(server, { facility, name: 'Bibi Both', roles: ['chargeNurse'] });
    await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['chargeNurse'] });
    await tell({ mrn: '99-011' });
    const { id, version } = await firstWaiting();
    const reason = 'Wrong label';
    const there = await newCase(both, {}, elsewhere);
    const group = { client_id: newId(), kind: 'group', title: 'Team', participant_ids: [] };
    const team = (await both.client.send('POST', `${base()}/chats`, { body: group })).json<Chat>();
    for (const chat_id of [there.id, team.id]) {
      const refused = await assign(id, { version, chat_id, reason }, both);
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['chat_id']]);
    }
    const astray = `/api/facilities/${elsewhere.id}/laboratory-results/${id}`;
    for (const [what, more] of [
      ['assign', { chat_id: there.id }],
      ['set-aside', {}],
    ] as const) {
      const answer = await both.client.send('POST', `${astray}/${what}`, { body: { version, reason, ...more } });
      expect(answer.statusCode, what).toBe(404);
    }
    for (const [who, status] of [
      [owen, 403],
      [away, 404],
    ] as const) {
      const body = { version, reason };
      const answer = await who.client.send('POST', `${base()}/laboratory-results/${id}/set-aside`, { body });
      expect(answer.statusCode).toBe(status);
    }
    const access = (to: string) =>
      server.db.updateTable('chat_participants').set({ access: to }).where('chat_id', '=', chat.id).execute();
    await access('read');
    expect((await assign(id, { version, reason })).statusCode).toBe(403);
    await access('manage');
    expect(await firstWaiting()).toMatchObject({ id, version });
  });

  it('EXAM-1 A16 is not put into a chat by whose right to write there ends while the assignment waits', async () => {
    await tell({ mrn: '99-012', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    const { id, version } = await firstWaiting();
    let assigning: ReturnType<typeof assign> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      assigning = assign(id, { version, reason: 'Wrong label' });
      await untilBlocked(server.db, assigning);
      await sql`update chat_participants set access = 'read' where chat_id = ${chat.id}`.execute(tx);
    });
    expect((await assigning)?.statusCode).toBe(403);
    expect(await listed()).toEqual([]);
    expect(await firstWaiting()).toMatchObject({ id, version });
  });

  it('EXAM-1 is set aside with a reason, kept for 90 days and emptied then', async () => {
    await tell({ mrn: '99-002' });
    const { id, version } = await firstWaiting();
    const path = `${base()}/laboratory-results/${id}/set-aside`;
    expect((await mira.client.send('POST', path, { body: { version, reason: ' ' } })).statusCode).toBe(422);
    expect(
      (await mira.client.send('POST', path, { body: { version, reason: 'Of the clinic next door' } })).statusCode,
    ).toBe(200);
    expect([await waiting(), await waiting('set_aside')]).toMatchObject([
      [],
      [{ closed: { by: { name: 'Mira Okafor' }, reason: 'Of the clinic next door' } }],
    ]);
    await emptyOldResults(server.db, new Date(Date.now() + 89 * 86_400_000));
    expect(await waiting('set_aside')).toHaveLength(1);
    await emptyOldResults(server.db, new Date(Date.now() + 91 * 86_400_000));
    expect(await waiting('set_aside')).toEqual([]);
  });

  it('EXAM-3 stands once in the list, as it is by the newest message', async () => {
    await tell({ mrn: '99-003', status: 'P' });
    await tell({
      mrn: '99-003',
      at: '20261119120000',
      status: 'C',
      findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||C'],
    });
    expect((await firstWaiting()).findings.map(({ value }) => value)).toEqual(['7.1 mmol/L', '139 mmol/L']);
  });

  it('EXAM-1 never goes on in the examination of another patient, whatever its number', async () => {
    await tell();
    await tell({ mrn: '99-004', at: '20261119120000', status: 'C' });
    expect((await firstWaiting()).why).toBe('What came before under its number is of another patient.');
    expect((await only()).report_version).toBe(1);
  });

  it('EXAM-1 goes on in nothing that was marked as entered in error', async () => {
    await tell();
    const { id, version } = await only();
    const body = { to: 'entered_in_error', expected_version: version, reason: 'Wrong patient' };
    expect((await mira.client.send('POST', `/api/examinations/${id}/transitions`, { body })).statusCode).toBe(200);
    await tell({ at: '20261119120000', status: 'C' });
    expect((await firstWaiting()).why).toBe('The examination that it goes on was marked as entered in error.');
  });

  it('EXAM-1 counts only the numbers of the authority that the facility names', async () => {
    await setFeed({ authority: 'OTHER' });
    await tell();
    await setFeed({});
    expect((await firstWaiting()).why).toBe('The message has no number of the patient that counts here.');
  });
});

describe('what was asked for', () => {
  const asked = (state: 'requested' | 'in_progress', of: Chat = chat) =>
    makeExamination(server.db, { chatId: of.id, facilityId: facility.id, userId: mira.id, state });

  it('EXAM-1 is found by its number in capitals too, and only while it is asked for', async () => {
    const id = await asked('requested');
    await tell({ placer: id.toUpperCase() });
    expect(await only()).toMatchObject({ id, state: 'reported' });
    const begun = await asked('in_progress');
    await tell({ placer: begun, filler: `B-${mrn}` });
    expect((await examination(begun)).state).toBe('in_progress');
    expect(await listed()).toHaveLength(3);
  });

  it('EXAM-1 for another patient is answered by nothing, and the result waits', async () => {
    const other = await newCase(mira, { identifier: `MRN 8${mrn}` });
    const id = await asked('requested', other);
    await tell({ placer: id });
    expect((await firstWaiting()).why).toBe('It answers a request for another patient.');
    expect((await examination(id)).state).toBe('requested');
  });

  it('EXAM-3 goes on where it stands also when its chat is closed by now', async () => {
    await tell();
    await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|||||C'] });
    expect(await only()).toMatchObject({ report_version: 2, state: 'amended' });
  });
});

it('EXAM-1 ADM-3 what becomes of each message stands in the audit and in its list, also of one without a result', async () => {
  const outcomes = async () =>
    (
      await sql<{ outcome: string }>`select e.detail ->> 'outcome' as outcome from audit_entries e
      where e.action = 'result.receive' and (
        e.object_id in (select r.id from laboratory_results r join laboratory_messages m on m.id = r.message_id where m.control_id like ${`O-${mrn}%`})
        or e.object_id in (select id from laboratory_messages where control_id like ${`O-${mrn}%`}))
      order by e.id`.execute(server.db)
    ).rows.map(({ outcome }) => outcome);
  await tell({ control: `O-${mrn}-1`, at: '20261119120000' });
  await tell({ control: `O-${mrn}-2` });
  await tell({ control: `O-${mrn}-3`, mrn: '99-013', filler: `X-${mrn}` });
  const nothing = oru({ control: `O-${mrn}-4`, mrn, filler: `Y-${mrn}`, status: 'O', findings: [] });
  expect([await hand(nothing), await hand(nothing)]).toMatchObject([{ code: 'AA' }, { code: 'AA' }]);
  expect(await outcomes()).toEqual(['filed', 'outdated', 'unmatched', 'no results']);
  const { data } = await get<{ data: LaboratoryMessage[] }>(`${base()}/laboratory-messages`, admin);
  const counts = data
    .filter(({ control_id }) => control_id.startsWith(`O-${mrn}`))
    .map(({ reports, filed, unmatched, set_aside, outdated }) => [reports, filed, unmatched, set_aside, outdated]);
  expect(counts).toEqual([
    [0, 0, 0, 0, 0],
    [1, 0, 1, 0, 0],
    [1, 0, 0, 0, 1],
    [1, 1, 0, 0, 0],
  ]);
});

it('EXAM-5 A16 the feed calls a role of its own facility, of those that are no memory, as it was seen', async () => {
  const both = await signedInMember(server, { facility, name: 'Bob Both', roles: ['facilityAdministrator'] });
  await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['facilityAdministrator'] });
  const path = `${base()}/laboratory-feed`;
  const { version } = await get<LaboratoryFeed>(path, both);
  const set = (critical_role_id: string, seen = version) =>
    both.client.send('PUT', path, { body: { version: seen, authority: null, critical_role_id, codes: [] } });
  const [ours, retired] = [await newRole(owen), await newRole(owen)];
  const theirs = await makeOnCallRole(server.db, { facilityId: elsewhere.id, name: 'Their registrar' });
  await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', retired).execute();
  for (const role of [theirs, retired, newId()]) {
    const refused = await set(role);
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['critical_role_id']]);
  }
  expect((await set(ours, version + 1)).statusCode).toBe(409);
  expect((await set(ours)).json()).toMatchObject({ critical_role: { id: ours } });
  const [entry] = await auditOf(server, 'laboratory.set', both.id);
  expect(entry).toMatchObject({ object_id: facility.id, detail: { codes: 0, role: ours, has_authority: false } });
  await setFeed({});
});

describe('walls', () => {
  it('A16 never matches a patient of another facility, and shows nobody elsewhere what waits', async () => {
    const there = await newCase(away, { name: 'LEAK Person' }, elsewhere);
    await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
    await tell({ more: ['NTE|1||LEAK-NOTE'] });
    expect((await get<{ data: unknown[] }>(`/api/chats/${there.id}/examinations`, away)).data).toEqual([]);
    for (const path of ['laboratory-results', 'laboratory-feed', 'laboratory-messages']) {
      const answer = await away.client.send('GET', `${base()}/${path}`);
      expect([answer.statusCode, answer.body.includes('LEAK')], path).toEqual([404, false]);
      expect((await owen.client.send('GET', `${base()}/${path}`)).statusCode, path).toBe(403);
    }
    const { id, version } = await firstWaiting();
    const answer = await mira.client.send('POST', `${base()}/laboratory-results/${id}/assign`, {
      body: { version, chat_id: there.id, reason: 'Theirs' },
    });
    expect(answer.statusCode).toBe(404);
  });

  it('A16 the feed that is set is that of one facility, also by who sets those of two', async () => {
    const [here, there] = [await makeFacility(server.db), await makeFacility(server.db)];
    const both = await signedInMember(server, { facility: here, name: 'Bo Both', roles: ['facilityAdministrator'] });
    await makeMembership(server.db, { userId: both.id, facility: there, roles: ['facilityAdministrator'] });
    const path = ({ id }: MadeFacility) => `/api/facilities/${id}/laboratory-feed`;
    const set = async (of: MadeFacility, authority: string) => {
      const { version } = await get<LaboratoryFeed>(path(of), both);
      const body = { version, authority, critical_role_id: null, codes: [] };
      expect((await both.client.send('PUT', path(of), { body })).statusCode).toBe(200);
    };
    await set(here, 'OURS');
    await set(there, 'THEIRS');
    await set(here, 'NEW');
    const standing = await Promise.all([here, there].map((of) => get<LaboratoryFeed>(path(of), both)));
    expect(standing.map(({ authority }) => authority)).toEqual(['NEW', 'THEIRS']);
  });

  it('A16 what waits could belong to the chats of its own facility alone, whoever writes in those of two', async () => {
    const both = await signedInMember(server, { facility, name: 'Bea Both', roles: ['chargeNurse'] });
    await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['chargeNurse'] });
    const here = await newCase(both);
    await newCase(both, {}, elsewhere);
    const { chats } = await get<{ chats: { id: string }[] }>(`${base()}/laboratory-results`, both);
    expect(chats.map(({ id }) => id)).toEqual([here.id]);
  });

  it('EXAM-1 A16 the number of a request of another facility asks for nothing here', async () => {
    const { id: chatId } = await newCase(away, {}, elsewhere);
    const asked = { chatId, facilityId: elsewhere.id, userId: away.id, state: 'requested' as const };
    const text = oru({ mrn, filler: `F-${mrn}`, placer: await makeExamination(server.db, asked) });
    expect(await byMllp(text)).toContain('MSA|AA|');
    expect(await only()).toMatchObject({ state: 'reported', created: { by: { name: 'Wardline' } } });
  });

  it('A16 ADM-3 names who read what waits, and what, once in a quarter of an hour', async () => {
    await tell({ mrn: '99-006' });
    const reader = await signedInMember(server, { facility, name: 'Rita Reads', roles: ['chargeNurse'] });
    const path = `${base()}/laboratory-results`;
    const read = async () => (await get<{ data: UnmatchedResult[] }>(path, reader)).data;
    const [newest] = await read();
    await read();
    const entries = await auditOf(server, 'result.view', reader.id);
    expect(entries.filter(({ object_id }) => object_id === newest?.id)).toMatchObject([
      { facility_id: facility.id, object_type: 'laboratory_result', outcome: 'done', ip: expect.any(String) },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/Maron|99-006/);
  });

  it('A16 lists what came without a word of a patient, for who sets the facility up', async () => {
    await tell({ control: `C-${mrn}` });
    const { data } = await get<{ data: LaboratoryMessage[] }>(`${base()}/laboratory-messages`, admin);
    expect(data[0]).toMatchObject({
      control_id: `C-${mrn}`,
      sender: 'LIS · CORELAB',
      reports: 1,
      filed: 1,
      unmatched: 0,
    });
    expect(JSON.stringify(data)).not.toContain('Maron');
    expect((await admin.client.send('GET', `${base()}/laboratory-results`)).statusCode).toBe(403);
  });
});

describe('a message that is not taken', () => {
  it('EXAM-1 is answered in words and kept', async () => {
    const text = oru({ mrn, filler: '' });
    const answer = await hand(text);
    expect(answer).toMatchObject({ code: 'AE', error_code: 101, reason: 'OBR-2 and OBR-3 are both empty' });
    expect(answer.acknowledgement).toContain('OBR-2 and OBR-3 are both empty');
    expect(await hand(oru({ status: 'Q', mrn }))).toMatchObject({ code: 'AE', error_code: 103 });
    const feed = await get<CensusFeed>(`/api/census/facilities/${facility.id}/feed`, admin);
    expect(feed.refused).toBeGreaterThanOrEqual(2);
  });

  it('A16 is not taken of somebody without the right', async () => {
    const body = { facility: facility.id, message: oru({ mrn }) };
    expect((await owen.client.send('POST', '/api/census/feeds/hl7', { body })).statusCode).toBe(403);
    expect(await listed()).toEqual([]);
  });

  it('A16 A48 is told when more wait than anybody can assign, and taken once when it is tried again afterwards', async () => {
    await tell({ mrn: '99-005' });
    await sql`insert into laboratory_results (id, facility_id, message_id, place, report_key, reported_at, report, state, why)
      select gen_random_uuid(), facility_id, message_id, n, 'flood ' || n, now(), report, 'unmatched', 'flood'
      from laboratory_results, generate_series(1000, 6000) as n where report_key like ${`%F-${mrn}%`}`.execute(
      server.db,
    );
    const text = oru({ mrn, filler: `G-${mrn}`, control: `G-${mrn}` });
    const answer = await hand(text);
    expect(answer).toMatchObject({ code: 'AE', error_code: 207 });
    expect(answer.reason).toContain('5000 results match no chat');
    const kept = await refused(`G-${mrn}`);
    expect(kept).toMatchObject({ kind: 'ORU^R01', can_retry: true, tries: 1 });
    const path = `/api/census/facilities/${facility.id}/feed/refused/${kept?.id}/retry`;
    const retry = (clientId = newId(), who = admin) => who.client.send('POST', path, { body: { client_id: clientId } });
    expect((await retry(newId(), mira)).statusCode).toBe(403);
    expect((await retry()).json()).toMatchObject({ refused: { tries: 2, error_code: 207 } });
    await sql`delete from laboratory_results where why = 'flood'`.execute(server.db);
    const both = await signedInMember(server, { facility, name: 'Bo Both', roles: ['facilityAdministrator'] });
    await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['facilityAdministrator'] });
    const astray = await both.client.send('POST', path.replace(facility.id, elsewhere.id), {
      body: { client_id: newId() },
    });
    expect(astray.statusCode, 'of another facility of the same person').toBe(404);
    const taken = server.db.selectFrom('laboratory_results').select('id').where('facility_id', '=', elsewhere.id);
    expect(await taken.execute()).toEqual([]);
    const clientId = newId();
    const done = await Promise.all([retry(clientId), retry(clientId)]);
    expect(done.map((one) => one.json())).toEqual([{ refused: null }, { refused: null }]);
    expect(await refused(`G-${mrn}`)).toBeUndefined();
    expect((await retry()).statusCode).toBe(404);
    expect(await only()).toMatchObject({ report_version: 1, critical_alerts: [{ state: 'notifying' }] });
    expect(await hand(text)).toMatchObject({ code: 'AA' });
    expect((await lines()).filter((line) => line.includes('received from the laboratory'))).toHaveLength(1);
  });

  it('A16 ADM-2 is refused while the facility is deactivated, keeps nothing, and can be sent again afterwards', async () => {
    const setClosed = (deactivated_at: Date | null) =>
      server.db.updateTable('facilities').set({ deactivated_at }).where('id', '=', facility.id).execute();
    const text = oru({ mrn, filler: `F-${mrn}`, control: `D-${mrn}` });
    await setClosed(new Date());
    try {
      const answer = await byMllp(text);
      expect(answer).toContain(`\rMSA|AR|D-${mrn}\r`);
      expect(answer).toMatch(
        /\|207\^.*\|the facility was closed by the system administrator: nothing is taken or kept/,
      );
      const late = await signedInMember(server, { facility, name: 'Late Feed', roles: ['patientSystem'] });
      const body = { facility: facility.id, message: text };
      const byHttp = await late.client.send('POST', '/api/census/feeds/hl7', { body });
      expect([byHttp.statusCode, byHttp.json().code]).toEqual([403, 'facility_closed']);
    } finally {
      await setClosed(null);
    }
    expect([await listed(), await waiting(), await refused(`D-${mrn}`)]).toEqual([[], [], undefined]);
    expect(await byMllp(text)).toContain('MSA|AA|');
    expect(await listed()).toHaveLength(1);
  });
});

const byMllp = (text: string) =>
  sendByMllp(text, (one) => server.receiveHl7({ facilityCode: 'LAB', text: one, ip: '10.9.8.7' }));

/** A message among those that were refused, by its number. */
async function refused(controlId: string): Promise<RefusedMessage | undefined> {
  const path = `/api/census/facilities/${facility.id}/feed/refused?limit=100`;
  const { data } = await get<{ data: RefusedMessage[] }>(path, admin);
  return data.find(({ control_id }) => control_id === controlId);
}

describe('by MLLP', () => {
  it('A48 EXAM-5 a message is in the chat once it is acknowledged, with its letters, and calls', async () => {
    const text = oru({ mrn, filler: `F-${mrn}`, control: `M-${mrn}`, more: ['NTE|1||Hämolytisch: nein.'] });
    expect(await byMllp(text)).toMatch(new RegExp(`^\u000bMSH\\|.*\rMSA\\|AA\\|M-${mrn}\r\u001c\r$`));
    const made = await only();
    expect(made).toMatchObject({
      ...{ created: { by: { name: 'Wardline' } }, critical_alerts: [{ state: 'notifying' }] },
      entries: [{ value: '7.1' }, { value: 'Hämolytisch: nein.' }],
    });
    const audits = await auditOf(server, 'result.receive', null);
    expect(audits.find(({ detail }) => JSON.stringify(detail).includes(made.id))).toMatchObject({
      ...{ facility_id: facility.id, ip: '10.9.8.7', outcome: 'done' },
    });
    expect(await byMllp(text)).toContain(`MSA|AA|M-${mrn}`);
    expect(await listed()).toHaveLength(1);
    expect(await byMllp(text.replace('OBR|1', 'OBZ|1'))).toMatch(/MSA\|AE\|M-.*ERR\|\|.*\|100\^/s);
  });
});
