import { createHash } from 'node:crypto';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { Examination, ExaminationTemplate, ReportVersion } from '@wardline/contract/examinations/examinations.ts';
import type { TrendValue } from '@wardline/contract/examinations/trends.ts';
import { formProblems } from '@wardline/examination/forms/form-problems.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeExamination, TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, type MembershipOptions, makeFacility } from '#/testing/factories/facilities.ts';
import { multipart } from '#/testing/multipart.ts';
import { runs } from '#/testing/nightly.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { toTemplate } from './core/template-queries.ts';
import { UNIT_CHECKS } from './core/units.ts';

/** Races of different examinations beside each other. */
const AT_ONCE = 10;

let server: TestServer;
let facility: MadeFacility;
let owen: Person;
let mira: Person;
let leila: Person;
let clerk: Person;
let outsider: Person;
let chat: Chat;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  owen = await person('Owen Clarke');
  mira = await person('Mira Okafor');
  leila = await person('Leila Haddad');
  clerk = await person('Cora Clerk', ['censusOfficer']);
  outsider = await person('Otto Outsider');
});
afterAll(() => server.close());
beforeEach(async () => {
  chat = await newChat('case');
});

const person = (name: string, roles?: MembershipOptions['roles']) =>
  signedInMember(server, { facility, name, ...(roles && { roles }) });

