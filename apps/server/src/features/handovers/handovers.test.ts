import { createHash, randomUUID } from 'node:crypto';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import {
  HANDOVER_VERSIONS_MAX,
  type Handover,
  type HandoverSuggestion,
  type HandoverSummary,
  type WaitingHandover,
} from '@wardline/contract/examinations/handovers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

let server: TestServer;
let facility: MadeFacility;
/** Gives; manages the chats of these tests. */
let ana: Person;
/** In the chat. */
let mira: Person;
let leila: Person;
/** In the facility, and in none of its chats. */
let otto: Person;
let stranger: Person;
let chat: Chat;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  ana = await person('Ana Reyes');
  const hers = server.db.updateTable('memberships').set({ title: 'Charge nurse' }).where('user_id', '=', ana.id);
  await hers.execute();
  mira = await person('Mira Okafor');
  leila = await person('Leila Haddad');
  otto = await person('Otto Outsider');
  stranger = await signedInMember(server, { facility: await makeFacility(server.db), name: 'Sam Stranger' });
});
afterAll(() => server.close());
beforeEach(async () => {
  chat = await newChat();
});

const person = (name: string) => signedInMember(server, { facility, name });

async function newChat(about: object = { patient: { name: 'Edith Maron', identifier: '40-118-236', bed: '3A-07' } }) {
  const kind = 'patient' in about ? 'case' : 'group';
  const body = { client_id: newId(), kind, ...about, participant_ids: [mira.id, leila.id] };
  const made = await ana.client.send('POST', `/api/facilities/${facility.id}/chats`, { body });
  return made.json() as Chat;
}

const said = async (who: Person, body: string, more: object = {}): Promise<Message> =>
  (
    await who.client.send('POST', `/api/chats/${chat.id}/messages`, { body: { client_id: newId(), body, ...more } })
  ).json();

interface Given {
  readonly lines?: readonly object[];
  readonly actions?: readonly object[];
  readonly format?: string;
  readonly severity?: string | null;
  readonly to?: object;
  readonly hands_over_chat?: boolean;
  readonly client_id?: string;
}
const LACTATE = { text: 'Repeat lactate', owner: 'Night SHO', due_at: '2026-11-25T02:00:00.000Z' };

function sheetOf({ lines, actions, format = 'ipass', severity = 'watcher', to, hands_over_chat = false }: Given) {
  return {
    sheet: {
      format,
      severity,
      lines: lines ?? [{ section: 'summary', text: 'Urosepsis, day 2.' }],
      actions: actions ?? [],
    },
    to: to ?? { user_id: mira.id, role_id: null },
    hands_over_chat,
  };
}
const give = (who: Person, given: Given = {}, to = chat.id) =>
  who.client.send('POST', `/api/chats/${to}/handovers`, {
    body: { client_id: given.client_id ?? newId(), ...sheetOf(given) },
  });
async function given(how: Given = {}): Promise<Handover> {
  const answer = await give(ana, how);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}
const move = (who: Person, { id, version }: Handover, event: string, text = 'Urosepsis; I watch the lactate.') =>
  who.client.send('POST', `/api/handovers/${id}/transitions`, { body: { event, expected_version: version, text } });
const correct = (who: Person, { id, version }: Handover, how: Given = {}, reason = 'Wrong dose') =>
  who.client.send('POST', `/api/handovers/${id}/versions`, {
    body: { expected_version: version, reason, ...sheetOf(how) },
  });
