import { randomUUID } from 'node:crypto';
import { addDays, datesFrom } from '@wardline/census/calendar.ts';
import { type CensusChanged, censusChannel } from '@wardline/contract/census/census.ts';
import type { UnitDayEntry } from '@wardline/contract/census/unit.ts';
import { channelName } from '@wardline/contract/channel.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { multipart } from '#/testing/multipart.ts';
import { isNightly } from '#/testing/nightly.ts';
import { openSocket, type TestSocket } from '#/testing/test-socket.ts';
import { censusChanged } from './core/change-events.ts';
import {
  act,
  entry,
  type FixtureUnit,
  fixtureOfFile,
  openHospital,
  type Person,
  type Place,
  put,
  read,
  report,
} from './reports/testing/census-fixture.ts';

/** 00:38 on 1 December in Manila. */
const NOW = '2026-11-30T16:38:00Z';
const FIRST = '2026-10-31';
const LAST = '2026-11-30';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let ruth: Person;
let socket: TestSocket;
beforeEach(async () => {
  ({ place, med, icu, ana } = await openHospital(ward, { med: { staffed: 200 }, icu: {} }));
  ruth = await ward.person(['censusOfficer', 'facilityAdministrator'], [med, icu], place);
  socket = await openSocket(ward.server);
  expect(await socket.join(ruth.client, channelName(censusChannel, place.facility.id))).toBe('joined');
});
afterEach(() => socket.close());

const which = (date: string) => ({ unit: med, date });
const events = () => socket.frames.filter(({ event }) => event.endsWith('CensusChanged')).map(({ data }) => data);
/** What the board's people hear of the census while this is done. */
async function heard(work: () => Promise<unknown>): Promise<unknown[]> {
  await socket.settle();
  const before = events().length;
  await work();
  await socket.settle();
  return events().slice(before);
}
const changed = (more: Partial<CensusChanged>) => ({ facility_id: place.facility.id, unit_id: med.id, ...more });

/** Saves a draft as its page does; nothing of it but this. */
async function save(
  date: string,
  more: Partial<UnitDayEntry> & { sent?: number; admissions?: number } = {},
): Promise<void> {
  const { version } = await read(ana, which(date));
  const { admissions = 0, sent: transfers_out = 0, ...entered } = more;
  const answer = await put(
    ana,
    which(date),
    entry({ admissions, transfers_out, counted: null }, { version, ...entered }),
  );
  if (answer.status !== 200) throw new Error(answer.message);
}

async function amend(date: string): Promise<void> {
  await sql`update unit_census set status = 'approved', approved_at = now(), approved_by = ${ruth.id}
    where unit_no = ${med.no} and census_date = ${date}`.execute(ward.server.db);
  const { version } = await read(ana, which(date));
  const reason = { reason_code: 'late_slip', reason: 'A discharge slip came late' };
  const opened = await act(ruth, which(date), ['amend', { version, ...reason }]);
  if (opened.status !== 200) throw new Error(opened.message);
}