async function newChat(kind: 'case' | 'group'): Promise<Chat> {
  const about =
    kind === 'case'
      ? { patient: { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14' } }
      : { title: 'Team' };
  const body = { client_id: newId(), kind, ...about, participant_ids: [mira, leila, clerk].map(({ id }) => id) };
  return (await owen.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
}

let lastId = 0xffff;
/** Each before the one that was made last, as a device makes them whose clock goes back: what came later is newer all the same. */
function deviceId(): string {
  lastId -= 1;
  return `${newId().slice(0, -4)}${lastId.toString(16)}`.replace(/^.{8}/, lastId.toString(16).padStart(8, '0'));
}

function create(who: Person, given: object = {}, to = chat.id) {
  const body = { client_id: deviceId(), template_id: TEMPLATES.renalProfile, ...given };
  return who.client.send('POST', `/api/chats/${to}/examinations`, { body });
}
async function draft(given: object = {}): Promise<Examination> {
  const made = await create(owen, given);
  expect(made.statusCode, made.body).toBe(201);
  return made.json();
}
const enter = (
  who: Person,
  { id, version }: Examination,
  values: Readonly<Record<string, string>>,
  more: object = {},
) =>
  who.client.send('PATCH', `/api/examinations/${id}`, {
    body: { expected_version: version, entries: toEntries(values), ...more },
  });
const toEntries = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([field, value]) => ({ field, value }));
const move = (who: Person, { id, version }: Examination, to: string, more: object = {}) =>
  who.client.send('POST', `/api/examinations/${id}/transitions`, { body: { to, expected_version: version, ...more } });
const read = async (who: Person, { id }: { id: string }): Promise<Examination> =>
  (await who.client.send('GET', `/api/examinations/${id}`)).json();
const acknowledge = (who: Person, { id }: { id: string }, version: number, is_acknowledged = true) =>
  who.client.send('PUT', `/api/examinations/${id}/receipt`, { body: { version, is_acknowledged } });
const versionsOf = async (
  { id }: { id: string },
  query = '',
): Promise<{ data: ReportVersion[]; next_cursor: string | null }> =>
  (await mira.client.send('GET', `/api/examinations/${id}/versions${query}`)).json();

async function moved(who: Person, examination: Examination, to: string, more: object = {}): Promise<Examination> {
  const answer = await move(who, examination, to, more);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
async function inProgress(): Promise<Examination> {
  return moved(mira, await moved(owen, await draft(), 'requested'), 'in_progress');
}
async function reported(values: Readonly<Record<string, string>> = { potassium: '6.8' }): Promise<Examination> {
  return moved(mira, await inProgress(), 'reported', {
    entries: toEntries(values),
    ...(values['potassium'] === '6.8' && { critical: TOLD }),
  });
}
/** Nobody is called about what is critical here. */
const TOLD = { kind: 'none', reason: 'Told at the bedside' };

const linesOf = async (): Promise<Message[]> => {
  const answer = await owen.client.send('GET', `/api/chats/${chat.id}/messages?limit=200`);
  return answer.json().data.filter(({ act }: Message) => act);
};
const auditsOf = async (who: Person, action: string, { id }: { id: string }) =>
  (await auditOf(server, action, who.id)).filter(({ object_id }) => object_id === id);

const takeNewerForm = (who: Person, { id, version }: Examination) =>
  who.client.send('PUT', `/api/examinations/${id}/form`, { body: { expected_version: version, template_version: 9 } });

const takeOver = async (who: Person, { id }: Examination) => {
  const { body } = await who.client.send('GET', `/api/examinations/${id}/fhir`);
  const form = multipart([{ name: 'file', value: body, filename: 'a.json' }]);
  return who.client.send('POST', `/api/chats/${chat.id}/fhir?apply=true`, form);
};

describe('whose right ends while it waits', () => {
  const whole = { potassium: '4.1' };
  const CASES: readonly (readonly [string, number, string, (made: Examination) => ReturnType<typeof move>])[] = [
    ...(['read', 'without a role'] as const).flatMap((to): typeof CASES => [
      ['begins nothing', 403, to, () => create(owen)],
      ['enters nothing', 403, to, (made) => enter(owen, made, whole)],
      ['moves nothing', 403, to, (made) => move(owen, made, 'cancelled', { reason: 'Not needed' })],
      ['takes no newer form', 403, to, (made) => takeNewerForm(owen, made)],
      ['imports nothing', 403, to, (made) => takeOver(owen, made)],
    ]),
    ['acknowledges nothing', 404, 'gone', (made) => acknowledge(owen, made, 1)],
  ];
  it.each(CASES)('EXAM-1 A16 who %s (%i), now %s', async (what, status, to, ask) => {
    const isOfReport = what === 'acknowledges nothing' || what === 'imports nothing';
    const made = isOfReport ? await reported(whole) : await inProgress();
    const before = [await read(mira, made), (await linesOf()).length];
    let asking: ReturnType<typeof ask> | undefined;
    const place = sql`chat_id = ${chat.id} and user_id = ${owen.id}`;
    const roles = await server.db
      .selectFrom('membership_roles as mr')
      .innerJoin('memberships as m', 'm.id', 'mr.membership_id')
      .selectAll('mr')
      .where('m.user_id', '=', owen.id)
      .execute();
    await server.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      await sql`select from examinations where id = ${made.id} for no key update`.execute(tx);
      asking = ask(made);
      await untilBlocked(server.db, asking);
      if (to === 'gone') await sql`update chat_participants set left_at = now() where ${place}`.execute(tx);
      if (to === 'read') await sql`update chat_participants set access = 'read' where ${place}`.execute(tx);
      const [{ membership_id = '' } = {}] = roles;
      if (to === 'without a role')
        await tx.deleteFrom('membership_roles').where('membership_id', '=', membership_id).execute();
    });
    expect((await asking)?.statusCode).toBe(status);
    await sql`update chat_participants set access = 'manage', left_at = null where ${place}`.execute(server.db);
    if (to === 'without a role') await server.db.insertInto('membership_roles').values(roles).execute();
    expect([await read(mira, made), (await linesOf()).length]).toEqual(before);
  });
});

describe('beginning', () => {
  it('EXAM-1 CHAT-7 an examination begins as a draft in a case, with a line in the chat and one audit entry', async () => {
    const made = await draft({ patient_sex: 'female' });
    expect(made).toMatchObject({
      ...{
        chat_id: chat.id,
        type: 'laboratory',
        title: 'Renal profile',
        state: 'draft',
        version: 1,
        report_version: 0,
      },
      ...{ patient: { name: 'Edith Maron', identifier: '40-118-236' }, patient_sex: 'female', entries: [] },
      created: { by: { user_id: owen.id, name: 'Owen Clarke' } },
      my: { can_write: true, can_sign: true, can_mark_in_error: true, read_version: 0, acknowledged_version: 0 },
    });
    const [line] = await linesOf();
    expect(line).toMatchObject({
      kind: 'system',
      body: 'drafted: Renal profile',
      act: { kind: 'examination', id: made.id },
    });
    const detail = { chat: chat.id, template: TEMPLATES.renalProfile, template_version: 2 };
    expect(await auditsOf(owen, 'examination.create', made)).toMatchObject([{ object_type: 'examination', detail }]);
  });

  it('EXAM-1 a repeat finds the draft that was begun, and another form under its id is refused', async () => {
    const client_id = newId();
    const [first, again] = await Promise.all([create(owen, { client_id }), create(owen, { client_id })]);
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(first.json().id).toBe(again.json().id);
    expect(await linesOf()).toHaveLength(1);
    expect((await create(owen, { client_id, template_id: TEMPLATES.vitalSigns })).json().code).toBe('client_id_reused');
  });

  it('EXAM-1 OFF-1 is begun under the id that the device gave it, and under nobody else’s', async () => {
    const client_id = newId();
    expect((await create(owen, { client_id })).json().id).toBe(client_id);
    // Whoever has seen the id, and whoever has not, is told the same.
    const mine = await newChat('case');
    for (const [who, place] of [
      [mira, chat.id],
      [owen, mine.id],
    ] as const) {
      const refused = await create(who, { client_id }, place);
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'client_id_reused']);
    }
    expect((await read(owen, { id: client_id })).created.by.user_id).toBe(owen.id);
    expect(await linesOf()).toHaveLength(1);
  });

  it('EXAM-1 OFF-1 is begun by the version of the form that a device had, as it was published, and by no other', async () => {
    const id = newId();
    for (const version of [1, 2]) {
      const definition = { type: 'laboratory', name: `Version ${version}`, fields: [] };
      const row = { id, version, facility_id: facility.id, definition: JSON.stringify(definition) };
      await server.db.insertInto('examination_templates').values(row).execute();
    }
    const titleOf = async (given: object) => (await create(owen, { template_id: id, ...given })).json().title;
    expect([await titleOf({}), await titleOf({ template_version: 1 })]).toEqual(['Version 2', 'Version 1']);
    const none = await create(owen, { template_id: id, template_version: 3 });
    expect([none.statusCode, none.json().errors]).toEqual([422, { template_id: ['This form is not there.'] }]);
  });

  it('EXAM-1 A16 is for who may write in the case and record, and no form of nobody', async () => {
    const group = await newChat('group');
    expect((await create(owen, {}, group.id)).json().errors).toHaveProperty('template_id');
    expect((await create(owen, { template_id: newId() })).json().errors).toHaveProperty('template_id');
    expect([(await create(clerk)).statusCode, (await create(outsider)).statusCode]).toEqual([403, 404]);
    const made = await draft();
    expect((await outsider.client.send('GET', `/api/examinations/${made.id}`)).statusCode).toBe(404);
    expect((await read(clerk, made)).my).toMatchObject({ can_write: false, can_sign: false });
  });

  it('EXAM-1 the examinations of a chat come a page at a time, the newest first', async () => {
    const made = [];
    for (let number = 0; number < 3; number += 1) made.unshift((await draft()).id);
    const list = async (query: string) =>
      (await clerk.client.send('GET', `/api/chats/${chat.id}/examinations${query}`)).json();
    const first = await list('?limit=2');
    expect(first.data.map(({ id }: Examination) => id)).toEqual(made.slice(0, 2));
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([second.data.map(({ id }: Examination) => id), second.next_cursor]).toEqual([made.slice(2), null]);
    expect((await list('?cursor=zebra')).errors).toHaveProperty('cursor');
  });
});