async function received(how: Given = {}): Promise<Handover> {
  const answer = await move(mira, await given(how), 'receive');
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const read = async (who: Person, { id }: { id: string }): Promise<Handover> =>
  (await who.client.send('GET', `/api/handovers/${id}`)).json();
const tick = (who: Person, { id }: Handover, action: string, is_done = true) =>
  who.client.send('PUT', `/api/handovers/${id}/actions/${action}`, { body: { is_done } });
const suggestionsOf = async (who = ana): Promise<HandoverSuggestion[]> =>
  (await who.client.send('GET', `/api/chats/${chat.id}/handover-suggestions`)).json().suggestions;
const waitingOf = async (who: Person): Promise<WaitingHandover[]> =>
  (await who.client.send('GET', '/api/waiting-handovers'))
    .json()
    .data.filter(({ chat_id }: WaitingHandover) => chat_id === chat.id);
const linesOf = async (): Promise<string[]> => {
  const answer = await ana.client.send('GET', `/api/chats/${chat.id}/messages?limit=200`);
  const lines: Message[] = answer.json().data;
  return lines.filter(({ kind }) => kind === 'system').map(({ sender, body }) => `${sender.name} ${body}`);
};
const chatNow = async (who: Person): Promise<Chat> => (await who.client.send('GET', `/api/chats/${chat.id}`)).json();

/** A signed examination of the chat, with its decision about what is critical. */
async function signed(
  template: string,
  values: Readonly<Record<string, string>>,
  client_id = newId(),
): Promise<{ id: string; version: number }> {
  const made = await ana.client.send('POST', `/api/chats/${chat.id}/examinations`, {
    body: { client_id, template_id: template },
  });
  const { id } = made.json();
  const step = (to: string, expected_version: number, more: object = {}) =>
    ana.client.send('POST', `/api/examinations/${id}/transitions`, { body: { to, expected_version, ...more } });
  await step('requested', 1);
  await step('in_progress', 2);
  const entries = Object.entries(values).map(([field, value]) => ({ field, value }));
  const critical = { kind: 'none', reason: 'Told at the bedside' };
  const answer = await step('reported', 3, { entries, critical });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

describe('what a hand-over is drafted from', () => {
  it('HAND-1 names abnormal results, NEWS2, open examinations, urgent and pinned messages, each with where it stands', async () => {
    // The one before, begun by a device whose clock is ahead.
    await signed(TEMPLATES.renalProfile, { potassium: '7.2' }, `f${newId().slice(1)}`);
    const renal = await signed(TEMPLATES.renalProfile, { potassium: '6.8', sodium: '140' });
    await signed(TEMPLATES.vitalSigns, {
      ...{ respiration: '26', spo2: '91', spo2_scale: '1', oxygen: 'air', systolic: '98', pulse: '115' },
      ...{ consciousness: 'A', temperature: '38.6' },
    });
    const open = await ana.client.send('POST', `/api/chats/${chat.id}/examinations`, {
      body: { client_id: newId(), template_id: TEMPLATES.renalProfile },
    });
    const request = { to: 'requested', expected_version: 1 };
    await ana.client.send('POST', `/api/examinations/${open.json().id}/transitions`, { body: request });
    const urgent = await said(ana, 'Pressure is 88\nplease come', {
      urgent: { targets: { people: [mira.id], role_id: null } },
    });
    const pin = await said(mira, 'Allergic to penicillin');
    await mira.client.send('PUT', `/api/chats/${chat.id}/messages/${pin.id}/pin`, { body: { is_pinned: true } });
    const plain = await said(leila, 'Daughter comes at 8');
    const gone = await said(leila, 'Wrong chat');
    await leila.client.send('PUT', `/api/chats/${chat.id}/messages/${gone.id}/deletion`, {
      body: { reason: 'Wrong chat' },
    });

    const suggestions = await suggestionsOf();
    expect(suggestions.map(({ kind, text }) => [kind, text])).toEqual([
      ['urgent', 'Urgent, not acknowledged yet: Pressure is 88 · please come'],
      ['news2', 'NEWS2 11, high risk'],
      [
        'result',
        'Vital signs: Respiratory rate 26 /min (critically high), Systolic pressure 98 mmHg (low), Pulse 115 /min (high), Temperature 38.6 °C (high)',
      ],
      ['result', 'Renal profile: Potassium 6.8 mmol/L (critically high)'],
      ['open_examination', 'Open: Renal profile, requested by Ana Reyes'],
      ['pin', 'Allergic to penicillin'],
      ['message', 'Daughter comes at 8'],
    ]);
    const sources = new Map(suggestions.map(({ text, source }) => [text, source]));
    expect(sources.get('Renal profile: Potassium 6.8 mmol/L (critically high)')).toMatchObject({
      ...{ kind: 'examination', id: renal.id, label: 'Renal profile' },
    });
    expect(sources.get('Daughter comes at 8')).toMatchObject({
      kind: 'message',
      seq: plain.seq,
      label: 'Leila Haddad',
    });
    expect(suggestions[0]?.source.id).toBe(urgent.id);
  });

  it('HAND-1 says how an urgent message stands that somebody has acknowledged, and nothing of one that is over', async () => {
    const urgent = await said(ana, 'Please come', { urgent: { targets: { people: [mira.id], role_id: null } } });
    const path = `/api/chats/${chat.id}/messages/${urgent.id}`;
    await mira.client.send('PUT', `${path}/urgent/acceptance`);
    const [accepted] = await suggestionsOf();
    expect(accepted?.text).toBe('Urgent, acknowledged by Mira Okafor, not done yet: Please come');
    await mira.client.send('PUT', `${path}/urgent/closure`, { body: { note: 'Seen' } });
    expect((await suggestionsOf()).map(({ kind }) => kind)).toEqual(['message']);
  });

  it('HAND-1 A16 a line that quotes the chat says what stands there, or is refused at the line', async () => {
    const message = await said(mira, 'Allergic to penicillin');
    const source = { kind: 'message', id: message.id };
    const line = (more: object) => ({ lines: [{ section: 'summary', source, ...more }] });
    const lied = await give(ana, line({ text: 'Not allergic', is_quoted: true }));
    expect([lied.statusCode, Object.keys(lied.json().errors)]).toEqual([422, ['sheet.lines.0']]);
    const other = await said(leila, 'Not allergic');
    expect((await give(ana, line({ text: other.body, is_quoted: true }))).statusCode).toBe(422);
    const nowhere = await give(ana, { lines: [{ section: 'summary', text: 'As said', is_quoted: true }] });
    expect(nowhere.statusCode).toBe(422);
    const elsewhere = await give(ana, line({ text: 'x', source: { kind: 'message', id: randomUUID() } }));
    expect(elsewhere.json().errors['sheet.lines.0'][0]).toContain('not in the chat any more');
    const wrongKind = await give(ana, line({ text: 'x', source: { kind: 'examination', id: message.id } }));
    expect(wrongKind.statusCode).toBe(422);
    const [quoted] = (await given(line({ text: 'Allergic to penicillin', is_quoted: true }))).versions;
    expect(quoted?.lines).toEqual([
      {
        ...{ section: 'summary', text: 'Allergic to penicillin', is_quoted: true },
        source: { ...source, seq: message.seq, label: 'Mira Okafor', at: message.created_at },
      },
    ]);
    // What was edited is its writer's, and keeps the way to where it came from.
    const [edited] = (await given(line({ text: 'Penicillin: rash in 2019' }))).versions;
    expect(edited?.lines[0]).toMatchObject({ is_quoted: false, source: { seq: message.seq } });
  });

  it('HAND-1 a line may be taken from any message, however many were written since, and from none that was deleted', async () => {
    const message = await said(mira, 'Allergic to penicillin');
    for (let since = 1; since <= 25; since++) await said(leila, `Pressure ${since}`);
    const gone = await said(leila, 'Wrong chat');
    const deletion = `/api/chats/${chat.id}/messages/${gone.id}/deletion`;
    expect((await leila.client.send('PUT', deletion, { body: { reason: 'Wrong chat' } })).statusCode).toBe(200);
    const from = ({ id }: Message) => ({
      lines: [{ section: 'summary', text: 'As said', source: { kind: 'message', id } }],
    });
    const [sheet] = (await given(from(message))).versions;
    expect(sheet?.lines[0]?.source).toMatchObject({ id: message.id, seq: message.seq });
    expect((await give(ana, from(gone))).json().errors['sheet.lines.0'][0]).toContain('not in the chat any more');
  });
});

describe('giving', () => {
  it('HAND-1 CHAT-7 signs the sheet, says it in the chat, and waits for its receiver, in one transaction', async () => {
    const action = { id: newId(), ...LACTATE };
    const made = await given({ actions: [action] });
    expect(made).toMatchObject({
      ...{ chat_id: chat.id, format: 'ipass', state: 'given', version: 1, sheet_version: 1, severity: 'watcher' },
      ...{ from: 'Ana Reyes', to: 'Mira Okafor', role: null, actions: 1, open_actions: 1, done: [], ended: null },
      my: { can_receive: false, can_withdraw: true, can_correct: true, can_tick: false, can_manage: true },
    });
    const [sheet] = made.versions;
    expect(sheet).toMatchObject({
      patient: { name: 'Edith Maron', identifier: '40-118-236', bed: '3A-07' },
      ...{
        to: { user_id: mira.id, name: 'Mira Okafor' },
        given: { by: { user_id: ana.id, title: 'Charge nurse' } },
        receipt: null,
        reason: null,
      },
      actions: [action],
    });
    const stored = await server.db
      .selectFrom('handover_sheets')
      .selectAll()
      .where('handover_id', '=', made.id)
      .execute();
    expect(stored.map(({ content }) => createHash('sha256').update(content).digest('hex'))).toEqual([sheet?.sha256]);
    expect((await linesOf()).at(-1)).toBe('Ana Reyes handed over to Mira Okafor: I-PASS, watcher');
    const audits = (await auditOf(server, 'handover.give', ana.id)).filter(({ object_id }) => object_id === made.id);
    expect(audits.map(({ detail }) => detail)).toEqual([
      { chat: chat.id, to: mira.id, role: null, version: 1, sha256: sheet?.sha256 },
    ]);
    expect(await waitingOf(mira)).toEqual([
      {
        ...{
          id: made.id,
          chat_id: chat.id,
          facility_id: facility.id,
          format: 'ipass',
          severity: 'watcher',
          role: null,
        },
        ...{ patient: { name: 'Edith Maron', identifier: '40-118-236' }, from: 'Ana Reyes', given_at: made.given_at },
      },
    ]);
    expect(await waitingOf(leila)).toEqual([]);
  });

  it('HAND-1 the same press again answers the one that was given; the same id with other words, for somebody else or with the chat is refused', async () => {
    const client_id = newId();
    const first = await given({ client_id });
    expect((await given({ client_id })).id).toBe(first.id);
    const others = [
      { lines: [{ section: 'summary', text: 'Something else' }] },
      { to: { user_id: leila.id, role_id: null } },
      { hands_over_chat: true },
    ] as const;
    for (const other of others) {
      expect((await give(ana, { client_id, ...other })).json().code).toBe('client_id_reused');
    }
    const twins = await Promise.all(Array.from({ length: 4 }, () => 'twins').map(() => give(ana, { client_id: TWIN })));
    expect(new Set(twins.map((answer) => answer.json().id)).size).toBe(1);
  });
  const TWIN = newId();

  it('HAND-1 A47 the same id is the same press of one person in one chat: with other actions, by another role or elsewhere it is refused', async () => {
    const [client_id, toRole] = [newId(), newId()];
    const [role, other] = await Promise.all(
      ['Registrar', 'Consultant'].map((name) =>
        makeOnCallRole(server.db, { facilityId: facility.id, name: `${name} ${newId()}` }),
      ),
    );
    const span = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 60_000) };
    for (const roleId of [role, other])
      await makeShift(server.db, { facilityId: facility.id, roleId: roleId ?? '', userId: mira.id, ...span });
    const by = (role_id: string | undefined) => ({ user_id: null, role_id });
    const first = await given({ client_id, actions: [{ id: newId(), ...LACTATE }] });
    const made = await given({ client_id: toRole, to: by(role) });
    const reused = [
      { client_id },
      { client_id, actions: [{ id: newId(), ...LACTATE, text: 'Second litre' }] },
      { client_id: toRole, to: by(other) },
      { client_id: toRole },
    ];
    for (const how of reused) expect((await give(ana, how)).json().code).toBe('client_id_reused');
    const [audit] = await auditOf(server, 'handover.give', ana.id);
    expect(audit).toMatchObject({ facility_id: facility.id, object_id: made.id, detail: { to: mira.id, role } });
    // Of a role it is the same whoever holds it now, or nobody.
    await server.db
      .deleteFrom('on_call_shifts')
      .where('role_id', '=', role ?? '')
      .execute();
    expect((await give(ana, { client_id: toRole, to: by(role) })).json().id).toBe(made.id);
    const hers = await give(mira, { client_id, to: { user_id: leila.id, role_id: null } });
    expect(hers.statusCode, hers.body).toBe(201);
    expect(hers.json().id).not.toBe(first.id);
    const elsewhere = await newChat();
    const how = { client_id, actions: [{ id: newId(), ...LACTATE }] };
    expect((await give(ana, how, elsewhere.id)).json().code).toBe('client_id_reused');
  });

  it.each([
    ['give', () => give(ana)],
    ['correct', (made: Handover) => correct(ana, made)],
    ['withdraw', (made: Handover) => move(ana, made, 'withdraw', 'Wrong patient')],
    ['receive', (made: Handover) => move(mira, made, 'receive')],
    ['decline', (made: Handover) => move(mira, made, 'decline')],
  ])('HAND-1 A16 nobody is let %s whose right to write ends while it waits', async (_what, ask) => {
    const made = await given();
    const before = await linesOf();
    let asking: ReturnType<typeof give> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      asking = ask(made);
      await untilBlocked(server.db, asking);
      const writers = sql`chat_id = ${chat.id} and user_id in (${ana.id}, ${mira.id})`;
      await sql`update chat_participants set access = 'read' where ${writers}`.execute(tx);
    });
    expect((await asking)?.statusCode).toBe(403);
    expect(await linesOf()).toEqual(before);
    expect(await read(ana, made)).toMatchObject({ state: 'given', version: 1 });
  });

  it('HAND-1 ADM-3 each step is told to all in the chat, its line to who did it, too, and stands in the audit with what it changed', async () => {
    const [hers, mine] = [await openSocket(server), await openSocket(server)];
    await hers.join(leila.client, `private-App.Models.User.${leila.id}`);
    await mine.join(ana.client, `presence-chat.${chat.id}`);
    const headers = { 'x-socket-id': mine.id };
    const body = { client_id: newId(), ...sheetOf({}) };
    const made: Handover = (await ana.client.send('POST', `/api/chats/${chat.id}/handovers`, { body, headers })).json();
    const steps = `/api/handovers/${made.id}`;
    const declined: Handover = (await move(mira, made, 'decline', 'I am on SUR')).json();
    const to = { user_id: leila.id, role_id: null };
    const again = { expected_version: declined.version, reason: 'Mira is on SUR', ...sheetOf({ to }) };
    const corrected = await ana.client.send('POST', `${steps}/versions`, { body: again, headers });
    const withdrawn = { event: 'withdraw', expected_version: corrected.json().version, text: 'Discharged' };
    expect((await ana.client.send('POST', `${steps}/transitions`, { body: withdrawn, headers })).statusCode).toBe(200);
    for (const version of [1, 2, 3, 4]) {
      const { data } = await hers.next(({ event }) => event === 'App\\Events\\HandoverChanged');
      expect(data).toEqual({ chat_id: chat.id, handover_id: made.id, version });
    }
    for (const start of ['handed over to', 'declined the', 'corrected the', 'withdrew the']) {
      const isLine = (data: unknown) => (data as { message: Message }).message.body.startsWith(start);
      await mine.next(({ event, data }) => event === 'App\\Events\\MessageSent' && isLine(data));
    }
    await mine.settle();
    const heard = mine.frames.filter(({ event }) => event === 'App\\Events\\HandoverChanged').map(({ data }) => data);
    expect(heard, 'what the answers do not say').toMatchObject([{ version: 2 }]);
    for (const socket of [hers, mine]) socket.close();
    const rows = await server.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'facility_id', 'detail'])
      .where('object_id', '=', made.id)
      .where('action', 'in', ['handover.move', 'handover.correct'])
      .orderBy('id')
      .execute();
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(rows.map(({ actor_id, detail }) => [actor_id, detail])).toEqual([
      [mira.id, { chat: chat.id, event: 'decline', from: 'given', to: 'declined', version: 2 }],
      [ana.id, { chat: chat.id, from: 'declined', to: leila.id, version: 2, sha256 }],
      [ana.id, { chat: chat.id, event: 'withdraw', from: 'given', to: 'withdrawn', version: 4 }],
    ]);
    expect(rows.every(({ facility_id }) => facility_id === facility.id)).toBe(true);
  });

  it.each([
    ['an I-PASS without how ill the patient is', { severity: null }, 'sheet.severity'],
    ['a part of another form', { lines: [{ section: 'situation', text: 'x' }] }, 'sheet.lines'],
    ['nothing', { lines: [] }, 'sheet.lines'],
    ['nobody', { to: { user_id: null, role_id: null } }, 'to'],
    ['somebody of no hospital', { to: { user_id: randomUUID(), role_id: null } }, 'to'],
    ['a role that there is not', { to: { user_id: null, role_id: randomUUID() } }, 'to'],
  ])('HAND-1 A16 refuses %s, at its field', async (_what, how, field) => {
    const answer = await give(ana, how);
    expect([answer.statusCode, Object.keys(answer.json().errors ?? {})]).toEqual([422, [field]]);
  });

  it('HAND-1 A16 is for chats about a patient, and never to oneself', async () => {
    expect((await give(ana, { to: { user_id: ana.id, role_id: null } })).json().errors.to[0]).toContain('this is you');
    chat = await newChat({ title: 'Team' });
    expect((await give(ana)).json().errors.sheet[0]).toContain('Only a chat about a patient');
  });

  it('HAND-1 CHAT-18 who is not in the chat comes in with it, where the giver may add people, and otherwise nobody is told', async () => {
    const to = { user_id: otto.id, role_id: null };
    const refused = await give(mira, { to });
    expect(refused.json().errors.to[0]).toContain('Otto Outsider is not in this chat. Ask somebody who manages it');
    expect((await otto.client.send('GET', `/api/chats/${chat.id}`)).statusCode).toBe(404);
    const made = await given({ to });
    expect(await linesOf()).toContain('Ana Reyes added Otto Outsider, who sees all messages');
    expect((await move(otto, made, 'receive')).statusCode).toBe(200);
  });

  it('HAND-1 A16 nobody of another facility is handed a patient', async () => {
    const answer = await give(ana, { to: { user_id: stranger.id, role_id: null } });
    expect([answer.statusCode, answer.json().errors.to[0]]).toEqual([
      ...[422, 'Whom you chose is not in this facility any more.'],
    ]);
  });
});

