import { randomUUID } from 'node:crypto';
import type { FacilityDay } from '@wardline/contract/census/day.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { multipart } from '#/testing/multipart.ts';
import {
  act,
  type CensusFixture,
  entry,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  put,
  read,
  report,
  setNow,
} from './testing/census-fixture.ts';

const BEFORE_DUE = '2026-11-19T16:38:00Z';
const PAST_DUE = '2026-11-19T17:20:00Z';
const DATE = '2026-11-19';

let ward: CensusFixture;
let med: FixtureUnit;
let ana: Person;
/** May compile, and reports for no unit. */
let ruth: Person;
beforeAll(async () => {
  setNow(PAST_DUE);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(PAST_DUE);
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`);
  ana = await ward.person(['chargeNurse'], [med]);
  ruth = await ward.person(['censusOfficer']);
});

const which = (date = DATE) => ({ unit: med, date });
const estimate = (person: Person, census: number, reason = 'Phoned the ward', date = DATE) =>
  act(person, which(date), ['estimate', { census, reason }]);
const lastOf = async () => (await logOf(ward, ward)).at(-1);

async function ask(person: Person, path: string) {
  const response = await person.client.send('GET', path);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${response.payload}`);
  return response.json();
}

const facilityDay = (): Promise<FacilityDay> => ask(ruth, `/api/census/facilities/${ward.facility.id}/days/${DATE}`);
const unitOf = (day: FacilityDay) => day.units.find(({ unit_id }) => unit_id === med.id);

/** Everything that is summed of the date. */
async function sums() {
  const { db } = ward.server;
  const days = await db
    .selectFrom('facility_days')
    .selectAll()
    .where('facility_no', '=', ward.facilityNo)
    .where('census_date', '=', DATE)
    .execute();
  const months = await db
    .selectFrom('facility_months')
    .selectAll()
    .where('facility_no', '=', ward.facilityNo)
    .orderBy('month')
    .orderBy('population')
    .execute();
  const { measures, total } = await ask(
    ruth,
    `/api/census/facilities/${ward.facility.id}/summary?from=${DATE}&to=${DATE}&by=day`,
  );
  return { days, months, measures, total };
}