describe('entering', () => {
  it('EXAM-2 values are kept as entered and flagged by the ranges of age and sex', async () => {
    const [made, other] = [await draft({ patient_sex: 'female' }), await draft({ patient_sex: 'female' })];
    await enter(owen, other, { creatinine: '90' });
    const values = { potassium: '6.80', sodium: '131', creatinine: '90', glucose: '<4', impression: 'Raised' };
    const entered = (await enter(owen, made, values)).json();
    const flags = Object.fromEntries(
      entered.entries.map(({ field, value, interpretation }: Examination['entries'][number]) => [
        field,
        [value, interpretation],
      ]),
    );
    expect(flags).toEqual({
      ...{ potassium: ['6.80', 'HH'], sodium: ['131', 'L'], creatinine: ['90', 'H'] },
      ...{ glucose: ['<4', 'L'], impression: ['Raised', null] },
    });
    // Of a man the same is normal.
    const man = (
      await owen.client.send('PATCH', `/api/examinations/${made.id}`, {
        body: { expected_version: 2, patient_sex: 'male' },
      })
    ).json();
    const flagOf = ({ entries }: Pick<Examination, 'entries'>) =>
      entries.find(({ field }) => field === 'creatinine')?.interpretation;
    expect(flagOf(man)).toBe('N');
    const untouched = (await owen.client.send('GET', `/api/examinations/${other.id}`)).json();
    expect(flagOf(untouched)).toBe('H');
    expect((await auditsOf(owen, 'examination.update', made)).map(({ detail }) => detail)).toEqual([
      { chat: chat.id, version: 3, fields: [], sex: true },
      { chat: chat.id, version: 2, fields: ['potassium', 'sodium', 'creatinine', 'glucose', 'impression'] },
    ]);
  });

  it('EXAM-2 what does not fit its field is refused there, and nothing of it is stored', async () => {
    const made = await draft();
    const refused = await enter(owen, made, { potassium: 'six', sodium: '140', magic: '1' });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual({
      'entries.potassium': ['Enter a number.'],
      'entries.magic': ['This form has no such field.'],
    });
    expect((await read(owen, made)).entries).toEqual([]);
    const twice = {
      entries: [
        { field: 'sodium', value: '1' },
        { field: 'sodium', value: '2' },
      ],
    };
    expect((await enter(owen, made, {}, twice)).statusCode).toBe(422);
  });

  it('A48 EXAM-1 two people’s fields are merged, and the same field is never overwritten silently', async () => {
    const made = await draft();
    expect((await enter(owen, made, { potassium: '6.8', sodium: '131' })).json().version).toBe(2);
    const merged = (await enter(mira, made, { urea: '18.4', sodium: '131' })).json();
    expect(merged.entries.map(({ field }: { field: string }) => field)).toEqual(['potassium', 'sodium', 'urea']);
    const refused = await enter(mira, made, { potassium: '4.8', chloride: '101' });
    expect([refused.statusCode, refused.json().errors]).toEqual([
      409,
      { 'entries.potassium': ['Owen Clarke entered 6.8.'] },
    ]);
    expect((await read(owen, made)).entries.map(({ value }) => value)).toEqual(['6.8', '131', '18.4']);
    // Who has seen it may change it, and take it out.
    const now = await read(mira, made);
    expect((await enter(mira, now, { potassium: '' })).json().entries).toHaveLength(2);
    expect((await enter(owen, now, { potassium: '6.9' })).json().errors).toEqual({
      'entries.potassium': ['Mira Okafor took it out.'],
    });
  });

  it('EXAM-2 ADM-3 another sex flags anew what stands, and what was entered is told to the others and in the audit, not its values', async () => {
    const begun = await enter(owen, await draft({ patient_sex: 'female' }), { creatinine: '95', potassium: '4.1' });
    const socket = await openSocket(server);
    await socket.join(mira.client, `presence-chat.${chat.id}`);
    const flagOf = ({ entries }: Examination) => entries.find(({ field }) => field === 'creatinine')?.interpretation;
    const before: Examination = begun.json();
    const changed = (await enter(owen, before, { sodium: '140' }, { patient_sex: 'male' })).json<Examination>();
    const { data } = await socket.next(({ event }) => event === 'App\\Events\\ExaminationChanged');
    socket.close();
    expect(data).toEqual({ chat_id: chat.id, examination_id: before.id, version: before.version + 1 });
    expect([flagOf(before), flagOf(changed)]).toEqual(['H', 'N']);
    expect(changed.entries.find(({ field }) => field === 'creatinine')).toMatchObject({ version: before.version });
    const details = (await auditsOf(owen, 'examination.update', before)).map(({ detail }) => detail);
    expect(details).toEqual([
      { chat: chat.id, version: 3, fields: ['sodium'], sex: true },
      { chat: chat.id, version: 2, fields: ['creatinine', 'potassium'] },
    ]);
  });

  it('EXAM-1 what changes nothing is no version, and nothing is entered once it is requested or signed', async () => {
    const made = await draft();
    const entered = (await enter(owen, made, { potassium: '4' })).json();
    expect((await enter(owen, entered, { potassium: '4', urea: '' })).json().version).toBe(2);
    const requested = await moved(owen, entered, 'requested');
    expect((await enter(owen, requested, { potassium: '5' })).statusCode).toBe(409);
    expect((await enter(clerk, requested, { potassium: '5' })).statusCode).toBe(403);
    expect((await enter(owen, await reported(), { potassium: '5' })).statusCode).toBe(409);
  });
});

