import { randomUUID } from 'node:crypto';
import { addDays, datesFrom } from '@wardline/census/calendar.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeUnitDays } from '#/testing/factories/census.ts';
import { isNightly, runs } from '#/testing/nightly.ts';
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

const FIRST = '2026-11-12';
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
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`, { staffed: 200 });
  ana = await ward.person(['chargeNurse'], [med]);
  ruth = await ward.person(['censusOfficer'], [med]);
});

const which = (date: string) => ({ unit: med, date });
const date = (index: number) => addDays(FIRST, index);
const chain = async () => {
  const rows = await ward.server.db
    .selectFrom('unit_census')
    .select(['census_date', 'opening', 'opening_from', 'closing', 'restatement_no', 'status', 'version'])
    .where('unit_no', '=', med.no)
    .orderBy('census_date')
    .execute();
  return rows;
};
const openings = async () => (await chain()).map(({ opening }) => opening);
const said = async (day: string) => {
  const { variance_reason, variance_for, variance_by } = await read(ana, which(day));
  return { variance_reason, variance_for, by: variance_by?.id };
};
const reasons = async () => {
  const found = ward.server.db.selectFrom('census_restatements').select(['reason_code', 'reason']);
  const rows = await found.where('unit_no', '=', med.no).orderBy('restatement_no').execute();
  return rows.map(({ reason_code, reason }) => [reason_code, reason]);
};
const monthSum = async () => {
  const found = ward.server.db.selectFrom('unit_months').select(['census_days', 'days_reported']);
  return found.where('unit_no', '=', med.no).executeTakeFirstOrThrow();
};
/** What the facility's sums say of a day. */
const censusOf = async (day: string) => {
  const found = ward.server.db.selectFrom('facility_days').select('census_days').where('census_date', '=', day);
  return (await found.where('facility_no', '=', ward.facilityNo).executeTakeFirstOrThrow()).census_days;
};
const sign = (from: string, status = 'locked') =>
  ward.server.db
    .updateTable('unit_census')
    .set({ status, approved_at: new Date(), approved_by: ruth.id })
    .where('unit_no', '=', med.no)
    .where('census_date', '>=', from)
    .execute();

/** Days on which one comes, after the first that says 20 were in. */
async function days(count: number): Promise<void> {
  for (const index of Array.from({ length: count }, (_, n) => n)) {
    await report(ana, which(date(index)), { counts: { admissions: 1 }, ...(index === 0 && { seed: 20 }) });
  }
}

/** Opens a day, changes what left it, and hands it in again. */
async function correct(day: string, discharges: number, why = 'A discharge slip came late') {
  const { version } = await read(ana, which(day));
  await sql`update unit_census set status = 'approved', approved_at = now(), approved_by = ${ruth.id}
    where unit_no = ${med.no} and census_date = ${day} and status = 'submitted'`.execute(ward.server.db);
  const reason = { reason_code: 'late_slip', reason: why };
  const open = await act(ruth, which(day), ['amend', { version, ...reason }]);
  if (open.status !== 200) throw new Error(open.message);
  const counted = (open.day.opening ?? 0) + 1 - discharges;
  return put(
    ana,
    which(day),
    entry({ admissions: 1, discharges, counted }, { version: open.day.version, submit: true }),
  );
}

describe('CEN-3 the openings that follow a closing', () => {
  it('CEN-3 a correction moves them all, up to today’s draft, and every moved report is marked and written down', async () => {
    await days(4);
    await put(ana, which(date(4)), entry({ counted: 24 }));
    expect(await openings()).toEqual([20, 21, 22, 23, 24]);
    const before = await monthSum();
    const moved = [1, 2, 3].map(date);
    const summed = await Promise.all(moved.map(censusOf));
    const { status } = await correct(date(1), 2);
    expect(status).toBe(200);
    expect(await openings()).toEqual([20, 21, 20, 21, 22]);
    // The facility's sums follow, of the last day that moved as of the first.
    expect(await Promise.all(moved.map(censusOf))).toEqual(summed.map((was) => was - 2));
    const rows = await chain();
    expect(rows.map(({ restatement_no }) => restatement_no !== null)).toEqual([false, false, true, true, false]);
    expect(rows.map(({ version }) => version)).toEqual([1, 3, 2, 2, 2]);
    expect((await read(ana, which(date(2)))).conditions).toContain('restated');
    expect((await monthSum()).census_days).toBe(before.census_days - 6);
    const restated = (await logOf(ward, ward)).filter(
      ({ action, actor_id }) => action === 'unit_day.restate' && actor_id === ana.id,
    );
    expect(
      restated.map(({ census_date, before: was, after }) => [census_date, was?.['opening'], after?.['opening']]),
    ).toEqual([
      [date(2), 22, 20],
      [date(3), 23, 21],
    ]);
    expect(restated[0]).toMatchObject({ reason_code: 'late_slip', reason: 'A discharge slip came late' });
    const kept = ward.server.db.selectFrom('unit_census_revisions').select(['census_date', 'version', 'row_data']);
    const revision = await kept.where('unit_no', '=', med.no).where('census_date', '=', date(2)).execute();
    expect(revision).toMatchObject([{ version: 1, row_data: { opening: 22, closing: 23 } }]);
  });

  it('CEN-3 a head count that agreed before and does not now is explained by the restatement', async () => {
    await days(3);
    await correct(date(0), 1);
    expect(await read(ana, which(date(2)))).toMatchObject({
      variance_reason: 'The opening was restated: A discharge slip came late',
      variance_for: 1,
      variance_by: { id: ana.id },
    });
  });

  it('CEN-3 what a restatement wrote of a head count is written anew by the next, and goes when the count agrees again', async () => {
    await days(3);
    await correct(date(0), 1);
    await correct(date(0), 3, 'Three slips in all came late');
    const variance_reason = 'The opening was restated: Three slips in all came late';
    expect(await said(date(2))).toEqual({ variance_reason, variance_for: 3, by: ana.id });
    await correct(date(0), 0, 'The slips were of another ward');
    expect(await said(date(2))).toEqual({ variance_reason: null, variance_for: null, by: undefined });
  });

  it('CEN-3 what somebody wrote of a head count stays, whatever is restated', async () => {
    await days(2);
    const own = { variance_reason: 'The opening was restated: and one is at X-ray' };
    await put(ana, which(date(2)), entry({ admissions: 1, counted: 22 }, { submit: true, ...own }));
    const before = await said(date(2));
    expect(before).toEqual({ ...own, variance_for: -1, by: ana.id });
    // Another unit was restated for what reads the same.
    const other = await ward.unit(`ICU ${randomUUID().slice(0, 8)}`);
    await sql`
      insert into census_restatements (facility_no, unit_no, population, from_date, reason_code, reason, created_by)
      values (${ward.facilityNo}, ${other.no}, 'adult_and_child', ${date(0)}, 'other', 'and one is at X-ray', ${ruth.id})`.execute(
      ward.server.db,
    );
    for (const discharges of [1, 2, 0]) {
      await correct(date(0), discharges);
      expect(await said(date(2))).toEqual(before);
    }
  });

  it('CEN-3 what a restatement wrote of more patients than beds goes with them', async () => {
    await sql`update bed_complements set physical = 21, staffed = 21 where unit_no = ${med.no}`.execute(ward.server.db);
    await report(ana, which(date(0)), { counts: { admissions: 1, discharges: 1 }, seed: 20 });
    await report(ana, which(date(1)), { counts: { admissions: 1 } });
    const capacity = async () => (await read(ana, which(date(1)))).capacity_reason;
    await correct(date(0), 0);
    expect(await capacity()).toBe('The opening was restated: A discharge slip came late');
    await correct(date(0), 1);
    expect(await capacity()).toBeNull();
  });

  it('CEN-3 a gap opens from the last known closing, provisional until the day between comes', async () => {
    await days(2);
    const provisional = await report(ana, which(date(4)), { counts: { admissions: 1 } });
    expect(provisional).toMatchObject({
      opening: 22,
      opening_from: date(1),
      conditions: expect.arrayContaining(['provisional']),
    });
    await report(ana, which(date(3)), { counts: { admissions: 3 } });
    await report(ana, which(date(2)), { counts: { discharges: 5 } });
    expect(await openings()).toEqual([20, 21, 22, 17, 20]);
    const resolved = await read(ana, which(date(4)));
    expect(resolved.conditions).not.toContain('provisional');
    expect(resolved).toMatchObject({ opening: 20, opening_from: date(3) });
  });

  it('CEN-3 a report that is returned keeps its place in the chain until it comes again', async () => {
    await days(3);
    await act(ruth, which(date(1)), ['return', { version: 1, reason: 'Count again' }]);
    expect(await openings()).toEqual([20, 21, 22]);
    expect((await read(ana, which(date(2)))).conditions).toContain('provisional');
    await put(ana, which(date(1)), entry({ admissions: 2, counted: 23 }, { version: 2, submit: true }));
    expect(await openings()).toEqual([20, 21, 23]);
  });

  it('CEN-3 a report that was returned restates the days after it by the words of the return, signed or not', async () => {
    await days(4);
    await sign(date(3));
    await act(ruth, which(date(1)), ['return', { version: 1, reason: 'Bed 12 was counted twice' }]);
    await put(ana, which(date(1)), entry({ admissions: 2, counted: 23 }, { version: 2, submit: true }));
    await act(ruth, which(date(1)), ['approve', { version: 3 }]);
    expect(await openings()).toEqual([20, 21, 23, 24]);
    expect(await reasons()).toEqual([
      ['other', 'Bed 12 was counted twice'],
      ['other', 'Bed 12 was counted twice'],
    ]);
    expect((await said(date(3))).variance_reason).toBe('The opening was restated: Bed 12 was counted twice');
  });

  it('CEN-3 a report that was taken back says so, and one that is late that it came after the others', async () => {
    await days(2);
    await report(ana, which(date(3)));
    await act(ana, which(date(1)), ['withdraw', { version: 1 }]);
    await put(ana, which(date(1)), entry({ admissions: 2, counted: 23 }, { version: 2, submit: true }));
    await sign(date(3));
    await report(ana, which(date(2)), { counts: { admissions: 1 } });
    await act(ruth, which(date(2)), ['approve', { version: 1 }]);
    expect(await openings()).toEqual([20, 21, 23, 24]);
    expect(await reasons()).toEqual([
      ['other', 'The report of Fri 13 Nov was taken back and changed.'],
      ['late_slip', 'The report of Sat 14 Nov came after it.'],
    ]);
  });

  it('CEN-R6 a change that would make a later day impossible is refused, naming the day', async () => {
    await days(2);
    await report(ana, which(date(2)), { counts: { discharges: 22 } });
    const before = await chain();
    const refused = await correct(date(0), 1);
    expect(refused).toMatchObject({
      status: 422,
      codes: ['NEGATIVE_CLOSING'],
      message: 'Sat 14 Nov would close with −1. Correct that day first.',
    });
    expect((await chain()).slice(1)).toEqual(before.slice(1));
  });

  it('CEN-R6 a change after which a later day would have more patients than are counted is refused, naming the day', async () => {
    await sql`update bed_complements set physical = 9999, staffed = 9999, licensed = 9999 where unit_no = ${med.no}`.execute(
      ward.server.db,
    );
    await report(ana, which(date(0)), { counts: { admissions: 1, discharges: 10 }, seed: 9_990 });
    await report(ana, which(date(1)), { counts: { admissions: 15 } });
    expect((await correct(date(0), 7)).status).toBe(200);
    const before = await chain();
    expect(before.at(1)).toMatchObject({ opening: 9_984, closing: 9_999 });
    expect(await correct(date(0), 6)).toMatchObject({
      status: 422,
      codes: ['INVALID_COUNT'],
      message: 'Fri 13 Nov would have more patients than can be counted.',
    });
    expect((await chain()).slice(1)).toEqual(before.slice(1));
  });

  it('CEN-3 a change that would leave patients in a unit after its last day is refused until that report is open', async () => {
    med = await ward.unit(`OLD ${randomUUID().slice(0, 8)}`, { staffed: 200, active: `[,${date(2)})` });
    ana = await ward.person(['chargeNurse'], [med]);
    await report(ana, which(date(0)), { counts: { admissions: 1, discharges: 1 }, seed: 20 });
    const last = await report(ana, which(date(1)), { counts: { discharges: 20 } });
    const before = await chain();
    expect(await correct(date(0), 0)).toMatchObject({
      status: 422,
      codes: ['UNIT_CLOSES'],
      message:
        'Fri 13 Nov is the unit’s last day and would close with 1 patient. Have that report returned or opened for a correction first, or the last day changed.',
    });
    expect((await chain()).slice(1)).toEqual(before.slice(1));
    await act(ruth, which(date(1)), ['return', { version: last.version, reason: 'One more has gone' }]);
    const { version } = await read(ana, which(date(0)));
    const counts = { admissions: 1, counted: 21 };
    expect((await put(ana, which(date(0)), entry(counts, { version, submit: true }))).status).toBe(200);
    expect((await report(ana, which(date(1)), { counts: { discharges: 21 } })).closing).toBe(0);
  });

  it('CEN-3 signed days that a change waits for leave nobody in a unit that closes since', async () => {
    await report(ana, which(date(0)), { counts: { admissions: 1, discharges: 1 }, seed: 20 });
    await report(ana, which(date(1)), { counts: { discharges: 20 } });
    await sign(date(1));
    expect((await correct(date(0), 0)).status).toBe(200);
    await sql`update census_units set active = daterange(null, ${date(2)}) where unit_no = ${med.no}`.execute(
      ward.server.db,
    );
    const { version } = await read(ana, which(date(0)));
    expect((await act(ruth, which(date(0)), ['approve', { version }])).codes).toEqual(['UNIT_CLOSES']);
    expect(await openings()).toEqual([20, 20]);
  });

  it('A48 two who change neighbouring days at once leave one chain', async () => {
    await days(5);
    const late = await ward.person(['chargeNurse'], [med]);
    for (const index of [1, 2]) {
      const reason = { reason_code: 'miscount', reason: 'Counted again' };
      await act(ruth, which(date(index)), ['approve', { version: 1 }]);
      await act(ruth, which(date(index)), ['amend', { version: 2, ...reason }]);
    }
    const counts = { admissions: 1, discharges: 3, counted: 0 };
    const more = { version: 3, submit: true, variance_reason: 'Counted before the change' };
    const answers = await Promise.all([
      put(ana, which(date(1)), entry(counts, more)),
      put(late, which(date(2)), entry(counts, more)),
    ]);
    const [first, second] = answers.map(({ status }) => status);
    expect(first).toBe(200);
    // The second either came before, or was told that its opening had moved.
    expect([200, 409]).toContain(second);
    const rows = await chain();
    for (const [index, row] of rows.entries()) {
      if (index > 0) expect(row.opening).toBe(rows[index - 1]?.closing);
    }
  });
});

describe('CEN-3 signed days', () => {
  it('CEN-3 keep their numbers until who may reopen days approves the change; then they move as one batch', async () => {
    await days(5);
    await sign(date(3));
    await correct(date(1), 2);
    expect(await openings()).toEqual([20, 21, 20, 23, 24]);
    const { version } = await read(ana, which(date(1)));
    const facilities = ward.server.db.updateTable('census_facilities').where('facility_no', '=', ward.facilityNo);
    await facilities.set({ split_permissions: ['census.reopen'] }).execute();
    const refused = await act(ruth, which(date(1)), ['approve', { version }]);
    await facilities.set({ split_permissions: [] }).execute();
    expect(refused).toMatchObject({ status: 422, codes: ['LOCKED'] });
    expect(refused.message).toContain('Sun 15 Nov is signed and would be restated.');
    await act(ruth, which(date(1)), ['approve', { version }]);
    expect(await openings()).toEqual([20, 21, 20, 21, 22]);
    const rows = await chain();
    expect(rows.map(({ status }) => status)).toEqual(['submitted', 'approved', 'submitted', 'locked', 'locked']);
    const batches = await ward.server.db
      .selectFrom('census_restatements')
      .selectAll()
      .where('unit_no', '=', med.no)
      .orderBy('restatement_no')
      .execute();
    expect(batches).toMatchObject([
      { from_date: date(1), rows: 1, reason_code: 'late_slip', created_by: ana.id, approved_by: null },
      { from_date: date(1), rows: 2, reason: 'A discharge slip came late', created_by: ruth.id, approved_by: ruth.id },
    ]);
    expect(rows.map(({ restatement_no }) => restatement_no)).toEqual([
      null,
      null,
      batches[0]?.restatement_no,
      batches[1]?.restatement_no,
      batches[1]?.restatement_no,
    ]);
    const moved = (await logOf(ward, ward)).filter(
      ({ action, actor_id }) => action === 'unit_day.restate' && actor_id === ruth.id,
    );
    expect(moved.map(({ census_date, after_approval }) => [census_date, after_approval])).toEqual([
      [date(3), true],
      [date(4), true],
    ]);
    const kept = ward.server.db.selectFrom('unit_census_revisions').select('row_data').where('unit_no', '=', med.no);
    const locked = await kept.where('census_date', '=', date(4)).execute();
    expect(locked).toMatchObject([{ row_data: { opening: 24, status: 'locked' } }]);
  });
});

it('CEN-3 whatever is handed in, corrected and come late: the chain is what counting from the beginning gives', async () => {
  const step = fc.record({ day: fc.nat(6), admissions: fc.nat(4), discharges: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      med = await ward.unit(`P ${randomUUID().slice(0, 8)}`, { staffed: 900 });
      ana = await ward.person(['chargeNurse'], [med]);
      const net = new Map<number, number>();
      for (const { day, admissions, discharges } of steps) {
        const now = await read(ana, which(date(day)));
        const isFirst = now.opening_from === null;
        if (now.status === 'submitted') {
          await act(ruth, which(date(day)), ['return', { version: now.version, reason: 'Once more' }]);
        }
        const version = (await read(ana, which(date(day)))).version;
        const counts = { admissions, discharges, counted: 0 };
        const body = entry(counts, {
          version,
          submit: true,
          variance_reason: `Heads are not the point ${randomUUID()}`,
        });
        const { status } = await put(ana, which(date(day)), isFirst ? { ...body, seed: 300 } : body);
        expect(status).toBe(200);
        net.set(day, admissions - discharges);
      }
      const reported = [...net.keys()].sort((a, b) => a - b);
      let closing = (await chain())[0]?.opening ?? 0;
      const expected = reported.map((day) => {
        const opening = closing;
        closing += net.get(day) ?? 0;
        return { census_date: date(day), opening, closing };
      });
      expect(await chain()).toMatchObject(expected);
      const sum = expected.reduce((total, row) => total + row.closing, 0);
      expect(await monthSum()).toEqual({ census_days: sum, days_reported: expected.length });
    }),
    { numRuns: runs(4) },
  );
});

it.runIf(isNightly)('CEN-3 a correction at the head of ten years moves every day after it', async () => {
  const { db } = ward.server;
  const all = datesFrom(addDays(FIRST, -3652), FIRST);
  const days = all.map((date, index) => {
    const before = all[index - 1];
    return {
      ...{ date, opening: 20, admissions: 1, discharges: 1, status: 'submitted' as const },
      ...(before && { openingFrom: before }),
    };
  });
  await makeUnitDays(db, { unitId: med.id, by: ana.id, days });
  // As the database would by itself soon after so many rows have come.
  await sql`analyze unit_census, facility_days`.execute(db);
  const day = all[1] ?? '';
  const { status } = await correct(day, 0);
  expect(status).toBe(200);
  const found = await sql<{ wrong: number; rows: number }>`
    select count(*) filter (where opening <> before)::integer as wrong, count(*)::integer as rows
    from (select opening, lag(closing) over (order by census_date) as before from unit_census where unit_no = ${med.no}) as c
  `.execute(db);
  expect(found.rows).toEqual([{ wrong: 0, rows: 3653 }]);
});
