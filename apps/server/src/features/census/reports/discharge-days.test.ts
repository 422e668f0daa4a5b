import { measuresOf } from '@wardline/census/measures.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { multipart } from '#/testing/multipart.ts';
import {
  entry,
  type FixtureUnit,
  fixtureOfFile,
  logOf,
  openHospital,
  type Person,
  type Place,
  put,
  read,
  report,
} from './testing/census-fixture.ts';

const NOW = '2026-11-20T00:00:00Z';
const DATE = '2026-11-19';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let sur: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeEach(async () => {
  ({ place, med, sur, ana } = await openHospital(ward, { med: {}, sur: {} }));
  ruth = await ward.person(['censusOfficer'], [med, sur], place);
});

const LEFT = { discharges: 3, deaths: 1 };
const which = (unit = med, date = DATE) => ({ unit, date });

async function sumsOf(from = DATE, to = DATE): Promise<CensusSummary['total']['adult_and_child']> {
  const address = `/api/census/facilities/${place.facility.id}/summary?from=${from}&to=${to}&by=total`;
  return (await ruth.client.send('GET', address)).json().total.adult_and_child;
}
const measure = (sums: CensusSummary['total']['adult_and_child'], name: string) =>
  measuresOf(sums).find((one) => one.name === name)?.value;

describe('the discharge days of a report', () => {
  it('F-N2 CEN-2 are stored with it, told of it and written into the log', async () => {
    const given = await report(ana, which(), { counts: { ...LEFT, discharge_days: 12_000 }, seed: 24 });
    expect(given.counts.discharge_days).toBe(12_000);
    expect((await read(ruth, which())).counts).toMatchObject({ ...LEFT, discharge_days: 12_000 });
    expect((await logOf(ward, place)).find(({ action }) => action === 'unit_day.save')?.after).toMatchObject({
      discharge_days: 12_000,
    });
  });

  it('F-N2 CEN-2 are refused by the same rule as on the device, with its code at the field', async () => {
    const few = entry({ ...LEFT, discharge_days: 3, counted: 20 }, { seed: 24, submit: true });
    const refused = await put(ana, which(), few);
    expect([refused.status, refused.codes]).toEqual([422, ['DISCHARGE_DAYS_MISMATCH']]);
    const broken = await put(ana, which(), entry({ ...LEFT, discharge_days: 1_000_000, counted: 20 }, { seed: 24 }));
    expect([broken.status, broken.codes]).toEqual([422, ['INVALID_COUNT']]);
  });

  it('F-N2 CEN-2 may be left out, also by a device that does not know them', async () => {
    const { counts, ...rest } = entry({ ...LEFT, counted: 20 }, { seed: 24, submit: true });
    const { discharge_days: _, ...known } = counts as Record<string, number | null>;
    const given = await put(ana, which(), { ...rest, counts: known });
    expect([given.status, given.day.status, given.day.counts.discharge_days]).toEqual([200, 'submitted', null]);
  });

  it('F-N2 CEN-2 are asked for where the facility says so', async () => {
    const admin = await ward.person(['facilityAdministrator'], [], place);
    const address = `/api/census/facilities/${place.facility.id}/settings`;
    expect((await read(ana, which())).asks_discharge_days).toBe(false);
    const { version }: CensusSettings = (await admin.client.send('GET', address)).json();
    const changed = await admin.client.send('PATCH', address, { body: { version, asks_discharge_days: true } });
    expect(changed.json()).toMatchObject({ asks_discharge_days: true });
    expect((await read(ana, which())).asks_discharge_days).toBe(true);
    expect((await logOf(ward, place)).at(-1)).toMatchObject({
      action: 'settings.change',
      before: { asks_discharge_days: false },
      after: { asks_discharge_days: true },
    });
  });
});

