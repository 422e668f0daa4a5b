import { beforeEach, expect, it } from 'vitest';
import { startFeed } from '#/features/census/hl7/testing/adt-room.ts';
import {
  act,
  type FixtureUnit,
  fixtureOfFile,
  logOf,
  openHospital,
  type Person,
  type Place,
  read,
  report,
} from '#/features/census/reports/testing/census-fixture.ts';
import { splitOff, whileItWaits } from '#/features/census/testing/while-it-waits.ts';
import { actsOf, audited } from '#/testing/test-client.ts';
import { adtOf, type FeedRoom, openFeedRoom } from './testing/feed-room.ts';

/** 08:00 on the 20th in Manila. */
const NOW = '2026-11-20T00:00:00Z';
const DATE = '2026-11-19';
const BEFORE = '2026-11-18';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let ruth: Person;
let room: FeedRoom;
beforeEach(async () => {
  ({ place, med, icu, ana, ruth } = await openHospital(ward, { med: {}, icu: {} }));
  room = await openFeedRoom(ward, place);
  await startFeed(ward.server.db, place.facility.id);
  await room.hand(adtOf('A01', { visit: 'IN', unit: 'MED 3A', at: '202611171000' }));
});

const feedOf = async (unit = med, date = DATE) => (await read(ana, { unit, date })).feed;
const discharge = (visit = 'V1', more: Partial<Parameters<typeof adtOf>[1]> = {}) =>
  room.hand(adtOf('A03', { visit, unit: 'MED 3A', at: '202611190200', ...more }));
const only = async () => {
  const [stay, ...more] = await room.unknown(ruth);
  if (!stay || more.length > 0) throw new Error(`${more.length + Number(Boolean(stay))} are asked about, not one`);
  return stay;
};
const decide = (verb: 'accept' | 'dismiss', stay: { id: string; version: number }, body: object = {}, person = ruth) =>
  room.post(person, `/unknown-stays/${stay.id}/${verb}`, { version: stay.version, ...body });

it('F-N10 a discharge of somebody never admitted counts nothing and is asked about; accepted it counts, and they were in before', async () => {
  expect(await discharge()).toContain('MSA|AA|');
  expect(await discharge('V1', { at: '202611190230' })).toContain('MSA|AA|');
  expect(await feedOf()).toMatchObject({ opening: 1, closing: 1, counts: { discharges: 0 } });
  const stay = await only();
  expect(stay).toMatchObject({
    ...{
      kind: 'discharge',
      at: '2026-11-19T02:00:00.000Z',
      census_date: DATE,
      unit_code: 'MED 3A',
      to_unit_code: null,
    },
    ...{ control_id: expect.stringMatching(/^R\d+$/), state: 'open', version: 1, population: 'adult_and_child' },
  });
  expect(JSON.stringify(stay)).not.toContain('V1');
  expect((await decide('accept', stay, {}, ana)).statusCode).toBe(403);

  expect((await decide('accept', stay)).json()).toMatchObject({ state: 'taken', closed_by: { id: ruth.id } });
  expect(await feedOf()).toMatchObject({ opening: 2, closing: 1, counts: { admissions: 0, discharges: 1 } });
  expect(await feedOf(med, BEFORE)).toMatchObject({ closing: 2, counts: { admissions: 0 } });
  expect(await room.unknown(ruth)).toEqual([]);
  expect((await decide('dismiss', { id: stay.id, version: 2 }, { reason: 'Too late now' })).statusCode).toBe(422);
  const said = (await logOf(ward, place)).filter(
    ({ action, outcome }) => action.startsWith('stay.') && outcome === 'done',
  );
  expect(said.map(({ action, actor_id, after }) => [action, actor_id, after?.['event']])).toEqual([
    ['stay.ask', null, 'discharge'],
    ['stay.accept', ruth.id, 'discharge'],
  ]);
});

it('F-N10 accepted with the time of admission, the admission counts on its own date, and a signed report is not changed by it', async () => {
  await report(ana, { unit: med, date: BEFORE }, { seed: 1 });
  await report(ana, { unit: icu, date: BEFORE }, { seed: 0 });
  for (const unit of [med, icu]) {
    const { version } = await read(ruth, { unit, date: BEFORE });
    await act(ruth, { unit, date: BEFORE }, ['approve', { version }]);
  }
  await ruth.client.send('POST', `/api/census/facilities/${place.facility.id}/days/${BEFORE}/sign`, {
    body: { client_id: crypto.randomUUID(), version: 1 },
  });
  await discharge('V1', { disposition: '20' });
  const stay = await only();
  expect(stay.kind).toBe('death');
  const late = await decide('accept', stay, { admitted_at: '2026-11-19T02:00:00Z' });
  expect([late.statusCode, Object.keys(late.json().errors)]).toEqual([422, ['admitted_at']]);
  expect((await decide('accept', stay, { admitted_at: '2026-11-18T10:00:00+08:00' })).statusCode).toBe(200);
  expect(await feedOf()).toMatchObject({ counts: { deaths: 1, deaths_u48: 1 } });
  expect(await feedOf(med, BEFORE)).toMatchObject({ counts: { admissions: 1 } });
  expect((await read(ana, { unit: med, date: BEFORE })).counts.admissions).toBe(0);
});

