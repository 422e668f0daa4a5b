import { begunShifts } from '@wardline/census/shift-starts.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import type {
  BegunShift,
  Handover,
  HandoverListRow,
  HandoverListUnit,
} from '@wardline/contract/examinations/handovers.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { makeHandover } from '#/testing/factories/handovers.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

interface List {
  readonly data: HandoverListRow[];
  readonly next_cursor: string | null;
  readonly unit_id: string | null;
  readonly since: string;
  readonly at: string;
  readonly units: HandoverListUnit[];
  readonly shifts: BegunShift[];
}

const HOUR_MS = 3_600_000;
const MED = { id: newId(), code: 'MED 3A', name: 'Medical 3A' };
const ICU = { id: newId(), code: 'ICU', name: 'Intensive care' };
let server: TestServer;
let facility: MadeFacility;
/** In all chats of these tests, and manages them. */
let ana: Person;
let mira: Person;
let leila: Person;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [MED.id, ICU.id] = [newId(), newId()];
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  const units = [MED, ICU].map((unit, position) => ({ ...unit, facility_id: facility.id, kind: 'ward', position }));
  await server.db.insertInto('units').values(units).execute();
  ana = await person('Ana Reyes');
  mira = await person('Mira Okafor');
  leila = await person('Leila Haddad');
});

const person = (name: string) => signedInMember(server, { facility, name });

async function patientIn(bed: string | null, name: string, people: readonly Person[] = [mira, leila]): Promise<Chat> {
  const patient = { name, identifier: `40-${newId().slice(-6)}`, ...(bed !== null && { bed }) };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: people.map(({ id }) => id) };
  const made = await ana.client.send('POST', `/api/facilities/${facility.id}/chats`, { body });
  expect(made.statusCode, made.body).toBe(201);
  return made.json();
}

const pathOf = (query: Readonly<Record<string, string>>) =>
  `/api/facilities/${facility.id}/handover-list?${new URLSearchParams(query)}`;