describe('the length of stay of a period', () => {
  it('F-N2 CEN-6 is discharge days over separations where every report with a separation tells them', async () => {
    await report(ana, which(med), { counts: { ...LEFT, discharge_days: 22 }, seed: 24 });
    await report(ana, which(sur), { seed: 10 });
    const sums = await sumsOf();
    expect(sums).toMatchObject({ discharge_days: 22, separation_reports: 1, discharge_days_reports: 1 });
    expect([measure(sums, 'alos'), measure(sums, 'alos_estimated')]).toEqual(['5.50', '7.50']);
    expect(measure(sums, 'turnover_indirect')).not.toBe(measure(sums, 'turnover_indirect_estimated'));
  });

  it('F-N2 CEN-6 is estimated where one does not, with how many do', async () => {
    await report(ana, which(med), { counts: { ...LEFT, discharge_days: 22 }, seed: 24 });
    await report(ana, which(sur), { counts: { discharges: 2 }, seed: 10 });
    const sums = await sumsOf();
    expect(sums).toMatchObject({ discharge_days: 22, separation_reports: 2, discharge_days_reports: 1 });
    expect([measure(sums, 'alos'), measure(sums, 'turnover_indirect')]).toEqual([null, null]);
    expect(measure(sums, 'alos_estimated')).toBe('4.67');
  });

  it('F-N2 CEN-6 comes to the same from the months as from the days, and the night finds them right', async () => {
    for (const [unit, discharge_days] of [
      [med, 22],
      [sur, null],
    ] as const) {
      await report(ana, which(unit, '2026-10-30'), { counts: { ...LEFT, discharge_days }, seed: 24 });
      await report(ana, which(unit, '2026-10-31'), { counts: { ...LEFT, discharge_days: 9 } });
    }
    const told = { discharge_days: 40, separation_reports: 4, discharge_days_reports: 3 };
    expect(await sumsOf('2026-10-01', '2026-10-31')).toMatchObject(told);
    expect(await sumsOf('2026-10-30', '2026-10-31')).toMatchObject(told);
    const months = await sql`
      select discharge_days, separation_reports, discharge_days_reports from facility_months
      where facility_no = ${place.facilityNo}`.execute(ward.server.db);
    expect(months.rows).toEqual([told]);
  });

  it('F-N2 CEN-6 is of all who left, and the turnover of those who left a bed, by months as by days', async () => {
    await sql`update census_units set counts_in_occupancy = false where unit_id = ${sur.id}`.execute(ward.server.db);
    await report(ana, which(med, '2026-10-31'), { counts: { ...LEFT, discharge_days: 22 }, seed: 24 });
    await report(ana, which(sur, '2026-10-31'), { counts: { discharges: 2, discharge_days: 2 }, seed: 10 });
    for (const from of ['2026-10-01', '2026-10-31']) {
      const sums = await sumsOf(from, '2026-10-31');
      expect(sums).toMatchObject({ discharge_days: 24, occupancy_discharge_days: 22, occupancy_separations: 4 });
      expect(measure(sums, 'alos')).toBe('4.00');
    }
    const sums = await sumsOf('2026-10-31', '2026-10-31');
    // 20 of the beds × 1 day × 4 ÷ (beds × 22).
    expect(measure(sums, 'turnover_indirect')).toBe(((20 * 4) / (sums.bed_days * 22)).toFixed(2));
  });
});

describe('discharge days in files', () => {
  const upload = async (content: string) => {
    const form = multipart([{ name: 'file', value: content, filename: 'census.csv', type: 'text/csv' }]);
    const address = `/api/census/imports?facility=${place.facility.id}&apply=true`;
    return (await ruth.client.send('POST', address, form)).json();
  };
  const download = async () => {
    const query = new URLSearchParams({ facility: place.facility.id, from: DATE, to: DATE, format: 'csv' });
    const response = await ruth.client.send('GET', `/api/census/exports/unit-days?${query}`);
    return response.payload
      .replace('\uFEFF', '')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(','));
  };

  it('F-N2 CEN-8 go out in a column of their own and come in again; a blank leaves what is there', async () => {
    await report(ana, which(), { counts: { ...LEFT, discharge_days: 22 }, seed: 24 });
    const [head = [], line = []] = await download();
    expect(line[head.indexOf('discharge_days')]).toBe('22');
    const cells =
      'unit_code,census_date,opening,admissions,births,transfers_in,discharges,deaths,deaths_u48,transfers_out';
    const file = (days: string) =>
      `${cells},ad_same_day,on_leave,observation,counted,discharge_days\nSUR 2B,${DATE},10,0,0,0,3,1,0,0,0,0,0,6,${days}`;
    expect((await upload(file('3'))).rows[0].problems).toMatchObject([{ code: 'DISCHARGE_DAYS_MISMATCH' }]);
    expect((await upload(file('1234567'))).rows[0].problems).toMatchObject([
      { column: 'discharge_days', code: 'INVALID_COUNT', message: '“1234567” is not a whole number from 0 to 999999.' },
    ]);
    expect(await upload(file('12000'))).toMatchObject({ is_applied: true });
    expect((await read(ana, which(sur))).counts.discharge_days).toBe(12_000);
    expect((await read(ana, which(sur))).status).toBe('submitted');
  });
});
