import { randomUUID } from 'node:crypto';
import type { OwedReport } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  act,
  type CensusFixture,
  entry,
  type FixtureUnit,
  openCensusFixture,
  type Person,
  type Place,
  put,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';

const NOW = '2026-11-19T16:38:00Z';

let ward: CensusFixture;
let med: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`);
  ana = await ward.person(['chargeNurse'], [med]);
  ruth = await ward.person(['censusOfficer']);
});

async function owed(person: Person, query = ''): Promise<OwedReport[]> {
  const response = await person.client.send('GET', `/api/census/owed${query}`);
  expect(response.statusCode, response.payload).toBe(200);
  return response.json().data;
}
const said = (reports: readonly OwedReport[]) =>
  reports.map(({ census_date, status, conditions }) => [census_date, status, conditions[0]]);

describe('CEN-1 what is owed', () => {
  it('CEN-1 a unit that never reported owes the newest date only; from its first report on every date', async () => {
    expect(said(await owed(ana))).toEqual([['2026-11-19', 'draft', 'due']]);
    await report(ana, { unit: med, date: '2026-11-15' }, { seed: 20 });
    expect(said(await owed(ana))).toEqual([
      ['2026-11-18', 'draft', 'missing'],
      ['2026-11-17', 'draft', 'missing'],
      ['2026-11-16', 'draft', 'missing'],
      ['2026-11-19', 'draft', 'due'],
    ]);
  });

  it('CEN-1 due in its hour, late after it, missing an hour later; the running date only in the hour before it', async () => {
    await report(ana, { unit: med, date: '2026-11-18' }, { seed: 20 });
    const at = async (instant: string) => {
      setNow(instant);
      return said(await owed(ana));
    };
    expect(await at('2026-11-19T14:59:59Z')).toEqual([]);
    expect(await at('2026-11-19T15:00:00Z')).toEqual([['2026-11-19', 'draft', 'due']]);
    expect(await at('2026-11-19T17:00:00Z')).toEqual([['2026-11-19', 'draft', 'due']]);
    expect(await at('2026-11-19T17:00:01Z')).toEqual([['2026-11-19', 'draft', 'late']]);
    expect(await at('2026-11-19T18:00:00Z')).toEqual([['2026-11-19', 'draft', 'late']]);
    expect(await at('2026-11-19T18:00:01Z')).toEqual([['2026-11-19', 'draft', 'missing']]);
  });

  it('CEN-1 what was returned comes first, with its reason; what is in is not owed', async () => {
    for (const date of ['2026-11-15', '2026-11-16', '2026-11-18']) {
      await report(ana, { unit: med, date }, { ...(date === '2026-11-15' && { seed: 20 }) });
    }
    await act(ruth, { unit: med, date: '2026-11-15' }, ['return', { version: 1, reason: 'Bed 12 is missing' }]);
    const list = await owed(ana);
    expect(said(list)).toEqual([
      ['2026-11-15', 'returned', 'late'],
      ['2026-11-17', 'draft', 'missing'],
      ['2026-11-19', 'draft', 'due'],
    ]);
    expect(list[0]).toMatchObject({
      last_reason: 'Bed 12 is missing',
      version: 2,
      unit_code: med.code,
      time_zone: 'Asia/Manila',
      due_at: '2026-11-15T17:00:00.000Z',
    });
  });

  it('CEN-1 no date is owed before the unit was active, nor by a unit that does not count', async () => {
    await report(ana, { unit: med, date: '2026-11-16' }, { seed: 20 });
    await sql`update census_units set active = '[2026-11-18,)' where unit_no = ${med.no}`.execute(ward.server.db);
    expect(said(await owed(ana)).map(([date]) => date)).toEqual(['2026-11-18', '2026-11-19']);
    await sql`update census_units set counts_in_census = false where unit_no = ${med.no}`.execute(ward.server.db);
    expect(await owed(ana)).toEqual([]);
  });

  it('CEN-1 the last sixty counted dates are looked at', async () => {
    await put(ana, { unit: med, date: '2026-01-01' }, entry({ counted: 20 }, { seed: 20, submit: true }));
    const list = await owed(ana, '?limit=200');
    expect(list).toHaveLength(60);
    expect(list.map(({ census_date }) => census_date).sort()[0]).toBe('2026-09-21');
  });

  it('CEN-1 CEN-3 what was opened for a correction is owed however long ago its date was, by who reports there', async () => {
    const elsewhere = await ward.elsewhere();
    const icu = await ward.unit('ICU', {}, elsewhere);
    await makeMembership(ward.server.db, { userId: ana.id, facility: elsewhere.facility, roles: ['chargeNurse'] });
    await ward.server.db.insertInto('census_assignments').values({ unit_no: icu.no, user_id: ana.id }).execute();
    const old = { unit: med, date: '2026-01-01' };
    await put(ana, old, entry({ counted: 20 }, { seed: 20, submit: true }));
    await act(ruth, old, ['approve', { version: 1 }]);
    const why = { reason_code: 'late_slip', reason: 'Late slip' };
    await act(ruth, old, ['amend', { version: 2, ...why }]);
    const list = await owed(ana, `?limit=200&facility=${ward.facility.id}`);
    expect(list).toHaveLength(61);
    expect(said(list)[0]?.slice(0, 2)).toEqual(['2026-01-01', 'amending']);
    expect(list[0]).toMatchObject({ last_reason: 'Late slip', due_at: '2026-01-01T17:00:00.000Z' });
    const there = await owed(ana, `?facility=${elsewhere.facility.id}`);
    expect(there.map(({ unit_code, census_date }) => [unit_code, census_date])).toEqual([['ICU', '2026-11-19']]);
    expect(await owed(ruth)).toEqual([]);
  });

  it('CEN-1 pages follow one another without a gap or a repeat', async () => {
    const nursery = await ward.unit(`NUR ${randomUUID().slice(0, 8)}`, { populations: ['adult_and_child', 'newborn'] });
    const elena = await ward.person(['chargeNurse'], [med, nursery]);
    await report(elena, { unit: med, date: '2026-11-12' }, { seed: 20 });
    await report(elena, { unit: nursery, date: '2026-11-14', population: 'newborn' }, { seed: 9 });
    const whole = await owed(elena, '?limit=200');
    expect(whole).toHaveLength(7 + 5 + 1);
    const paged: OwedReport[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const url: string = `/api/census/owed?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { data, next_cursor } = (await elena.client.send('GET', url)).json();
      paged.push(...data);
      cursor = next_cursor;
    }
    expect(paged).toEqual(whole);
    const wrong = await elena.client.send('GET', '/api/census/owed?cursor=bm90IG9uZQ');
    expect(wrong.statusCode).toBe(422);
  });
});

