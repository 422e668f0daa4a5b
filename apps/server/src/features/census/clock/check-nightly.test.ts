import { addDays } from '@wardline/census/calendar.ts';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { act, entry, logOf, put, read, report, setNow } from '#/features/census/reports/testing/census-fixture.ts';
import { makeUnitDays } from '#/testing/factories/census.ts';
import { actOnDay, dayUrl } from '../day/testing/days.ts';
import { ana, clock, DATE, unit as med, place, ruth, useClockRoom, ward } from './testing/clock-room.ts';
import { alertsOf } from './testing/ticking.ts';

/** Two hours after the reports of the 19th were due in Manila. */
const NIGHT = '2026-11-19T19:00:00Z';

useClockRoom({ code: 'MED 3A', opensAt: '2026-11-19T16:10:00Z' });
const differences = async () =>
  (await logOf(ward, place)).filter(({ action }) => action === 'data.check').map(({ after }) => after);
/** Two days that follow each other, as their reports leave them. */
const twoDays = async () => {
  setNow('2026-11-18T16:10:00Z');
  await report(ana, { unit: med, date: '2026-11-18' }, { seed: 20 });
  setNow('2026-11-19T16:10:00Z');
  await report(ana, { unit: med, date: DATE }, { counts: { admissions: 2, discharges: 1 } });
};

describe('the nightly check', () => {
  it('CEN-3 finds nothing to say of what was reported, and looks once a night in each facility', async () => {
    const elsewhere = await ward.elsewhere();
    await ward.unit('ICU', {}, elsewhere);
    await twoDays();
    await clock.at(NIGHT);
    await clock.at('2026-11-19T19:01:00Z');
    expect(await differences()).toEqual([]);
    for (const { facility } of [place, elsewhere]) {
      const looked = await sql<{ looked: number }>`
        select count(*)::integer as looked from audit_entries
        where action = 'census.clock.check' and facility_id = ${facility.id}`.execute(ward.server.db);
      expect(looked.rows[0]?.looked).toBe(1);
    }
  });

  it('CEN-3 3.6 a signed day that waits for the approval of a correction before it is no difference, without one it is', async () => {
    const { db } = ward.server;
    await twoDays();
    for (const date of ['2026-11-18', DATE]) {
      const { version } = await read(ruth, { unit: med, date });
      await act(ruth, { unit: med, date }, ['approve', { version }]);
    }
    expect((await actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: 1, lock: true })).status).toBe(200);
    const which = { unit: med, date: '2026-11-18' };
    const { version } = await read(ruth, which);
    const why = { reason_code: 'late_slip', reason: 'A discharge slip came late' };
    const open = await act(ruth, which, ['amend', { version, ...why }]);
    const body = entry({ discharges: 1, counted: 19 }, { version: open.day.version, submit: true });
    expect((await put(ana, which, body)).status).toBe(200);
    await clock.at(NIGHT);
    expect(await differences()).toEqual([]);
    await sql`update unit_census set status = 'approved', approved_at = now(), approved_by = ${ruth.id}
      where unit_no = ${med.no} and census_date = '2026-11-18'`.execute(db);
    await sql`select refresh_facility_days(${place.facilityNo}, '2026-11-18', '2026-11-19')`.execute(db);
    await sql`update census_facilities set checked_at = null where facility_no = ${place.facilityNo}`.execute(db);
    await clock.at('2026-11-19T19:01:00Z');
    expect(await differences()).toEqual([{ differences: 1, openings: ['MED 3A 2026-11-19 adult_and_child'] }]);
  });

  it('CEN-3 3.6 a day that is reopened while it waits for an earlier correction is no difference either', async () => {
    await twoDays();
    const which = { unit: med, date: '2026-11-18' };
    for (const date of [which.date, DATE]) await act(ruth, { unit: med, date }, ['approve', { version: 1 }]);
    await actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: 1 });
    const why = { reason_code: 'late_slip', reason: 'A discharge slip came late' };
    await act(ruth, which, ['amend', { version: 2, ...why }]);
    await put(ana, which, entry({ discharges: 1, counted: 19 }, { version: 3, submit: true }));
    expect((await actOnDay(ruth, `${dayUrl(place, DATE)}/reopen`, { version: 2, ...why })).status).toBe(200);
    expect(await read(ruth, { unit: med, date: DATE })).toMatchObject({ status: 'approved', opening: 20 });
    await clock.at(NIGHT);
    expect(await differences()).toEqual([]);
  });

  it.each([
    [
      'openings',
      'MED 3A 2026-11-19 adult_and_child',
      sql`update unit_census set opening = 19, admissions = 3 where census_date = ${DATE}`,
    ],
    ['transfers', 'MED 3A 2026-11-19 adult_and_child', sql`update unit_census set transfers_in = 1, transfers_out = 1`],
    ['unit_months', 'MED 3A 2026-11-01 adult_and_child', sql`update unit_months set service_days = service_days + 1`],
    ['facility_months', '2026-11-01 adult_and_child', sql`update facility_months set units_on_time = 0`],
    ['facility_days', '2026-11-19', sql`update facility_days set census_days = 99 where census_date = ${DATE}`],
  ])('CEN-3 A46 finds %s that differ, names the place, and says so in both logs', async (check, where, spoil) => {
    await twoDays();
    await spoil.execute(ward.server.db);
    const error = vi.spyOn(clock.deps.log, 'error');
    await Promise.all([clock.at(NIGHT), clock.at(NIGHT)]);
    const said = await differences();
    expect(said).toHaveLength(1);
    expect(said[0]?.[check]).toContain(where);
    expect(error.mock.calls.map(([, text]) => text)).toContain(
      'what is stored of the census does not agree with itself',
    );
    error.mockRestore();
  });
});

describe('the forecast', () => {
  it('CEN-9 a unit that tomorrow is expected to have more patients than beds is said once a day', async () => {
    const days = Array.from({ length: 60 }, (_, index) => ({
      date: addDays('2026-09-20', index),
      opening: 30,
      beds: 30,
    }));
    await makeUnitDays(ward.server.db, { unitId: med.id, by: ana.id, days });
    await clock.at('2026-11-19T16:10:00Z');
    await clock.at(NIGHT);
    await clock.at('2026-11-19T19:01:00Z');
    const said = (await alertsOf(ward, place)).filter((message) => message.includes('expected'));
    expect(said).toEqual(['MED 3A is expected to have 30.0 patients on Fri 20 Nov, 28 staffed beds']);
  });
});

describe('arithmetic', () => {
  it('CEN-3 of the database that is not the module’s is found', async () => {
    await twoDays();
    const { db } = ward.server;
    await sql`alter table unit_census alter column service_days drop expression`.execute(db);
    await sql`update unit_census set service_days = service_days + 1
      where unit_no = ${med.no} and census_date = ${DATE}`.execute(db);
    await clock.at(NIGHT);
    expect((await differences())[0]).toMatchObject({ arithmetic: ['MED 3A 2026-11-19 adult_and_child'] });
  });
});