describe('an estimate', () => {
  it('CEN-5 3.1 is said of a missing report with its reason, and moves no sum, measure, opening or completeness', async () => {
    await report(ana, which('2026-11-18'), { seed: 20 });
    // The day is made with the first thing that is told of it.
    const sur = await ward.unit(`SUR ${randomUUID().slice(0, 8)}`);
    const leila = await ward.person(['chargeNurse'], [sur]);
    await report(leila, { unit: sur, date: DATE }, { seed: 11 });
    const before = await sums();
    const said = await estimate(ruth, 21);
    expect(said.status).toBe(200);
    const told = {
      census: 21,
      reason: 'Phoned the ward',
      by: { id: ruth.id, name: ruth.name },
      at: new Date(PAST_DUE).toISOString(),
    };
    expect(said.day).toMatchObject({ status: 'draft', version: 0, closing: null, present: null, estimate: told });
    expect(await sums()).toEqual(before);
    const day = await facilityDay();
    expect(unitOf(day)).toMatchObject({ status: null, version: 0, present: null, estimate: told });
    expect(day.blockers).toContainEqual(expect.objectContaining({ code: 'UNIT_MISSING', unit_id: med.id }));
    setNow('2026-11-21T04:00:00Z');
    expect(await read(ana, which('2026-11-20'))).toMatchObject({ opening: 20, opening_from: '2026-11-18' });
    expect(await lastOf()).toMatchObject({
      action: 'unit_day.estimate',
      outcome: 'done',
      actor_id: ruth.id,
      census_date: DATE,
      before: null,
      after: { estimate: 21 },
      reason: 'Phoned the ward',
    });
  });

  it('CEN-5 stands apart on the board and in the heat map, where the unit stays uncounted', async () => {
    await estimate(ruth, 21);
    const board = await ask(ruth, `/api/census/facilities/${ward.facility.id}/board`);
    expect(board.units.find(({ unit_id }: { unit_id: string }) => unit_id === med.id)).toMatchObject({
      status: null,
      conditions: ['late'],
      occupied: null,
      basis: null,
      estimate: { census: 21, reason: 'Phoned the ward', by: { name: ruth.name } },
    });
    const heat = await ask(ruth, `/api/census/facilities/${ward.facility.id}/heatmap?from=${DATE}&to=${DATE}`);
    expect(heat.units.find(({ unit_id }: { unit_id: string }) => unit_id === med.id)).toMatchObject({
      marks: 'e',
      present: [null],
      service_days: [null],
      bed_days: [null],
      estimates: [{ index: 0, census: 21, by: ruth.name, reason: 'Phoned the ward' }],
    });
  });

  it('CEN-5 3.1 goes with the unit’s own report as if it had never been there, and the log says both', async () => {
    // Written offline before anybody estimated: it still fits.
    const offline = entry({ counted: 20 }, { seed: 20, submit: true });
    await estimate(ruth, 21);
    const answer = await put(ana, which(), offline);
    expect(answer.status).toBe(200);
    expect(answer.day).toMatchObject({ status: 'submitted', closing: 20, version: 1, estimate: null });
    expect(unitOf(await facilityDay())).toMatchObject({ present: 20, estimate: null });
    const left = await ward.server.db
      .selectFrom('census_estimates')
      .selectAll()
      .where('unit_no', '=', med.no)
      .execute();
    expect(left).toEqual([]);
    const log = (await logOf(ward, ward)).slice(-4);
    expect(log.map(({ action }) => action)).toEqual([
      'unit_day.estimate',
      'unit_day.save',
      'unit_day.submit',
      'unit_day.estimate_replace',
    ]);
    expect(log.at(-1)).toMatchObject({ before: { estimate: 21 }, after: { estimate: null, present: 20 } });
  });

  it('CEN-5 leaves a draft of the unit as it is, and stays while that is one', async () => {
    await put(ana, which(), entry({ counted: null }, { seed: 20 }));
    await estimate(ruth, 21);
    expect(await read(ana, which())).toMatchObject({ version: 1, opening: 20, estimate: { census: 21 } });
    const saved = await put(ana, which(), entry({ admissions: 3, counted: null }, { version: 1, seed: 20 }));
    expect(saved.status).toBe(200);
    expect(saved.day.estimate).toMatchObject({ census: 21 });
  });

  it('CEN-5 3.1 is refused before the deadline, once the report is in, where it was returned, and without a reason', async () => {
    setNow(BEFORE_DUE);
    expect(await estimate(ruth, 21)).toMatchObject({ status: 422, codes: ['NOT_YET_DUE'] });
    await report(ana, which(), { seed: 20 });
    setNow(PAST_DUE);
    const late = await estimate(ruth, 21);
    expect(late).toMatchObject({ status: 422, codes: ['WRONG_STATUS'] });
    expect(late.message).toMatch(/is in\.$/);
    await act(ruth, which(), ['return', { version: 1, reason: 'Count again' }]);
    expect((await estimate(ruth, 21)).message).toMatch(/was returned\.$/);
    const other = await ward.unit(`SUR ${randomUUID().slice(0, 8)}`);
    const short = await act(ruth, { unit: other, date: DATE }, ['estimate', { census: 21, reason: ' no ' }]);
    expect(short).toMatchObject({ status: 422, codes: ['REASON_REQUIRED'] });
    for (const census of [-1, 10_000, 1.5, '21', null]) {
      const wrong = await act(ruth, { unit: other, date: DATE }, ['estimate', { census, reason: 'Phoned the ward' }]);
      expect([census, wrong.status]).toEqual([census, 422]);
    }
    const newborn = await act(ruth, { unit: other, date: DATE, population: 'newborn' }, [
      'estimate',
      { census: 2, reason: 'Phoned the ward' },
    ]);
    expect(newborn).toMatchObject({ status: 422, codes: ['UNIT_INACTIVE'] });
  });

  it('CEN-5 is refused where the facility’s day is signed', async () => {
    await estimate(ruth, 21);
    await ward.server.db
      .updateTable('facility_days')
      .set({ status: 'locked', signed_by: ruth.id, signed_at: new Date(), locked_at: new Date(), units_expected: 0 })
      .set({ units_submitted: 0, units_approved: 0, units_on_time: 0, transfer_gap: 0 })
      .where('facility_no', '=', ward.facilityNo)
      .where('census_date', '=', DATE)
      .execute();
    expect(await estimate(ruth, 22)).toMatchObject({ status: 422, codes: ['LOCKED'] });
    expect(await lastOf()).toMatchObject({ action: 'unit_day.estimate', outcome: 'refused' });
    expect(await act(ruth, which(), ['estimate/withdraw', {}])).toMatchObject({ status: 422, codes: ['LOCKED'] });
    await ward.server.db
      .updateTable('facility_days')
      .set({ status: 'open', signed_by: null, signed_at: null, locked_at: null })
      .where('facility_no', '=', ward.facilityNo)
      .where('census_date', '=', DATE)
      .execute();
  });

  it('CEN-5 CEN-R18 only who compiles the facility may estimate: not the nurse of the unit, and a stranger learns nothing', async () => {
    expect(await estimate(ana, 21)).toMatchObject({ status: 403 });
    expect(await lastOf()).toMatchObject({ action: 'unit_day.estimate', outcome: 'refused', actor_id: ana.id });
    const stranger = await ward.person(['censusOfficer'], [], await ward.elsewhere());
    expect(await estimate(stranger, 21)).toMatchObject({ status: 404 });
    expect(await act(ana, which(), ['estimate/withdraw', {}])).toMatchObject({ status: 403 });
    expect(await act(stranger, which(), ['estimate/withdraw', {}])).toMatchObject({ status: 404 });
  });

  it('CEN-5 is told anew, once for each request, and taken back; what changes nothing leaves no entry', async () => {
    const body = { client_id: randomUUID(), census: 21, reason: 'Phoned the ward' };
    await act(ruth, which(), ['estimate', body]);
    const length = (await logOf(ward, ward)).length;
    await act(ruth, which(), ['estimate', body]);
    await estimate(ruth, 21);
    expect(await logOf(ward, ward)).toHaveLength(length);
    await estimate(ruth, 22, 'Phoned again');
    expect(await lastOf()).toMatchObject({ before: { estimate: 21 }, after: { estimate: 22 }, reason: 'Phoned again' });
    const back = await act(ruth, which(), ['estimate/withdraw', {}]);
    expect(back.day.estimate).toBeNull();
    expect(await lastOf()).toMatchObject({ action: 'unit_day.estimate_withdraw', before: { estimate: 22 } });
    await act(ruth, which(), ['estimate/withdraw', {}]);
    expect(await logOf(ward, ward)).toHaveLength(length + 2);
  });

  it('CEN-8 has a column of its own in the file of unit-days, which an import passes over, and is in no public-health file', async () => {
    await report(ana, which('2026-11-18'), { seed: 20 });
    await estimate(ruth, 4321);
    const file = (kind: string) =>
      ruth.client.send('GET', `/api/census/exports/${kind}?facility=${ward.facility.id}&from=2026-11-18&to=${DATE}`);
    const { payload } = await file('unit-days');
    const [head = '', ...lines] = payload.trim().split('\r\n');
    const column = head.replace('\u{feff}', '').split(',').indexOf('estimate');
    const cells = lines.map((line) => line.split(',')).filter((line) => line[1] === med.code);
    expect(cells.map((line) => [line[2], line[4], line[column]])).toEqual([
      ['2026-11-18', '20', ''],
      [DATE, '', '4321'],
    ]);
    for (const kind of ['nhsn-csv', 'saner-csv', 'saner-measure-report', 'safr-measure-report']) {
      // As a number: an id or a code may hold these digits by chance.
      expect((await file(kind)).payload).not.toMatch(/(?<![\w-])4321(?![\w-])/);
    }
    const own = [head, ...lines.filter((line) => line.split(',')[1] === med.code)].join('\n');
    const form = multipart([{ name: 'file', value: own, filename: 'census.csv', type: 'text/csv' }]);
    const again = await ruth.client.send('POST', `/api/census/imports?facility=${ward.facility.id}&apply=true`, form);
    expect(again.json()).toMatchObject({ is_applied: true, counts: { new: 0, changed: 0, unchanged: 2, refused: 0 } });
    expect(await read(ana, which())).toMatchObject({ version: 0, estimate: { census: 4321 } });
  });
});
