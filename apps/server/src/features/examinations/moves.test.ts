import {
  EXAMINATION_STATES,
  type Examination,
  type ExaminationState,
} from '@wardline/contract/examinations/examinations.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { runs } from '#/testing/nightly.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let facility: MadeFacility;
let owen: Person;
let mira: Person;
let chatId: string;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General' });
  owen = await signedInMember(server, { facility, name: 'Owen Clarke' });
  mira = await signedInMember(server, { facility, name: 'Mira Okafor' });
  const patient = { name: 'Edith Maron', identifier: '40-118-236' };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [mira.id] };
  chatId = (await owen.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json().id;
});
afterAll(() => server.close());

const make = (state: ExaminationState) =>
  makeExamination(server.db, {
    ...{ chatId, facilityId: facility.id, userId: owen.id, state },
    values: { sodium: '140' },
  });
const send = (who: Person, id: string, body: object) =>
  who.client.send('POST', `/api/examinations/${id}/transitions`, { body });
const read = async (id: string): Promise<Examination> =>
  (await owen.client.send('GET', `/api/examinations/${id}`)).json();
const movesOf = (id: string) =>
  server.db.selectFrom('examination_moves').selectAll().where('examination_id', '=', id).orderBy('version').execute();
const linesOf = async (id: string) =>
  server.db.selectFrom('messages').select('body').where('chat_id', '=', chatId).where('act_id', '=', id).execute();
const auditsOf = async (id: string) =>
  (await auditOf(server, 'examination.move', owen.id)).filter(({ object_id }) => object_id === id);

/** As the specification says it: where each state may be led to. */
const ALLOWED: Readonly<Record<ExaminationState, readonly ExaminationState[]>> = {
  draft: ['requested', 'cancelled'],
  requested: ['in_progress', 'cancelled', 'entered_in_error'],
  in_progress: ['requested', 'reported', 'cancelled', 'entered_in_error'],
  reported: ['amended', 'entered_in_error'],
  amended: ['amended', 'entered_in_error'],
  cancelled: ['entered_in_error'],
  entered_in_error: [],
};
const pairs = EXAMINATION_STATES.flatMap((from) => EXAMINATION_STATES.map((to) => [from, to] as const));