describe('moving on', () => {
  it('CHAT-7 EXAM-1 each move is one version, one line in the chat and one audit entry, said to who has it open', async () => {
    const socket = await openSocket(server);
    await socket.join(leila.client, `presence-chat.${chat.id}`);
    const stranger = await openSocket(server);
    expect(await stranger.join(outsider.client, `presence-chat.${chat.id}`)).toBe(403);
    let examination = await draft();
    const steps = [
      ...[
        ['requested', {}],
        ['in_progress', {}],
        ['requested', { reason: 'No tube' }],
        ['in_progress', {}],
      ],
      ...[['reported', { entries: toEntries({ potassium: '6.8', impression: 'Raised' }), critical: TOLD }]],
      ...[['amended', { reason: 'Wrong tube', entries: toEntries({ potassium: '4.8' }) }]],
      ['entered_in_error', { reason: 'Another patient' }],
    ] as const;
    for (const [to, more] of steps) {
      const before = examination.version;
      examination = await moved(owen, examination, String(to), more);
      expect([examination.state, examination.version]).toEqual([to, before + 1]);
    }
    expect((await linesOf()).map(({ body }) => body)).toEqual([
      'drafted: Renal profile',
      'requested: Renal profile',
      'started: Renal profile',
      'returned the request: Renal profile: No tube',
      'started: Renal profile',
      'signed: Renal profile, version 1. Critical: Potassium 6.8 mmol/L, HH. No alert: Told at the bedside',
      'amended: Renal profile, version 2: Wrong tube',
      'marked as entered in error: Renal profile: Another patient',
    ]);
    const audits = await auditsOf(owen, 'examination.move', examination);
    expect(audits.map(({ detail }) => (detail as { event: string }).event).toSorted()).toEqual([
      ...['amend', 'mark_in_error', 'request', 'return', 'sign', 'start', 'start'],
    ]);
    expect(JSON.stringify(audits)).not.toMatch(/Wrong tube|Told at|withdrawn_alerts/);
    const heard = await socket.next(
      ({ event, data }) => event === 'App\\Events\\ExaminationChanged' && (data as { version: number }).version === 8,
    );
    expect(heard.data).toEqual({ chat_id: chat.id, examination_id: examination.id, version: 8 });
    await stranger.settle();
    expect(JSON.stringify(stranger.frames)).not.toContain('ExaminationChanged');
    socket.close();
    stranger.close();
  });

  it('CHAT-7 what its state does not allow, what is stale and what has no reason is refused and changes nothing', async () => {
    const made = await draft();
    expect((await move(owen, made, 'in_progress')).statusCode).toBe(409);
    expect((await move(owen, made, 'entered_in_error', { reason: 'x' })).statusCode).toBe(409);
    expect((await move(owen, { ...made, version: 2 }, 'requested')).statusCode).toBe(409);
    expect((await move(owen, made, 'cancelled')).json().errors).toEqual({ reason: ['Say why.'] });
    expect((await read(owen, made)).version).toBe(1);
    expect(await linesOf()).toHaveLength(1);
  });

  it('EXAM-1 A16 signing, and marking an error, have rights of their own', async () => {
    await server.db
      .updateTable('roles')
      .set({ permissions: sql`array_remove(permissions, 'examinations.sign')` })
      .where('id', '=', facility.roles.chargeNurse)
      .execute();
    const nurse = await person('Nia Nurse', ['chargeNurse']);
    await owen.client.send('PUT', `/api/chats/${chat.id}/participants/${nurse.id}`, { body: { access: 'manage' } });
    const examination = await inProgress();
    expect((await move(nurse, examination, 'reported', { entries: toEntries({ potassium: '4' }) })).statusCode).toBe(
      403,
    );
    expect((await move(clerk, examination, 'cancelled', { reason: 'x' })).statusCode).toBe(403);
    // Mira signs, and does not manage the chat; the nurse manages it, and does not sign.
    const error = { reason: 'Another patient' };
    expect((await move(mira, examination, 'entered_in_error', error)).statusCode).toBe(403);
    expect((await move(nurse, examination, 'entered_in_error', error)).statusCode).toBe(403);
    expect((await move(outsider, examination, 'cancelled', error)).statusCode).toBe(404);
    expect((await move(nurse, examination, 'cancelled', { reason: 'Not needed' })).json().reason).toMatchObject({
      ...{ text: 'Not needed', by: { name: 'Nia Nurse' } },
    });
  });

  it('EXAM-1 in a chat that is closed nothing moves but an error, which is marked there too', async () => {
    const examination = await reported();
    const { version } = (await owen.client.send('GET', `/api/chats/${chat.id}`)).json();
    await owen.client.send('PATCH', `/api/chats/${chat.id}`, { body: { expected_version: version, state: 'closed' } });
    expect((await move(owen, examination, 'amended', { reason: 'x', entries: [] })).statusCode).toBe(403);
    expect((await moved(owen, examination, 'entered_in_error', { reason: 'Another patient' })).state).toBe(
      'entered_in_error',
    );
  });

  it('CHAT-7 A48 of two who move it at once, time and again, one wins and the other is told', async () => {
    const race = async () => {
      const id = await makeExamination(server.db, { chatId: chat.id, facilityId: facility.id, userId: owen.id });
      const examination = await read(owen, { id });
      const answers = await Promise.all([
        move(mira, examination, 'requested'),
        move(owen, examination, 'cancelled', { reason: 'Not needed' }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
      const won = answers.find(({ statusCode }) => statusCode === 200)?.json();
      expect(await read(owen, examination)).toMatchObject({ version: 2, state: won.state });
    };
    for (let done = 0; done < runs(60); done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, race));
  });

  it('CHAT-7 A48 a signature and a cancelling at once are one of them', async () => {
    for (let run = 0; run < runs(10); run += 1) {
      const examination = await inProgress();
      const answers = await Promise.all([
        move(mira, examination, 'reported', { entries: toEntries({ potassium: '4' }) }),
        move(owen, examination, 'cancelled', { reason: 'Not needed' }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    }
  });
});

describe('a signed report', () => {
  it('EXAM-3 is whole: with what its form requires, and with something found', async () => {
    const empty = await move(mira, await inProgress(), 'reported');
    expect(empty.json().errors).toEqual({ entries: ['Enter at least one finding to sign.'] });
    const imaging = await draft({ template_id: '00000000-0000-7000-8000-0000000000e3' });
    const begun = await moved(owen, await moved(owen, imaging, 'requested'), 'in_progress');
    expect((await move(mira, begun, 'reported')).json().errors).toEqual({
      'entries.impression': ['Impression is needed to sign.'],
    });
    expect((await read(mira, begun)).report_version).toBe(0);
  });

  it('EXAM-3 is kept in versions that never change, each with the hash of its text', async () => {
    const first = await reported({ potassium: '6.8', impression: 'Raised' });
    const before = (await versionsOf(first)).data;
    const second = await moved(owen, first, 'amended', {
      reason: 'Haemolysed',
      entries: toEntries({ potassium: '4.8' }),
    });
    await moved(owen, second, 'amended', { reason: 'Comment', entries: toEntries({ impression: 'Normal' }) });
    const { data } = await versionsOf(first);
    expect(data.map(({ version, reason }) => [version, reason])).toEqual([
      [3, 'Comment'],
      [2, 'Haemolysed'],
      [1, null],
    ]);
    expect(data[2]).toEqual(before[0]);
    expect(data[2]?.entries).toEqual([
      { field: 'potassium', value: '6.8', interpretation: 'HH', comparison: null },
      { field: 'impression', value: 'Raised', interpretation: null, comparison: null },
    ]);
    const page = await versionsOf(first, '?limit=1');
    expect((await versionsOf(first, `?cursor=${page.next_cursor}`)).data.map(({ version }) => version)).toEqual([2, 1]);
    const rows = await server.db
      .selectFrom('examination_reports')
      .selectAll()
      .where('examination_id', '=', first.id)
      .execute();
    for (const { version, content, sha256 } of rows) {
      const hash = createHash('sha256').update(content).digest('hex');
      expect([sha256.toString('hex'), data.find((report) => report.version === version)?.sha256]).toEqual([hash, hash]);
      expect(JSON.parse(content)).toMatchObject({ patient: { name: 'Edith Maron', identifier: '40-118-236' } });
      // Of a report without one, as those that were signed before there were any.
      expect(content).not.toContain('pictures');
    }
    const change = server.db
      .updateTable('examination_reports')
      .set({ content: '{}' })
      .where('examination_id', '=', first.id);
    await expect(change.execute()).rejects.toThrow('never changed');
    await expect(server.db.deleteFrom('examination_reports').execute()).rejects.toThrow('never changed');
    const [row] = rows;
    const forged = { ...row, version: 9, content: '{"forged": true}' } as NonNullable<typeof row>;
    await expect(server.db.insertInto('examination_reports').values(forged).execute()).rejects.toThrow('hash_check');
  });

  it('EXAM-3 who read or acknowledged an earlier version must acknowledge the next, and nobody else', async () => {
    const first = await reported();
    expect((await acknowledge(owen, first, 1)).json()).toEqual({ read_version: 1, acknowledged_version: 1 });
    expect((await acknowledge(leila, first, 1, false)).json()).toEqual({ read_version: 1, acknowledged_version: 0 });
    const must = async (of: Examination) =>
      Promise.all([owen, mira, leila, clerk].map(async (who) => (await read(who, of)).must_acknowledge));
    expect(await must(first)).toEqual([false, false, false, false]);
    // Mira signed the first one: she has read it. Owen signs the second.
    const second = await moved(owen, first, 'amended', {
      reason: 'Haemolysed',
      entries: toEntries({ potassium: '4.8' }),
    });
    expect(await must(second)).toEqual([false, true, true, false]);
    expect((await acknowledge(mira, first, 1)).statusCode).toBe(409);
    await acknowledge(leila, second, 2, false);
    expect(await must(second)).toEqual([false, true, true, false]);
    await acknowledge(leila, second, 2);
    expect(await must(second)).toEqual([false, true, false, false]);
    const list = (await mira.client.send('GET', `/api/chats/${chat.id}/examinations`)).json();
    expect(list.data[0]).toMatchObject({ must_acknowledge: true, report_version: 2, critical: [] });
    // A third asks Leila again, who acknowledged the second.
    const third = await moved(mira, second, 'amended', {
      reason: 'Comment',
      entries: toEntries({ impression: 'Normal' }),
    });
    expect(await must(third)).toEqual([true, false, true, false]);
    await moved(owen, third, 'entered_in_error', { reason: 'Another patient' });
    expect(await must(third)).toEqual([false, false, false, false]);
  });

  it('EXAM-3 to acknowledge twice is to do it once, and what is not signed has nothing to acknowledge', async () => {
    const first = await reported();
    for (const _again of [1, 2]) expect((await acknowledge(leila, first, 1)).statusCode).toBe(200);
    expect(await auditsOf(leila, 'examination.acknowledge', first)).toMatchObject([{ detail: { report: 1 } }]);
    expect((await acknowledge(leila, await draft(), 0)).statusCode).toBe(409);
    expect((await acknowledge(outsider, first, 1)).statusCode).toBe(404);
  });

  it('EXAM-3 ADM-3 is read before it is acknowledged, each by the version that holds, and each stands in the audit', async () => {
    const first = await reported();
    const seen = async () => {
      const { read_version, acknowledged_version } = (await read(leila, first)).my;
      return [read_version, acknowledged_version];
    };
    for (const version of [0, 2]) expect((await acknowledge(leila, first, version, false)).statusCode).toBe(409);
    expect((await acknowledge(leila, first, 1, false)).json()).toEqual({ read_version: 1, acknowledged_version: 0 });
    expect(await seen()).toEqual([1, 0]);
    expect((await acknowledge(leila, first, 1)).json()).toEqual({ read_version: 1, acknowledged_version: 1 });
    expect((await acknowledge(leila, first, 1, false)).json()).toEqual({ read_version: 1, acknowledged_version: 1 });
    expect(await seen()).toEqual([1, 1]);
    for (const action of ['examination.read', 'examination.acknowledge']) {
      const entries = (await auditsOf(leila, action, first)).map(({ facility_id, detail }) => [facility_id, detail]);
      expect(entries, action).toEqual([[facility.id, { chat: chat.id, report: 1 }]]);
    }
  });

  it('CHAT-6 EXAM-3 is nothing to who left the chat', async () => {
    const first = await reported();
    await owen.client.send('DELETE', `/api/chats/${chat.id}/participants/${leila.id}`);
    for (const path of ['', '/versions']) {
      expect((await leila.client.send('GET', `/api/examinations/${first.id}${path}`)).statusCode).toBe(404);
    }
  });
});

describe('the trend of a number', () => {
  const trendOf = (who: Person, { id }: { id: string }, query: string) =>
    who.client.send('GET', `/api/examinations/${id}/trend?${query}`);
  const listOf = async (examination: { id: string }, query = 'field=potassium') =>
    (await trendOf(mira, examination, query)).json<{ data: TrendValue[]; next_cursor: string | null }>();

  it('EXAM-4 is what the standing reports of the chat say, the newest first, as it was entered', async () => {
    const first = await reported({ potassium: '5,60', sodium: '140' });
    const second = await reported({ sodium: '139' });
    const third = await reported({ potassium: '>5.3' });
    const fourth = await reported({ potassium: '4.4' });
    await moved(owen, fourth, 'entered_in_error', { reason: 'Another patient' });
    await moved(mira, await moved(owen, await draft(), 'requested'), 'in_progress', {});
    await moved(owen, first, 'amended', { reason: 'Typed wrongly', entries: toEntries({ potassium: '5.1' }) });
    expect(await listOf(second)).toEqual({
      data: [
        {
          ...{ examination_id: third.id, title: 'Renal profile', at: third.created.at, value: '>5.3' },
          ...{ unit: { code: 'mmol/L', label: 'mmol/L' }, power_of_ten: 0, interpretation: 'H', report_version: 1 },
        },
        expect.objectContaining({ examination_id: first.id, value: '5.1', interpretation: 'N', report_version: 2 }),
      ],
      next_cursor: null,
    });
  });

  it('EXAM-4 takes the same LOINC code from any form, with the unit of each, and no other chat’s', async () => {
    const shipped = await server.db
      .selectFrom('examination_templates')
      .selectAll()
      .where('id', '=', TEMPLATES.renalProfile)
      .where('version', '=', 1)
      .executeTakeFirstOrThrow();
    const gas = {
      ...{ type: 'laboratory', name: 'Blood gas' },
      fields: [
        {
          ...{ code: 'k', label: 'K', kind: 'quantity', part: 'finding', loinc: '2823-3' },
          unit: { code: 'umol/L', label: 'µmol/L' },
        },
        { code: 'potassium', label: 'Potassium given', kind: 'text', part: 'finding' },
      ],
    };
    const template = { ...shipped, id: newId(), facility_id: facility.id, definition: JSON.stringify(gas) };
    await server.db.insertInto('examination_templates').values(template).execute();
    const begun = await moved(owen, await draft({ template_id: template.id }), 'requested');
    const other = await moved(mira, await moved(owen, begun, 'in_progress'), 'reported', {
      entries: toEntries({ k: '4100', potassium: 'none' }),
    });
    const mine = await reported({ potassium: '4.4' });
    expect(
      (await listOf(mine)).data.map(({ value, unit, power_of_ten, title }) => [
        value,
        unit?.label,
        power_of_ten,
        title,
      ]),
    ).toEqual([
      ['4.4', 'mmol/L', 0, 'Renal profile'],
      ['4100', 'µmol/L', -3, 'Blood gas'],
    ]);
    expect((await listOf(other, 'field=k')).data.map(({ power_of_ten }) => power_of_ten)).toEqual([3, 0]);
    chat = await newChat('case');
    const elsewhere = await reported({ potassium: '5.0' });
    expect((await listOf(elsewhere)).data.map(({ value }) => value)).toEqual(['5.0']);
  });

  it('EXAM-4 A16 comes a page at a time, of a number alone, and to nobody who does not read the chat', async () => {
    const values = ['4.1', '4.2', '4.3'];
    let last: Examination | undefined;
    for (const potassium of values) last = await reported({ potassium });
    if (!last) throw new Error('nothing was reported');
    const first = await listOf(last, 'field=potassium&limit=2');
    expect(first.data.map(({ value }) => value)).toEqual(['4.3', '4.2']);
    const rest = await listOf(last, `field=potassium&limit=2&cursor=${first.next_cursor}`);
    expect([rest.data.map(({ value }) => value), rest.next_cursor]).toEqual([['4.1'], null]);
    for (const field of ['impression', 'nothing']) {
      expect((await trendOf(mira, last, `field=${field}`)).statusCode).toBe(422);
    }
    expect((await trendOf(outsider, last, 'field=potassium')).statusCode).toBe(404);
  });
});

describe('the shipped forms', () => {
  const list = async (query = ''): Promise<{ data: ExaminationTemplate[]; next_cursor: string | null }> =>
    (await clerk.client.send('GET', `/api/facilities/${facility.id}/examination-templates${query}`)).json();

  it('EXAM-1 are there for every type, a page at a time, and for members alone', async () => {
    const { data } = await list();
    expect(new Set(data.map(({ type }) => type)).size).toBe(6);
    const first = await list('?limit=2');
    expect((await list(`?cursor=${first.next_cursor}`)).data).toEqual(data.slice(2));
    const strangers = await makeFacility(server.db);
    expect((await clerk.client.send('GET', `/api/facilities/${strangers.id}/examination-templates`)).statusCode).toBe(
      404,
    );
  });

  it('EXAM-2 name each field once, and every LOINC code has the check digit that it must have', async () => {
    const { data } = await list();
    for (const { fields, loinc } of data) {
      expect(new Set(fields.map(({ code }) => code)).size).toBe(fields.length);
      for (const code of [loinc, ...fields.map((field) => field.loinc)]) {
        if (code !== undefined) expect(code).toBe(withCheckDigit(code.split('-')[0] ?? ''));
      }
    }
  });

  it('EXAM-2 say of every number what a patient can have, and refuse what none has at its field', async () => {
    const data = (await list()).data.filter(({ id }) => id.startsWith('00000000-0000-7000-8000-'));
    const numbers = data.flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'quantity' || kind === 'range'));
    expect(numbers).toHaveLength(26);
    for (const { label, absolute_low, absolute_high } of numbers) {
      expect([absolute_low, absolute_high], label).toEqual([expect.any(String), expect.any(String)]);
    }
    for (const form of data) {
      const problems = formProblems(form, { units: UNIT_CHECKS, usedCodes: {} });
      expect(
        problems.filter(({ isWarning }) => !isWarning),
        form.name,
      ).toEqual([]);
    }
    const made = await draft();
    const answer = await enter(owen, made, { potassium: '68', sodium: '141' });
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { 'entries.potassium': ['68 can’t be right. Possible: 0.5 to 20 mmol/L.'] },
    ]);
    expect((await read(owen, made)).entries).toEqual([]);
  });

  it('EXAM-4 name NEWS2’s eight observations once each', async () => {
    const vital = (await list()).data.find(({ id }) => id === TEMPLATES.vitalSigns);
    const named = vital?.fields.flatMap(({ news2 }) => news2 ?? []);
    expect(named?.toSorted()).toEqual([
      ...['consciousness', 'oxygen', 'pulse', 'respiration', 'spo2', 'spo2_scale', 'systolic', 'temperature'],
    ]);
  });

  it('EXAM-1 a version of a form never changes, and a draft stays with the version that it began by', async () => {
    const made = await draft();
    const [shipped] = await server.db
      .selectFrom('examination_templates')
      .selectAll()
      .where('id', '=', TEMPLATES.renalProfile)
      .orderBy('version', 'desc')
      .execute();
    if (!shipped) throw new Error('the form is gone');
    const change = server.db.updateTable('examination_templates').set({ version: 7 }).where('id', '=', shipped.id);
    await expect(change.execute()).rejects.toThrow('never changed');
    const newer = {
      ...shipped,
      version: 3,
      facility_id: facility.id,
      definition: JSON.stringify({ ...Object(shipped.definition), name: 'Renal' }),
    };
    await server.db.insertInto('examination_templates').values(newer).execute();
    expect((await read(owen, made)).title).toBe('Renal profile');
    expect((await draft()).title).toBe('Renal');
    expect((await list()).data.filter(({ id }) => id === shipped.id)).toMatchObject([{ version: 3 }]);
  });
});

/** LOINC's mod 10 (LOINC Users' Guide, appendix C). */
function withCheckDigit(number: string): string {
  const digits = [...number].reverse().map(Number);
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit * 2 : digit));
  const sum = doubled.reduce((total, digit) => total + Math.floor(digit / 10) + (digit % 10), 0);
  return `${number}-${(10 - (sum % 10)) % 10}`;
}

it('EXAM-2 a form with a unit that UCUM does not know is no form', async () => {
  const field = { code: 'pressure', label: 'Pressure', kind: 'quantity', part: 'finding' };
  const withUnit = (code: string) => ({
    ...{ id: newId(), version: 1 },
    definition: { type: 'physical', name: 'Pressures', fields: [{ ...field, unit: { code, label: 'mmHg' } }] },
  });
  expect(toTemplate(withUnit('mm[Hg]')).name).toBe('Pressures');
  expect(() => toTemplate(withUnit('mmHg'))).toThrow('“mmHg” is no unit of UCUM');
  // And each that is shipped has units of UCUM alone, in each of its versions.
  const shipped = await server.db
    .selectFrom('examination_templates')
    .selectAll()
    .where('facility_id', 'is', null)
    .execute();
  expect(shipped.length).toBeGreaterThanOrEqual(7);
  for (const { id, version, definition } of shipped) {
    expect(() => toTemplate({ id, version, definition: definition as object })).not.toThrow();
  }
});