it('F-N10 a transfer of somebody never admitted says where they went; where they were is chosen if the message does not say it', async () => {
  const move = (visit: string, from?: string) =>
    room.hand(adtOf('A02', { visit, unit: 'ICU', at: '202611190300', ...(from && { from }) }));
  await move('T1', 'MED 3A');
  expect(await feedOf(icu)).toMatchObject({ closing: 0, counts: { transfers_in: 0 } });
  const told = await only();
  expect(told).toMatchObject({ kind: 'transfer', unit_code: 'MED 3A', to_unit_code: 'ICU' });
  expect((await decide('accept', told)).statusCode).toBe(200);
  expect(await feedOf(icu)).toMatchObject({ closing: 1, counts: { transfers_in: 1 } });

  await move('T2');
  const untold = await only();
  expect(untold).toMatchObject({ unit_code: null, to_unit_code: 'ICU' });
  const refused = await decide('accept', untold);
  expect([refused.statusCode, refused.json().findings[0]]).toMatchObject([422, { field: 'unit_id' }]);
  expect((await decide('accept', untold, { unit_id: med.id })).statusCode).toBe(200);
  expect(await feedOf()).toMatchObject({ closing: 1, counts: { transfers_out: 2 } });
});

it('F-N10 PERM-3 A48 an answer is refused where approving is split off while it waits for its turn', async () => {
  await discharge();
  const stay = await only();
  const { facilityNo } = place;
  const answer = await whileItWaits({
    ...{ db: ward.server.db, facilityNo, change: splitOff(facilityNo, 'census.approve') },
    act: () => decide('dismiss', stay, { reason: 'Wrong patient, cancelled on the phone' }),
  });
  expect(answer.statusCode).toBe(403);
});

it('F-N10 left out with a reason it stays uncounted, and is not asked about again', async () => {
  await discharge();
  const stay = await only();
  const short = await decide('dismiss', stay, { reason: 'no' });
  expect([short.statusCode, short.json().findings[0].code]).toEqual([422, 'REASON_REQUIRED']);
  const reason = 'Wrong patient, cancelled on the phone';
  expect((await decide('dismiss', stay, { reason })).json()).toMatchObject({ state: 'dismissed', reason });
  await room.hand(adtOf('A08', { visit: 'V1', unit: 'MED 3A', at: '202611190400' }));
  expect(await room.unknown(ruth)).toEqual([]);
  expect(await room.unknown(ruth, '?state=dismissed')).toHaveLength(1);
  expect(await feedOf()).toMatchObject({ closing: 1, counts: { discharges: 0 } });
  await discharge('V2');
  const second = await only();
  expect((await decide('accept', second)).statusCode).toBe(200);
  const of = { facility_id: place.facility.id, detail: { date: '2026-11-19' } };
  const acts = (await actsOf(ward.server, ruth.id)).filter(({ object_type }) => object_type === 'adt_unknown_stay');
  expect(acts).toEqual([
    audited('census.stay.dismiss', ['adt_unknown_stay', stay.id], of),
    audited('census.stay.accept', ['adt_unknown_stay', second.id], of),
  ]);
});

it('F-N10 told of the admission after all, or of the discharge being taken back, the question closes by itself', async () => {
  await discharge('LATE');
  const stay = await only();
  await room.hand(adtOf('A01', { visit: 'LATE', unit: 'MED 3A', at: '202611190100' }));
  expect(await room.unknown(ruth)).toEqual([]);
  expect(await feedOf()).toMatchObject({ counts: { admissions: 1, discharges: 1 } });
  const stale = await decide('accept', stay);
  expect([stale.statusCode, stale.json().findings[0].code]).toEqual([422, 'WRONG_STATUS']);
  await discharge('BACK');
  await room.hand(adtOf('A13', { visit: 'BACK', unit: 'MED 3A', at: '202611190500' }));
  expect(await room.unknown(ruth)).toEqual([]);
  expect((await logOf(ward, place)).filter(({ action }) => action === 'stay.settle')).toHaveLength(2);
});

it.each([
  ['the admission that settled it', 'A01', 'A11'],
  ['an earlier move that was asked about in its place', 'A02', 'A12'],
])(
  'F-N10 is asked about again once %s is taken back, and counts when it is accepted',
  async (_what, told, takenBack) => {
    await discharge();
    const stay = await only();
    await room.hand(adtOf(told, { visit: 'V1', unit: 'MED 3A', at: '202611190100' }));
    expect((await room.unknown(ruth)).map(({ id }) => id)).not.toContain(stay.id);
    await room.hand(adtOf(takenBack, { visit: 'V1', unit: 'MED 3A', at: '202611190130' }));
    const again = await only();
    expect(again).toMatchObject({ id: stay.id, kind: 'discharge', state: 'open', version: 3, closed_at: null });
    expect((await decide('accept', stay)).statusCode).toBe(409);
    expect((await decide('accept', again)).statusCode).toBe(200);
    expect(await feedOf()).toMatchObject({ opening: 2, closing: 1, counts: { discharges: 1 } });
  },
);

it('F-N10 of dates before the patient system counted nobody is asked, and only who compiles the facility reads them', async () => {
  await discharge('OLD', { at: '201911190200' });
  expect(await room.unknown(ruth)).toEqual([]);
  expect((await room.get(ana, '/unknown-stays')).statusCode).toBe(403);
  await discharge('A');
  await discharge('B');
  const first = (await room.get(ruth, '/unknown-stays?limit=1')).json();
  const second = (await room.get(ruth, `/unknown-stays?limit=1&cursor=${first.next_cursor}`)).json();
  expect([second.data.length, second.next_cursor, first.may]).toEqual([1, null, { decide: true }]);
  expect(second.data[0].id).not.toBe(first.data[0].id);
});