describe('a role', () => {
  const hour = 3_600_000;
  const onCall = async (name: string) => makeOnCallRole(server.db, { facilityId: facility.id, name });
  const shift = (roleId: string, userId: string, from: number, to: number) =>
    makeShift(server.db, {
      ...{ facilityId: facility.id, roleId, userId },
      ...{ startsAt: new Date(Date.now() + from), endsAt: new Date(Date.now() + to) },
    });

  it('HAND-1 goes to who holds it now, and waits also for who holds it since', async () => {
    const roleId = await onCall(`Night registrar ${newId()}`);
    const to = { user_id: null, role_id: roleId };
    expect((await give(ana, { to })).json().errors.to[0]).toMatch(/^Nobody is on call as Night registrar/);
    await shift(roleId, mira.id, -hour, hour);
    const made = await given({ to });
    expect(made).toMatchObject({ to: 'Mira Okafor', role: expect.stringMatching(/^Night registrar/) });
    expect([await waitingOf(mira), await waitingOf(leila)].map(({ length }) => length)).toEqual([1, 0]);
    await server.db.deleteFrom('on_call_shifts').where('role_id', '=', roleId).execute();
    await shift(roleId, leila.id, -hour, hour);
    expect(await waitingOf(leila)).toHaveLength(1);
    const answer = await move(leila, made, 'receive');
    expect(answer.json()).toMatchObject({ state: 'received', to: 'Leila Haddad' });
    expect(await waitingOf(mira)).toEqual([]);
  });

  it('HAND-1 CHAT-18 whoever is in the chat by a role stays beyond the shift where it goes to them, and not where it goes to the role', async () => {
    const roleId = await onCall(`Evening registrar ${newId()}`);
    await ana.client.send('PUT', `/api/chats/${chat.id}/roles/${roleId}`, { body: {} });
    const passes = async (userId: string | null) => {
      await server.db.deleteFrom('on_call_shifts').where('role_id', '=', roleId).execute();
      if (userId) await shift(roleId, userId, -hour, hour);
      await server.runRoles();
    };
    const reads = async () => (await otto.client.send('GET', `/api/chats/${chat.id}`)).statusCode === 200;
    await passes(otto.id);
    await given({ to: { user_id: null, role_id: roleId } });
    await passes(null);
    expect(await reads()).toBe(false);
    await passes(otto.id);
    await given({ to: { user_id: otto.id, role_id: null } });
    expect(await linesOf()).toContain('Ana Reyes kept Otto Outsider in the chat');
    await passes(null);
    expect(await reads()).toBe(true);
  });

  it('HAND-1 CHAT-18 who only reads by a role and is given the patient by name writes and stays', async () => {
    const roleId = await onCall(`Observer ${newId()}`);
    await ana.client.send('PUT', `/api/chats/${chat.id}/roles/${roleId}`, { body: { access: 'read' } });
    await shift(roleId, otto.id, -hour, hour);
    await server.runRoles();
    await given({ to: { user_id: otto.id, role_id: null } });
    expect(await linesOf()).toContain('Ana Reyes gave Otto Outsider write access');
  });

  it('HAND-1 CHAT-18 who holds the role and opened the chat in an emergency stays in it beyond that', async () => {
    const roleId = await onCall(`Night registrar ${newId()}`);
    await shift(roleId, otto.id, -hour, hour);
    const body = {
      ...{ client_id: newId(), chat_id: chat.id, identifier: '40-118-236', born_on: '1948-03-14' },
      reason: 'Found not breathing',
    };
    const opened = await otto.client.send('POST', `/api/facilities/${facility.id}/emergency-accesses`, { body });
    expect(opened.statusCode, opened.body).toBe(201);
    const untilOf = async () => {
      const { data } = (await ana.client.send('GET', `/api/chats/${chat.id}/participants`)).json();
      return data.find(({ user_id }: { user_id: string }) => user_id === otto.id)?.emergency_until;
    };
    expect(await untilOf()).toEqual(expect.any(String));
    await given({ to: { user_id: null, role_id: roleId } });
    expect(await untilOf()).toBeNull();
    expect(await linesOf()).toContain('Ana Reyes kept Otto Outsider in the chat');
  });

  it('HAND-1 a correction that gives it to a person waits for the role’s holder no more, and one that gives it to a role does', async () => {
    const roleId = await onCall(`Day registrar ${newId()}`);
    await shift(roleId, leila.id, -hour, hour);
    const made = await given({ to: { user_id: null, role_id: roleId } });
    expect(await waitingOf(leila)).toMatchObject([{ id: made.id, role: expect.stringMatching(/^Day registrar/) }]);
    const toMira: Handover = (await correct(ana, made)).json();
    expect(toMira).toMatchObject({ to: 'Mira Okafor', role: null });
    expect([await waitingOf(mira), await waitingOf(leila)].map(({ length }) => length)).toEqual([1, 0]);
    expect((await move(leila, toMira, 'receive')).statusCode).toBe(403);
    const back: Handover = (await correct(ana, toMira, { to: { user_id: null, role_id: roleId } })).json();
    expect(back).toMatchObject({ to: 'Leila Haddad', role: expect.stringMatching(/^Day registrar/) });
    expect([await waitingOf(mira), await waitingOf(leila)].map(({ length }) => length)).toEqual([0, 1]);
    expect((await move(leila, back, 'receive')).statusCode).toBe(200);
  });

  it('HAND-1 A16 a role of another hospital is none of ours', async () => {
    const theirs = await makeFacility(server.db);
    const roleId = await makeOnCallRole(server.db, { facilityId: theirs.id, name: 'Registrar' });
    const answer = await give(ana, { to: { user_id: null, role_id: roleId } });
    expect(answer.json().errors.to[0]).toContain('no longer there');
  });
});