const ask = (who: Person, query: Readonly<Record<string, string>> = {}) => who.client.send('GET', pathOf(query));
async function listOf(who: Person, query: Readonly<Record<string, string>> = {}): Promise<List> {
  const answer = await ask(who, query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const standings = ({ data }: List) => data.map(({ patient, standing }) => [patient.name, standing]);

const sheetFor = (to: Person, actions: readonly object[] = []) => ({
  sheet: { format: 'ipass', severity: 'watcher', lines: [{ section: 'summary', text: 'Urosepsis, day 2.' }], actions },
  ...{ to: { user_id: to.id, role_id: null }, hands_over_chat: false },
});
async function give(who: Person, chat: { id: string }, to: Person, actions: readonly object[] = []): Promise<Handover> {
  const body = { client_id: newId(), ...sheetFor(to, actions) };
  const answer = await who.client.send('POST', `/api/chats/${chat.id}/handovers`, { body });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}
async function move(who: Person, { id, version }: Handover, event: string): Promise<Handover> {
  const body = { event, expected_version: version, text: 'Understood.' };
  const answer = await who.client.send('POST', `/api/handovers/${id}/transitions`, { body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const actionOf = (text: string) => ({ id: newId(), text, owner: 'Night SHO', due_at: null });

describe('HAND-1 the hand-over list of a unit', () => {
  it('HAND-1 has each of my patients there by bed, with the newest hand-over and how it stands', async () => {
    const [twelve, seven, two, nine] = [
      await patientIn('3A-12', 'Edith Maron'),
      await patientIn('3A-07', 'Casimir Wolny'),
      await patientIn('3A-2', 'Agathe Renaud'),
      await patientIn('3A-09', 'Greta Hollis'),
    ];
    await patientIn('ICU-1', 'Tobias Lenz');
    await give(ana, twelve, mira);
    await move(mira, await give(ana, two, mira), 'receive');
    await move(mira, await give(ana, nine, mira), 'decline');

    const before = Date.now();
    const list = await listOf(ana, { unit: MED.id });
    expect(standings(list)).toEqual([
      ['Agathe Renaud', 'received'],
      ['Casimir Wolny', 'none'],
      ['Greta Hollis', 'declined'],
      ['Edith Maron', 'waiting'],
    ]);
    expect(list.data[3]).toMatchObject({
      ...{ chat_id: twelve.id, patient: { bed: '3A-12' }, can_give: true },
      handover: { state: 'given', from: 'Ana Reyes', to: 'Mira Okafor', severity: 'watcher' },
    });
    expect(list.data[1]).toMatchObject({ chat_id: seven.id, handover: null, to_do: [] });
    expect(list).toMatchObject({ unit_id: MED.id, next_cursor: null });
    expect(Math.abs(Date.parse(list.at) - before)).toBeLessThan(60_000);
    expect(list.units).toEqual([
      { unit: MED, patients: 4, without: 2, waiting: 1 },
      { unit: ICU, patients: 1, without: 1, waiting: 0 },
    ]);
    expect(standings(await listOf(ana, { unit: ICU.id }))).toEqual([['Tobias Lenz', 'none']]);
  });

  it('HAND-1 one of the shift before is shown and counts as none; one that was withdrawn is as if it had not been given', async () => {
    const chat = await patientIn('3A-12', 'Edith Maron');
    const about = { chatId: chat.id, facilityId: facility.id, givenBy: mira.id, to: ana.id };
    const old = await makeHandover(server.db, { ...about, state: 'received' });
    const now = await listOf(ana, { unit: MED.id });
    expect(now.data).toMatchObject([{ standing: 'none', handover: { id: old.id, state: 'received' } }]);
    expect(now.units[0]).toMatchObject({ without: 1, waiting: 0 });
    const since = '2026-01-01T00:00:00.000Z';
    expect(standings(await listOf(ana, { unit: MED.id, since }))).toEqual([['Edith Maron', 'received']]);

    const given = await give(ana, chat, mira);
    expect((await listOf(ana)).data).toMatchObject([{ standing: 'waiting', handover: { id: given.id } }]);
    await move(ana, given, 'withdraw');
    expect((await listOf(ana)).data).toMatchObject([{ standing: 'none', handover: { id: old.id } }]);
  });

  it('HAND-1 a correction makes a hand-over the newest, whenever it was given first', async () => {
    const chat = await patientIn('3A-12', 'Edith Maron');
    const first = await give(ana, chat, mira);
    const second = await give(leila, chat, mira);
    expect((await listOf(ana)).data[0]?.handover?.id).toBe(second.id);
    const body = { expected_version: first.version, reason: 'Wrong dose', ...sheetFor(mira) };
    expect((await ana.client.send('POST', `/api/handovers/${first.id}/versions`, { body })).statusCode).toBe(201);
    expect((await listOf(ana)).data[0]?.handover?.id).toBe(first.id);
  });

  it('HAND-1 names what is still to be done, and counts what is urgent and critical apart', async () => {
    const chat = await patientIn('3A-12', 'Edith Maron');
    const [lactate, litre] = [actionOf('Repeat lactate'), actionOf('Second litre')];
    const received = await move(mira, await give(ana, chat, mira, [lactate, litre]), 'receive');
    const done = { body: { is_done: true } };
    await mira.client.send('PUT', `/api/handovers/${received.id}/actions/${lactate.id}`, done);
    const urgent = { targets: { people: [mira.id], role_id: null } };
    const said = await ana.client.send('POST', `/api/chats/${chat.id}/messages`, {
      body: { client_id: newId(), body: 'Pressure is 88', urgent },
    });
    const examination = await makeExamination(server.db, {
      ...{ chatId: chat.id, facilityId: facility.id, userId: ana.id, state: 'in_progress' },
      values: { potassium: '6.8' },
    });
    const critical = { kind: 'alert', category: 'minutes', ...urgent };
    const signed = await ana.client.send('POST', `/api/examinations/${examination}/transitions`, {
      body: { to: 'reported', expected_version: 1, critical },
    });
    expect(signed.statusCode, signed.body).toBe(200);

    expect((await listOf(ana)).data).toMatchObject([{ to_do: [litre], urgent: 1, critical: 1 }]);
    const path = `/api/chats/${chat.id}/messages/${said.json().id}/urgent`;
    await mira.client.send('PUT', `${path}/acceptance`);
    await mira.client.send('PUT', `${path}/closure`, { body: { note: 'Seen' } });
    expect((await listOf(ana)).data).toMatchObject([{ urgent: 0, critical: 1 }]);
  });

  it('HAND-1 a patient without a bed, or in one that fits no unit, stands on a list of their own: nobody is on none', async () => {
    await patientIn('3A-12', 'Edith Maron');
    await patientIn(null, 'Noor Siddiqui');
    await patientIn('Corridor', 'Imre Valk');
    await patientIn('ZZ-1', 'Lina Farrow');
    const rest = await listOf(ana, { unit: 'none' });
    expect(rest.data.map(({ patient }) => patient.name).sort()).toEqual(['Imre Valk', 'Lina Farrow', 'Noor Siddiqui']);
    expect(rest).toMatchObject({ unit_id: null });
    expect(rest.units.at(-1)).toMatchObject({ unit: null, patients: 3, without: 3 });
    const patients = rest.units.reduce((all, unit) => all + unit.patients, 0);
    expect(patients).toBe(4);
    expect(standings(await listOf(ana, { unit: MED.id }))).toEqual([['Edith Maron', 'none']]);
  });

  it('HAND-1 pages go on by bed, each patient once, and refuse a cursor that is none of this list', async () => {
    const beds = ['3A-1', '3A-2', '3A-2', '3A-10', 'MED 3A-4', '3A-11b'];
    for (const [index, bed] of beds.entries()) await patientIn(bed, `Patient ${index}`);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const list: List = await listOf(ana, { unit: MED.id, limit: '2', ...(cursor !== null && { cursor }) });
      expect(list.data.length).toBeLessThanOrEqual(2);
      seen.push(...list.data.map(({ patient }) => patient.bed ?? ''));
      cursor = list.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['3A-1', '3A-2', '3A-2', '3A-10', '3A-11b', 'MED 3A-4']);
    const forged = [['', -1, '', newId()], ['', 1, '\u0000', newId()], [1, 2], 'x'].map((place) =>
      Buffer.from(JSON.stringify(place)).toString('base64url'),
    );
    for (const wrong of [...forged, 'AAAA']) {
      expect((await ask(ana, { unit: MED.id, cursor: wrong })).statusCode, wrong).toBe(422);
    }
  });

  it('HAND-1 CHAT-19 begins with the unit of my on-call role, else with the first unit, and with the facility’s shift of now', async () => {
    await patientIn('3A-12', 'Edith Maron');
    await patientIn('ICU-1', 'Tobias Lenz');
    const plain = await listOf(ana);
    expect(plain.unit_id).toBe(MED.id);
    // Day from 07:00 and Night from 19:00 where nobody has set anything, by the clock of Dublin.
    const begun = begunShifts(
      [
        { name: 'Day', time: '07:00' },
        { name: 'Night', time: '19:00' },
      ],
      { zone: 'Europe/Dublin', now: new Date(plain.at), most: 6 },
    ).map(({ name, since }) => ({ name, since: since.toISOString() }));
    expect([plain.shifts, plain.since]).toEqual([begun, begun[0]?.since]);
    const earlier = begun[1]?.since ?? '';
    expect(await listOf(ana, { since: earlier })).toMatchObject({ since: earlier, shifts: begun });
    const roleId = await makeOnCallRole(server.db, {
      ...{ facilityId: facility.id, name: 'ICU nurse', unitId: ICU.id },
    });
    const startsAt = new Date(Date.now() - 8 * HOUR_MS);
    const endsAt = new Date(Date.now() + HOUR_MS);
    await makeShift(server.db, { facilityId: facility.id, roleId, userId: ana.id, startsAt, endsAt });
    await server.db
      .updateTable('facilities')
      .set({ shift_starts: JSON.stringify([{ name: 'All day', time: '00:00' }]) })
      .where('id', '=', facility.id)
      .execute();
    const midnight = begunShifts([{ name: 'All day', time: '00:00' }], {
      ...{ zone: 'Europe/Dublin', now: new Date(), most: 1 },
    })[0]?.since.toISOString();
    expect(await listOf(ana)).toMatchObject({ unit_id: ICU.id, since: midnight });
    expect(await listOf(ana, { unit: MED.id })).toMatchObject({ unit_id: MED.id, since: midnight });
    const ahead = await ask(ana, { since: new Date(Date.now() + HOUR_MS).toISOString() });
    expect([ahead.statusCode, ahead.json().errors]).toEqual([422, { since: ['This time is still to come.'] }]);
  });

  it('HAND-1 leaves out groups and what is closed', async () => {
    const open = await patientIn('3A-12', 'Edith Maron');
    const closed = await patientIn('3A-13', 'Gone Home');
    const patch = { body: { expected_version: closed.version, state: 'closed' } };
    expect((await ana.client.send('PATCH', `/api/chats/${closed.id}`, patch)).statusCode).toBe(200);
    await makeChat(server.db, { facilityId: facility.id, title: 'Team', participants: [{ userId: ana.id }] });
    const list = await listOf(ana);
    expect(list.data.map(({ chat_id }) => chat_id)).toEqual([open.id]);
    expect(list.units).toEqual([{ unit: MED, patients: 1, without: 1, waiting: 0 }]);
  });

  it('HAND-1 says it as it is when two hand over at once, and tells everybody in both chats', async () => {
    const [one, two] = [await patientIn('3A-1', 'Edith Maron'), await patientIn('3A-2', 'Casimir Wolny')];
    const socket = await openSocket(server);
    expect(await socket.join(leila.client, `private-App.Models.User.${leila.id}`)).toBe('joined');
    const given = await Promise.all([give(ana, one, mira, [actionOf('Repeat lactate')]), give(mira, two, ana)]);
    const told = [];
    for (const _ of given) told.push(await socket.next(({ event }) => event === 'App\\Events\\HandoverChanged'));
    expect(told.map(({ data }) => (data as { handover_id: string }).handover_id).sort()).toEqual(
      given.map(({ id }) => id).sort(),
    );
    expect(standings(await listOf(leila))).toEqual([
      ['Edith Maron', 'waiting'],
      ['Casimir Wolny', 'waiting'],
    ]);
    // An action that is ticked off has no line in the chat, and is told all the same.
    const received = await move(mira, given[0], 'receive');
    const [action] = received.versions[0]?.actions ?? [];
    await mira.client.send('PUT', `/api/handovers/${received.id}/actions/${action?.id}`, { body: { is_done: true } });
    for (const version of [received.version, received.version]) {
      const heard = await socket.next(({ event }) => event === 'App\\Events\\HandoverChanged');
      expect(heard.data).toMatchObject({ handover_id: received.id, version });
    }
    socket.close();
  });
});

describe('HAND-1 A16 whose patients it has', () => {
  it('HAND-1 A16 has patients of my chats alone, and what of them I may read', async () => {
    await patientIn('3A-1', 'Not Mine', [leila]);
    const mine = await patientIn('3A-2', 'Edith Maron', [leila]);
    const urgent = { targets: { people: [leila.id], role_id: null } };
    await ana.client.send('POST', `/api/chats/${mine.id}/messages`, {
      body: { client_id: newId(), body: 'Pressure is 88', urgent },
    });
    const added = await ana.client.send('PUT', `/api/chats/${mine.id}/participants/${mira.id}`, {
      body: { access: 'read', history: 'now' },
    });
    expect(added.statusCode, added.body).toBe(200);
    const list = await listOf(mira, { unit: MED.id });
    expect(list.data).toMatchObject([{ chat_id: mine.id, urgent: 0, can_give: false }]);
    expect(list.units).toEqual([{ unit: MED, patients: 1, without: 1, waiting: 0 }]);
    expect((await listOf(leila, { unit: MED.id })).data.map(({ urgent }) => urgent)).toEqual([0, 1]);

    await ana.client.send('DELETE', `/api/chats/${mine.id}/participants/${mira.id}`);
    expect(await listOf(mira, { unit: MED.id })).toMatchObject({ data: [], units: [] });
  });

  it('HAND-1 A16 nobody of another facility learns of it, and a unit of another facility is none of this one', async () => {
    const other = await makeFacility(server.db);
    const stranger = await signedInMember(server, { facility: other, name: 'Sam Stranger' });
    expect((await ask(stranger)).statusCode).toBe(404);
    const unit = { id: newId(), code: 'SUR', name: 'Surgery' };
    await server.db
      .insertInto('units')
      .values({ ...unit, facility_id: other.id, kind: 'ward', position: 0 })
      .execute();
    expect((await ask(ana, { unit: unit.id })).statusCode).toBe(404);
  });

  it('HAND-1 A16 says in the audit whose patients were read, once for each, and which names were printed', async () => {
    const [one, two] = [await patientIn('3A-1', 'Edith Maron'), await patientIn('3A-2', 'Casimir Wolny')];
    await patientIn('ICU-1', 'Tobias Lenz');
    const { since } = await listOf(mira, { unit: MED.id });
    await listOf(mira, { unit: MED.id, since });
    const read = await auditOf(server, 'chat.read', mira.id);
    expect(read.map(({ object_id, facility_id }) => [object_id, facility_id]).sort()).toEqual(
      [one, two].map(({ id }) => [id, facility.id]).sort(),
    );
    const print = (body: object) =>
      mira.client.send('POST', `/api/facilities/${facility.id}/handover-list/prints`, { body });
    expect((await print({ unit: MED.id, since })).statusCode).toBe(204);
    expect((await print({ unit: newId(), since })).statusCode).toBe(404);
    expect(await auditOf(server, 'handover.list.print', mira.id)).toMatchObject([
      {
        ...{ facility_id: facility.id, object_type: 'facility', object_id: facility.id },
        detail: { unit: MED.id, since, chats: [one.id, two.id] },
      },
    ]);
  });
});