describe('what is told of a change of the census', () => {
  it('F-C8 a correction that moves 31 days is told in one event, from its date to the last that moved', async () => {
    for (const [index, date] of datesFrom(FIRST, LAST).entries()) {
      await report(ana, which(date), index === 0 ? { seed: 20 } : {});
    }
    await amend(FIRST);
    const told = await heard(() => report(ana, which(FIRST), { counts: { admissions: 1 } }));
    const moved = ward.server.db.selectFrom('unit_census').select('census_date').where('opening', '=', 21);
    expect(await moved.where('unit_no', '=', med.no).execute()).toHaveLength(30);
    expect(told).toEqual([changed({ census_date: FIRST, to_date: LAST })]);
  });

  it('F-C8 a draft is told when it begins and when it is handed in; its saves between are told as those of a draft', async () => {
    expect(await heard(() => save(LAST))).toEqual([changed({ census_date: LAST })]);
    const saves = await heard(async () => {
      for (const admissions of [1, 2, 3, 4, 5]) await save(LAST, { admissions, note: `Note ${admissions}` });
    });
    expect(saves).toEqual(Array.from({ length: 5 }, () => changed({ census_date: LAST, is_draft: true })));
    expect(await heard(() => save(LAST, { admissions: 5, note: 'Note 5' })), 'the same once more').toEqual([]);
    expect(await heard(() => report(ana, which(LAST), { seed: 20 }))).toEqual([changed({ census_date: LAST })]);
  });

  it('F-C8 CEN-3 that somebody who may approve has read a report is told, once', async () => {
    await report(ana, which(LAST), { seed: 20 });
    const reads = () => read(ruth, which(LAST));
    expect(await heard(reads)).toEqual([changed({ census_date: LAST })]);
    expect(await heard(reads)).toEqual([]);
  });

  it('F-C8 a saved draft is told where the board shows its beds, the day its reasons, or a partner its moves', async () => {
    await save(LAST);
    const once = [changed({ census_date: LAST })];
    expect(await heard(() => save(LAST, { beds_blocked: 2 }))).toEqual(once);
    expect(await heard(() => save(LAST, { beds_blocked: 2, variance_reason: 'One left at 23:58' }))).toEqual(once);
    const transfers = [{ unit_id: icu.id, direction: 'out' as const, count: 1 }];
    expect(await heard(() => save(LAST, { beds_blocked: 2, sent: 1, transfers }))).toEqual(once);
    expect(await heard(() => save(LAST, { beds_blocked: 2, sent: 1, transfers, admissions: 3 }))).toEqual([
      changed({ census_date: LAST, is_draft: true }),
    ]);
  });

  it('F-C8 a save is told of a report that counts while it is corrected, and of one that opens the next day', async () => {
    await report(ana, which(FIRST), { seed: 20 });
    const once = [changed({ census_date: FIRST })];
    const { version } = await read(ana, which(FIRST));
    await act(ana, which(FIRST), ['withdraw', { version }]);
    expect(await heard(() => save(FIRST, { admissions: 1 }))).toEqual(once);
    await report(ana, which(FIRST));
    await amend(FIRST);
    const { version: amended } = await read(ana, which(FIRST));
    const correct = () => put(ana, which(FIRST), entry({ admissions: 2, counted: 22 }, { version: amended }));
    expect(await heard(correct)).toEqual(once);
  });

  it.runIf(isNightly)('F-C8 an imported file of two units over 31 days is told in one event', async () => {
    const columns = 'unit_code,census_date,population,opening,admissions,discharges,deaths,counted';
    const lines = [med, icu].flatMap(({ code }) =>
      datesFrom(FIRST, LAST).map((date) => `${code},${date},adult_and_child,${date === FIRST ? 20 : ''},0,0,0,20`),
    );
    const file = `${[columns, ...lines].join('\n')}\n`;
    const told = await heard(async () => {
      const form = multipart([{ name: 'file', value: file, filename: 'month.csv', type: 'text/csv' }]);
      const url = `/api/census/imports?facility=${place.facility.id}&apply=true`;
      expect((await ruth.client.send('POST', url, form)).json()).toMatchObject({ is_applied: true });
    });
    expect(told).toEqual([changed({ census_date: FIRST, to_date: LAST, unit_id: null })]);
  });

  it('F-C8 what is set is told once, as something that shows on any date', async () => {
    const url = `/api/census/facilities/${place.facility.id}/settings`;
    const told = await heard(() => ruth.client.send('PATCH', url, { body: { version: 1, lock_after_days: 3 } }));
    expect(told).toEqual([changed({ census_date: '1900-01-01', to_date: '9998-12-31', unit_id: null })]);
  });

  it('F-C8 changes without a date are no event, and an event names a unit only where it was one alone', () => {
    const id = randomUUID();
    const both = (unitId: string | null) =>
      censusChanged(id, [
        { dates: [LAST], unitId: med.id },
        { dates: [FIRST, addDays(FIRST, 1)], unitId },
      ]);
    expect(censusChanged(id, [])).toEqual([]);
    expect(censusChanged(id, [{ dates: [], unitId: null }])).toEqual([]);
    expect(both(med.id).map(({ data }) => data)).toEqual([
      { facility_id: id, census_date: FIRST, to_date: LAST, unit_id: med.id },
    ]);
    expect(both(icu.id)).toMatchObject([{ data: { unit_id: null } }]);
    expect(both(null)).toMatchObject([{ data: { unit_id: null } }]);
  });
});