describe('receiving', () => {
  it('HAND-1 CHAT-7 the receiver signs what they understood: both signatures are kept, and it waits no more', async () => {
    const made = await given();
    const answer = await move(mira, made, 'receive', 'Urosepsis, day 2. I watch the lactate.');
    const [sheet] = (answer.json() as Handover).versions;
    expect(answer.json()).toMatchObject({ state: 'received', version: 2, my: { can_receive: false, can_tick: true } });
    expect(sheet).toMatchObject({
      ...{ sha256: made.versions[0]?.sha256, given: { by: { user_id: ana.id, name: 'Ana Reyes' } } },
      receipt: { by: { user_id: mira.id, name: 'Mira Okafor' }, synthesis: 'Urosepsis, day 2. I watch the lactate.' },
    });
    const [kept] = await server.db
      .selectFrom('handover_receipts')
      .selectAll()
      .where('handover_id', '=', made.id)
      .execute();
    expect(
      createHash('sha256')
        .update(kept?.content ?? '')
        .digest('hex'),
    ).toBe(sheet?.receipt?.sha256);
    // The second signature stands over the first.
    expect(JSON.parse(kept?.content ?? '{}').sheet_sha256).toBe(sheet?.sha256);
    expect((await linesOf()).at(-1)).toBe('Mira Okafor received the hand-over from Ana Reyes, version 1');
    expect(await waitingOf(mira)).toEqual([]);
    const audits = (await auditOf(server, 'handover.move', mira.id)).filter(({ object_id }) => object_id === made.id);
    expect(audits.map(({ detail }) => detail)).toMatchObject([
      { event: 'receive', from: 'given', to: 'received', sheet: 1 },
    ]);
    // What was said of the patient stands in the sheet, and not in the audit.
    expect(JSON.stringify(audits)).not.toContain('lactate');
  });

  it('HAND-1 CHAT-7 A29 of two who hold the role and sign at once one wins, and the other is told in words who', async () => {
    const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Registrar ${newId()}` });
    const span = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 60_000) };
    await makeShift(server.db, { facilityId: facility.id, roleId, userId: mira.id, ...span });
    const made = await given({ to: { user_id: null, role_id: roleId } });
    await server.db.deleteFrom('on_call_shifts').where('role_id', '=', roleId).execute();
    await makeShift(server.db, { facilityId: facility.id, roleId, userId: leila.id, ...span });
    const answers = await Promise.all([move(mira, made, 'receive'), move(leila, made, 'receive')]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const lost = answers.find(({ statusCode }) => statusCode === 409);
    expect(lost?.json().message).toMatch(/^(Mira Okafor|Leila Haddad) has received it meanwhile\./);
    expect((await read(ana, made)).versions.filter(({ receipt }) => receipt)).toHaveLength(1);
    expect((await linesOf()).filter((line) => line.includes('received the hand-over'))).toHaveLength(1);
  });

  it('HAND-1 CHAT-6 A16 only to whom it was given: not another of the chat, not the giver, nobody outside of it', async () => {
    const made = await given();
    const statuses = [];
    for (const who of [leila, ana, otto, stranger]) statuses.push((await move(who, made, 'receive')).statusCode);
    expect(statuses).toEqual([403, 403, 404, 404]);
    for (const who of [otto, stranger]) {
      expect((await who.client.send('GET', `/api/handovers/${made.id}`)).statusCode).toBe(404);
      expect((await who.client.send('GET', `/api/chats/${chat.id}/handover-suggestions`)).statusCode).toBe(404);
    }
    expect((await read(ana, made)).state).toBe('given');
  });

  it('HAND-1 CHAT-6 A29 who was taken out of the chat reads and signs nothing any more, and it waits for them no more', async () => {
    const made = await given();
    await ana.client.send('DELETE', `/api/chats/${chat.id}/participants/${mira.id}`);
    expect((await move(mira, made, 'receive')).statusCode).toBe(404);
    expect((await mira.client.send('GET', `/api/handovers/${made.id}`)).statusCode).toBe(404);
    expect(await waitingOf(mira)).toEqual([]);
  });

  it('HAND-1 CHAT-6 the end of a membership ends it as well', async () => {
    const rosa = await person('Rosa Leaving');
    const made = await given({ to: { user_id: rosa.id, role_id: null } });
    await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', rosa.id).execute();
    expect((await move(rosa, made, 'receive')).statusCode).toBe(404);
    expect(await waitingOf(rosa)).toEqual([]);
  });

  it('HAND-1 CHAT-7 in a chat that is over nothing is given or received, and nothing waits', async () => {
    const made = await given();
    await ana.client.send('PATCH', `/api/chats/${chat.id}`, { body: { expected_version: 1, state: 'closed' } });
    expect([(await move(mira, made, 'receive')).statusCode, (await give(ana)).statusCode]).toEqual([403, 403]);
    expect(await waitingOf(mira)).toEqual([]);
  });

  it('HAND-1 CHAT-7 the chat goes with it where the giver said so: marked as handed over, managed by who received it', async () => {
    const made = await received({ hands_over_chat: true });
    expect(await chatNow(mira)).toMatchObject({ state: 'handed_over', version: 2, my: { access: 'manage' } });
    expect((await linesOf()).slice(-3)).toEqual([
      'Mira Okafor received the hand-over from Ana Reyes, version 1',
      'Ana Reyes handed the chat over',
      'Ana Reyes gave Mira Okafor manage access',
    ]);
    expect(made.versions[0]?.hands_over_chat).toBe(true);
  });

  it('HAND-1 CHAT-7 A16 the chat stays where it is without that, and where the giver has left it meanwhile', async () => {
    await received();
    expect(await chatNow(mira)).toMatchObject({ state: 'open', my: { access: 'write' } });
    chat = await newChat();
    const made = await given({ hands_over_chat: true });
    await ana.client.send('DELETE', `/api/chats/${chat.id}/participants/${ana.id}`);
    expect((await move(mira, made, 'receive')).statusCode).toBe(200);
    expect((await chatNow(mira)).state).toBe('open');
  });

  it('HAND-1 A16 nor does it go where the giver manages it no more: nobody is given what they may not give', async () => {
    const made = await given({ hands_over_chat: true });
    const put = (who: Person, userId: string, access: string) =>
      who.client.send('PUT', `/api/chats/${chat.id}/participants/${userId}`, { body: { access } });
    expect((await put(ana, leila.id, 'manage')).statusCode).toBe(200);
    expect((await put(leila, ana.id, 'read')).statusCode).toBe(200);
    expect((await move(mira, made, 'receive')).statusCode).toBe(200);
    expect(await chatNow(mira)).toMatchObject({ state: 'open', my: { access: 'write' } });
  });

  it('HAND-1 A16 only who manages the chat hands it over', async () => {
    const to = { user_id: leila.id, role_id: null };
    expect((await give(mira, { to, hands_over_chat: true })).statusCode).toBe(403);
    expect((await give(mira, { to })).statusCode).toBe(201);
  });
});

describe('not receiving', () => {
  it('HAND-1 CHAT-7 the receiver declines with a reason, and the giver gives it to somebody else by a correction', async () => {
    const client_id = newId();
    const made = await given({ client_id });
    expect((await move(leila, made, 'decline', 'Not me')).statusCode).toBe(403);
    const declined: Handover = (await move(mira, made, 'decline', 'I am on SUR tonight')).json();
    expect(declined).toMatchObject({
      state: 'declined',
      ended: { by: { name: 'Mira Okafor' }, reason: 'I am on SUR tonight' },
    });
    expect((await linesOf()).at(-1)).toBe('Mira Okafor declined the hand-over from Ana Reyes: I am on SUR tonight');
    const to = { user_id: leila.id, role_id: null };
    const again: Handover = (await correct(ana, declined, { to }, 'Mira is on SUR')).json();
    expect(again).toMatchObject({ state: 'given', version: 3, sheet_version: 2, to: 'Leila Haddad', ended: null });
    // What gave it first is found by its repeat all the same.
    expect((await give(ana, { client_id })).json().id).toBe(made.id);
    expect((await give(ana, { client_id, to })).json().code).toBe('client_id_reused');
    expect([await waitingOf(mira), await waitingOf(leila)].map(({ length }) => length)).toEqual([0, 1]);
  });

  it('HAND-1 CHAT-7 the giver withdraws it with a reason before it is received, and nobody else', async () => {
    const made = await given();
    expect((await move(mira, made, 'withdraw', 'Because')).statusCode).toBe(403);
    expect((await move(ana, made, 'withdraw', ' ')).statusCode).toBe(422);
    expect((await move(ana, made, 'withdraw', 'Wrong patient')).json()).toMatchObject({ state: 'withdrawn' });
    const late = await move(mira, made, 'receive');
    expect([late.statusCode, late.json().message]).toEqual([
      ...[409, 'Ana Reyes has withdrawn it meanwhile. Nothing else was changed.'],
    ]);
  });

  it('HAND-1 CHAT-7 a stale version is refused in words, also of a correction', async () => {
    const made = await given();
    const now: Handover = (await correct(ana, made)).json();
    const late = await move(mira, made, 'receive');
    expect([late.statusCode, late.json().message]).toEqual([
      ...[409, 'Ana Reyes has corrected it meanwhile. Read it again first.'],
    ]);
    expect((await correct(ana, made)).statusCode).toBe(409);
    expect((await move(mira, now, 'receive')).statusCode).toBe(200);
  });
});

describe('what was signed', () => {
  it('HAND-1 is corrected by a next version with a reason, which is received anew; the one before stays as it was', async () => {
    const first = await received();
    expect((await correct(mira, first)).statusCode).toBe(403);
    const lines = [{ section: 'summary', text: 'Urosepsis, day 3.' }];
    const second: Handover = (await correct(ana, first, { lines }, 'It is day 3')).json();
    expect(second).toMatchObject({ state: 'given', sheet_version: 2 });
    expect(second.versions.map(({ version, reason, receipt }) => [version, reason, receipt === null])).toEqual([
      [2, 'It is day 3', true],
      [1, null, false],
    ]);
    expect(second.versions[1]).toEqual(first.versions[0]);
    expect((await linesOf()).at(-1)).toBe(
      'Ana Reyes corrected the hand-over to Mira Okafor: I-PASS, watcher, version 2: It is day 3',
    );
    expect((await move(mira, second, 'receive')).json().versions[0]).toMatchObject({
      version: 2,
      receipt: { by: { user_id: mira.id } },
    });
  });

  it('HAND-1 has so many versions at most, and whoever is told so has changed nothing', async () => {
    const made = await given();
    await sql`update handovers set sheet_version = ${HANDOVER_VERSIONS_MAX} where id = ${made.id}`.execute(server.db);
    const refused = await correct(ana, made);
    expect(refused.json().errors).toEqual({ reason: ['Give a new hand-over instead.'] });
    expect((await linesOf()).at(-1)).toContain('handed over to');
    await sql`update handovers set sheet_version = ${HANDOVER_VERSIONS_MAX - 1} where id = ${made.id}`.execute(
      server.db,
    );
    expect((await correct(ana, made)).json()).toMatchObject({ sheet_version: HANDOVER_VERSIONS_MAX });
  });

  it.each([
    ['sheet', 'handover_sheets'],
    ['receipt', 'handover_receipts'],
  ] as const)(
    'HAND-1 A29 the database refuses to change or remove a signed %s, and a hash that is not of it',
    async (_what, table) => {
      const { id } = await received();
      const tried = (statement: ReturnType<typeof sql>) =>
        expect(statement.execute(server.db)).rejects.toThrow(/never changed/);
      await tried(sql`update ${sql.table(table)} set signed_at = now() where handover_id = ${id}`);
      await tried(sql`delete from ${sql.table(table)} where handover_id = ${id}`);
      await tried(sql`truncate ${sql.table(table)} cascade`);
      const forged = sql`insert into ${sql.table(table)} (handover_id, version, signed_by, signed_at, content, sha256)
      values (${id}, 1 + (random() * 1000000)::int, ${ana.id}, now(), '{}', sha256('something else'))`;
      await expect(forged.execute(server.db)).rejects.toThrow(/hash_check|foreign key/);
    },
  );
});

describe('actions', () => {
  it('HAND-1 are ticked off by whoever works on in the chat once it is received, by whom and when; live for all', async () => {
    const [lactate, drip] = [newId(), newId()];
    const actions = [
      { id: lactate, ...LACTATE },
      { id: drip, ...LACTATE, text: 'Second litre' },
    ];
    const made = await given({ actions });
    const early = await tick(leila, made, lactate);
    expect([early.statusCode, early.json().message]).toEqual([
      ...[409, 'It has to be received before its actions are done.'],
    ]);
    await move(mira, made, 'receive');
    const socket = await openSocket(server);
    await socket.join(leila.client, `presence-chat.${chat.id}`);
    expect((await tick(leila, made, lactate)).json()).toMatchObject({
      ...{ actions: 2, open_actions: 1, done: [{ action_id: lactate, by: { name: 'Leila Haddad' } }] },
    });
    const heard = await socket.next(({ event }) => event === 'App\\Events\\HandoverChanged');
    expect(heard.data).toEqual({ chat_id: chat.id, handover_id: made.id, version: 2 });
    socket.close();
    // Who said it first stays, and a repeat leaves no second entry.
    expect((await tick(mira, made, lactate)).json().done[0].by.name).toBe('Leila Haddad');
    expect((await auditOf(server, 'handover.act', mira.id)).filter(({ object_id }) => object_id === made.id)).toEqual(
      [],
    );
    expect((await tick(mira, made, lactate, false)).json()).toMatchObject({ open_actions: 2, done: [] });
    expect((await tick(mira, made, newId())).statusCode).toBe(404);
    expect((await tick(otto, made, lactate)).statusCode).toBe(404);
  });

  it('HAND-1 A16 are not ticked off by whose right to write ends while the tick waits', async () => {
    const action = newId();
    const made = await received({ actions: [{ id: action, ...LACTATE }] });
    let ticking: ReturnType<typeof tick> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      ticking = tick(leila, made, action);
      await untilBlocked(server.db, ticking);
      await sql`update chat_participants set access = 'read' where chat_id = ${chat.id} and user_id = ${leila.id}`.execute(
        tx,
      );
    });
    expect((await ticking)?.statusCode).toBe(403);
    expect(await read(ana, made)).toMatchObject({ open_actions: 1, done: [] });
  });

  it('HAND-1 ADM-3 are ticked off of the sheet that holds, while it holds, and the audit says which and by whom', async () => {
    const [kept, dropped] = [newId(), newId()];
    const actions = [
      { id: kept, ...LACTATE },
      { id: dropped, ...LACTATE, text: 'Second litre' },
    ];
    const first = await received({ actions });
    const other = await received({ actions: [{ id: kept, ...LACTATE }] });
    for (const is_done of [true, false]) expect((await tick(leila, first, kept, is_done)).statusCode).toBe(200);
    expect((await read(ana, other)).done).toEqual([]);
    const entries = (await auditOf(server, 'handover.act', leila.id)).filter(({ object_id }) => object_id === first.id);
    expect(entries.map(({ detail }) => detail)).toEqual([
      { chat: chat.id, action: kept, is_done: false },
      { chat: chat.id, action: kept, is_done: true },
    ]);
    await tick(leila, first, kept);
    const corrected: Handover = (await correct(ana, first, { actions: [{ id: kept, ...LACTATE }] })).json();
    expect((await tick(leila, corrected, dropped)).statusCode, 'of the sheet before').toBe(404);
    expect((await tick(leila, corrected, kept, false)).statusCode, 'not received yet').toBe(409);
    expect(corrected.done).toMatchObject([{ action_id: kept, by: { name: 'Leila Haddad' } }]);
    expect((await read(ana, other)).done).toEqual([]);
  });

  it('HAND-1 what was done stays done in a corrected sheet that still names it', async () => {
    const [kept, dropped] = [newId(), newId()];
    const actions = [
      { id: kept, ...LACTATE },
      { id: dropped, ...LACTATE, text: 'Second litre' },
    ];
    const made = await received({ actions });
    await tick(mira, made, kept);
    const corrected: Handover = (await correct(ana, made, { actions: [{ id: kept, ...LACTATE }] })).json();
    expect(corrected).toMatchObject({ actions: 1, open_actions: 0, done: [{ action_id: kept }] });
  });
});

describe('the list of a chat', () => {
  it('HAND-1 comes by page, the newest first, to who reads the chat', async () => {
    const ids = [];
    for (let made = 0; made < 3; made++) ids.unshift((await given()).id);
    const page = async (query: string): Promise<{ data: HandoverSummary[]; next_cursor: string | null }> =>
      (await leila.client.send('GET', `/api/chats/${chat.id}/handovers?limit=2${query}`)).json();
    const first = await page('');
    const second = await page(`&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect((await otto.client.send('GET', `/api/chats/${chat.id}/handovers`)).statusCode).toBe(404);
  });

  it('HAND-1 A29 who opens one is named in the audit, and each print', async () => {
    const made = await given();
    await read(leila, made);
    await leila.client.send('POST', `/api/handovers/${made.id}/prints`);
    for (const action of ['handover.view', 'handover.print']) {
      const found = (await auditOf(server, action, leila.id)).filter(({ object_id }) => object_id === made.id);
      expect(found, action).toHaveLength(1);
    }
  });
});