describe('CEN-3 the nights on which the clocks change', () => {
  const dueOf = async (place: Place, { instant, date }: { instant: string; date: string }) => {
    setNow(instant);
    const unit = await ward.unit(`DST ${randomUUID().slice(0, 8)}`, {}, place);
    const person = await ward.person(['chargeNurse'], [unit], place);
    const found = (await owed(person)).find(({ census_date }) => census_date === date);
    return [found?.census_at, found?.due_at, found?.conditions[0]];
  };

  it('A48 a date is counted at the first instant of the next one, however long it was', async () => {
    const york = await ward.elsewhere('America/New_York');
    // 23 hours and 25 hours.
    expect(await dueOf(york, { instant: '2026-03-09T04:30:00Z', date: '2026-03-08' })).toEqual([
      '2026-03-09T04:00:00.000Z',
      '2026-03-09T05:00:00.000Z',
      'due',
    ]);
    expect(await dueOf(york, { instant: '2026-11-02T05:30:00Z', date: '2026-11-01' })).toEqual([
      '2026-11-02T05:00:00.000Z',
      '2026-11-02T06:00:00.000Z',
      'due',
    ]);
  });

  it('A48 where midnight is skipped the count is at the moment of the leap', async () => {
    const santiago = await ward.elsewhere('America/Santiago');
    expect(await dueOf(santiago, { instant: '2026-09-06T04:30:00Z', date: '2026-09-05' })).toEqual([
      '2026-09-06T04:00:00.000Z',
      '2026-09-06T05:00:00.000Z',
      'due',
    ]);
  });

  it('A48 the server decides by the facility’s clock, not by the device’s, and keeps what it said then', async () => {
    const york = await ward.elsewhere('America/New_York');
    const unit = await ward.unit('YORK', {}, york);
    const person = await ward.person(['chargeNurse'], [unit], york);
    setNow('2026-11-02T04:59:59Z');
    const body = entry({ counted: 4 }, { seed: 4, submit: true, device_time: '2026-11-02T09:00:00Z' });
    expect((await put(person, { unit, date: '2026-11-01' }, body)).codes).toEqual(['NOT_YET_DUE']);
    setNow('2026-11-02T06:00:00Z');
    const { day } = await put(person, { unit, date: '2026-11-01' }, body);
    expect(day).toMatchObject({ is_on_time: true, due_at: '2026-11-02T06:00:00.000Z' });
    await sql`update census_hours set time_zone = 'UTC' where facility_no = ${york.facilityNo}`.execute(ward.server.db);
    const later = await person.client.send('GET', `/api/census/units/${unit.id}/days/2026-11-01/adult_and_child`);
    expect(later.json()).toMatchObject({ due_at: '2026-11-02T06:00:00.000Z', time_zone: 'America/New_York' });
  });
});

describe('who is asked', () => {
  it('A16 nothing of units that one does not report for, or of a facility that is not one’s own', async () => {
    const other = await ward.elsewhere();
    const theirs = await ward.unit('THEIRS', {}, other);
    const visitor = await ward.person(['chargeNurse'], [theirs], other);
    expect((await owed(visitor)).map(({ unit_id }) => unit_id)).toEqual([theirs.id]);
    expect((await owed(ana)).map(({ unit_id }) => unit_id)).toEqual([med.id]);
    const foreign = await ana.client.send('GET', `/api/census/owed?facility=${other.facility.id}`);
    expect(foreign.statusCode).toBe(404);
  });

  it('A16 who has lost the right to report, or never had it, owes nothing; asking for a facility says so', async () => {
    const doctor = await ward.person(['clinician'], [med]);
    expect(await owed(doctor)).toEqual([]);
    const asked = await doctor.client.send('GET', `/api/census/owed?facility=${ward.facility.id}`);
    expect(asked.statusCode).toBe(403);
  });
});