describe('a move that is sent', () => {
  it.each(pairs)('CHAT-7 from %s to %s is one version, one line and one audit entry, or nothing', async (from, to) => {
    const id = await make(from);
    const body = { client_id: newId(), to, expected_version: 1, reason: 'Because' };
    const isAllowed = ALLOWED[from].includes(to);
    const answer = await send(owen, id, body);
    expect([answer.statusCode, answer.json().code], answer.body).toEqual(
      isAllowed ? [200, undefined] : [409, 'conflict'],
    );
    const after = async () => ({
      now: await read(id).then(({ state, version }) => ({ state, version })),
      counts: [(await movesOf(id)).length, (await linesOf(id)).length, (await auditsOf(id)).length],
    });
    const now = isAllowed ? { state: to, version: 2 } : { state: from, version: 1 };
    const counts = isAllowed ? [1, 1, 1] : [0, 0, 0];
    expect(await after()).toEqual({ now, counts });
    // The same press again, as a device sends it that heard no answer.
    const again = await send(owen, id, body);
    expect(again.statusCode).toBe(isAllowed ? 200 : 409);
    expect(await after()).toEqual({ now, counts });
  });

  it('CHAT-7 A48 the same press at once, time and again, is done once', async () => {
    for (let run = 0; run < runs(5); run += 1) {
      const id = await make('in_progress');
      const body = { client_id: newId(), to: 'reported', expected_version: 1 };
      const answers = await Promise.all(Array.from({ length: 4 }, () => send(owen, id, body)));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
      expect([(await movesOf(id)).length, (await auditsOf(id)).length]).toEqual([1, 1]);
      expect((await read(id)).report_version).toBe(1);
    }
  });

  it('CHAT-7 the id of a press stands for what was asked by it, on one examination', async () => {
    const id = await make('in_progress');
    const client_id = newId();
    const body = { client_id, to: 'reported', expected_version: 1, entries: [{ field: 'sodium', value: '141' }] };
    expect((await send(owen, id, body)).statusCode).toBe(200);
    const other = await send(owen, id, { ...body, entries: [{ field: 'sodium', value: '150' }] });
    expect([other.statusCode, other.json().code]).toEqual([409, 'client_id_reused']);
    const elsewhere = await send(owen, await make('in_progress'), body);
    expect(elsewhere.json().code).toBe('client_id_reused');
    // Of another person it is another press.
    expect((await send(mira, await make('in_progress'), body)).statusCode).toBe(200);
  });

  it('CHAT-7 a press that followed another counts on the version that came of that one alone', async () => {
    const id = await make('draft');
    const [request, start] = [newId(), newId()];
    await send(owen, id, { client_id: request, to: 'requested', expected_version: 1 });
    const began = { client_id: start, to: 'in_progress', expected_version: 2, after: request };
    expect((await send(owen, id, began)).statusCode).toBe(200);

    // The colleague was there first: the state and the version fit by chance, and it is not what was pressed after.
    const taken = await make('draft');
    await send(mira, taken, { to: 'requested', expected_version: 1 });
    const [mine, next] = [newId(), newId()];
    const refused = await send(owen, taken, { client_id: mine, to: 'requested', expected_version: 1 });
    expect(refused.json()).toMatchObject({ code: 'conflict', message: 'Mira Okafor requested it meanwhile.' });
    const late = await send(owen, taken, { client_id: next, to: 'in_progress', expected_version: 2, after: mine });
    expect(late.json()).toMatchObject({ code: 'conflict', message: 'The step before this one was not done.' });
    expect((await read(taken)).state).toBe('requested');
    // Nor does a press of somebody else count.
    const theirs = await send(mira, id, { to: 'reported', expected_version: 3, after: start });
    expect(theirs.statusCode).toBe(409);
  });

  it('CHAT-7 who was overtaken is told by whom, and what they did', async () => {
    const stale = async (id: string, to = 'reported', expected_version = 1) =>
      (await send(owen, id, { to, expected_version, reason: 'x' })).json().message;
    const cancelled = await make('in_progress');
    await send(mira, cancelled, { to: 'cancelled', expected_version: 1, reason: 'Not needed' });
    expect(await stale(cancelled)).toBe('Mira Okafor cancelled it meanwhile.');
    const amended = await make('reported');
    await send(mira, amended, { to: 'amended', expected_version: 1, reason: 'Haemolysed' });
    expect(await stale(amended, 'amended')).toBe('Mira Okafor amended the report meanwhile.');
    const entered = await make('in_progress');
    const entries = [{ field: 'sodium', value: '150' }];
    await mira.client.send('PATCH', `/api/examinations/${entered}`, { body: { expected_version: 1, entries } });
    expect(await stale(entered)).toBe('Mira Okafor entered values meanwhile.');
    expect((await read(entered)).state).toBe('in_progress');
  });

  it('CHAT-7 takes the values with it that were typed before, in its one version, where the state takes any', async () => {
    const id = await make('draft');
    const entries = [{ field: 'potassium', value: '4.1' }];
    const answer = await send(owen, id, { client_id: newId(), to: 'requested', expected_version: 1, entries });
    expect(answer.json()).toMatchObject({ version: 2, state: 'requested' });
    const [, potassium] = (await read(id)).entries.toSorted((a, b) => b.field.localeCompare(a.field));
    expect(potassium).toMatchObject({ field: 'potassium', value: '4.1', version: 2, by: { name: 'Owen Clarke' } });
    expect(await auditsOf(id)).toMatchObject([{ detail: { event: 'request', fields: ['potassium'] } }]);
    expect((await send(owen, id, { to: 'in_progress', expected_version: 2, entries })).json().errors).toEqual({
      entries: ['No values are entered in this state.'],
    });
    const wrong = [{ field: 'potassium', value: 'six' }];
    const other = await make('draft');
    expect((await send(owen, other, { to: 'requested', expected_version: 1, entries: wrong })).statusCode).toBe(422);
    expect(await read(other)).toMatchObject({ state: 'draft', version: 1 });
  });

  it('CHAT-7 is kept as it was done: no row is changed or taken out', async () => {
    const id = await make('draft');
    await send(owen, id, { to: 'requested', expected_version: 1 });
    expect(await movesOf(id)).toMatchObject([{ version: 2, event: 'request', moved_by: owen.id, client_id: null }]);
    const rows = server.db.updateTable('examination_moves').set({ event: 'cancel' }).where('examination_id', '=', id);
    await expect(rows.execute()).rejects.toThrow('never changed');
    await expect(server.db.deleteFrom('examination_moves').execute()).rejects.toThrow('never changed');
  });
});
