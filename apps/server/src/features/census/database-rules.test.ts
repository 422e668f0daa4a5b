import { nilCounts } from '@wardline/census/balance.ts';
import { PART_RULES } from '@wardline/census/part-rules.ts';
import { COUNT_FIELDS, REQUIRED_FIELDS } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { censusPlaceOf } from '#/testing/factories/census.ts';
import { makeFacility, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';

type Row = Record<string, unknown>;

let database: TestDatabase;
let person: string;
/** Numbers of two units of one facility, and of one elsewhere. */
let med: { facility_no: number; unit_no: number };
let sur: { facility_no: number; unit_no: number };
let elsewhere: { facility_no: number; unit_no: number };
let dates = 0;

beforeAll(async () => {
  database = await testDatabase(2);
  person = (await makeUser(database.db)).id;
  const [here, there] = [await makeFacility(database.db), await makeFacility(database.db)];
  const unitIn = async (facilityId: string, code: string) =>
    censusPlaceOf(database.db, await makeUnit(database.db, { facilityId, name: code, code }));
  med = await unitIn(here.id, 'MED');
  sur = await unitIn(here.id, 'SUR');
  elsewhere = await unitIn(there.id, 'MED');
});
afterAll(() => database.close());

let date: string;
beforeEach(async () => {
  dates += 1;
  date = new Date(Date.UTC(2026, 0, dates)).toISOString().slice(0, 10);
  for (const { facility_no } of [med, elsewhere]) await insert('facility_days', dayRow(facility_no));
});

async function insert(table: string, row: Row): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(database.db);
}

const dayRow = (facilityNo: number): Row => ({
  facility_no: facilityNo,
  census_date: date,
  time_zone: 'Europe/Berlin',
  utc_offset_minutes: 60,
  census_at: `${date}T23:00:00Z`,
  due_at: `${date}T23:59:00Z`,
});

/** A report that is right and was handed in: 24 + 6 − 8 = 22. */
function report(changed: Row = {}): Row {
  return {
    facility_no: med.facility_no,
    unit_no: med.unit_no,
    census_date: date,
    population: 'adult_and_child',
    opening: 24,
    ...nilCounts(22),
    admissions: 3,
    transfers_in: 3,
    discharges: 4,
    deaths: 1,
    transfers_out: 3,
    ad_same_day: 1,
    observation: 1,
    beds_physical: 30,
    beds_surge: 2,
    beds_blocked: 1,
    status: 'submitted',
    submitted_at: `${date}T23:20:00Z`,
    submitted_by: person,
    ...changed,
  };
}
const draft = (changed: Row = {}) => report({ status: 'draft', submitted_at: null, submitted_by: null, ...changed });

/** Which constraint, or else which state of SQL, refused a write; null where it was taken. */
async function refusal(write: Promise<unknown>): Promise<string | null> {
  try {
    await write;
    return null;
  } catch (error) {
    const { constraint, code } = error as { constraint?: string; code?: string };
    return constraint ?? code ?? String(error);
  }
}
const refusalOf = (row: Row, table = 'unit_census') => refusal(insert(table, row));

describe('a report in the database', () => {
  it('CEN-2 CEN-R1 computes its closing and service days itself: nobody can type them', async () => {
    expect(await refusalOf(report())).toBeNull();
    const stored = await sql`select closing, service_days from unit_census where census_date = ${date}`.execute(
      database.db,
    );
    expect(stored.rows).toEqual([{ closing: 22, service_days: 23 }]);
    const GENERATED_ALWAYS = '428C9';
    for (const column of ['closing', 'service_days']) {
      const typed = sql`update unit_census set ${sql.ref(column)} = 21 where census_date = ${date}`.execute(
        database.db,
      );
      expect(await refusal(typed), column).toBe(GENERATED_ALWAYS);
    }
  });

  it('CEN-2 CEN-R3 holds counts from 0 to 9999 and whole ones only', async () => {
    for (const field of [...REQUIRED_FIELDS, 'opening', 'beds_blocked']) {
      expect(await refusalOf(draft({ [field]: -1 })), field).toBe('census_count_check');
      expect(await refusalOf(draft({ [field]: 10_000 })), field).toBe('census_count_check');
    }
    expect(await refusalOf(draft({ admissions: '3a' }))).toBe('22P02');
    expect(await refusalOf(draft({ admissions: '1e3' }))).toBe('22P02');
    expect(await refusalOf(draft({ admissions: '2.5' }))).toBe('22P02');
  });

  it('CEN-2 CEN-R3 cannot be handed in with a blank, in whichever place it is', async () => {
    for (const field of [...REQUIRED_FIELDS, 'opening', 'submitted_at', 'submitted_by']) {
      for (const status of ['submitted', 'approved', 'locked']) {
        const approved = { approved_at: `${date}T23:40:00Z`, approved_by: person };
        expect(await refusalOf(report({ ...approved, status, [field]: null })), `${field} ${status}`).toBe(
          'complete_when_submitted',
        );
      }
    }
    expect(await refusalOf(draft(Object.fromEntries(COUNT_FIELDS.map((field) => [field, null]))))).toBeNull();
  });

  it('F-N2 CEN-2 may lack discharge days, and has a day at least for each who left where it tells them', async () => {
    expect(await refusalOf(report({ discharge_days: 4 }))).toBe('discharge_days_fit');
    expect(await refusalOf(draft({ discharges: 0, deaths: 0, ad_same_day: 0, discharge_days: 1 }))).toBe(
      'discharge_days_fit',
    );
    expect(await refusalOf(draft({ discharge_days: 1_000_000 }))).toBe('unit_census_discharge_days_check');
    expect(await refusalOf(draft({ discharge_days: 12_000 }))).toBeNull();
    expect(await refusalOf(draft({ population: 'newborn', discharges: null, discharge_days: 1 }))).toBeNull();
  });

  it('CEN-2 CEN-R4 has no more same-day patients than separations, nor than came in', async () => {
    expect(await refusalOf(draft({ ad_same_day: 6 }))).toBe('same_day_is_part');
    expect(await refusalOf(draft({ ad_same_day: 3, admissions: 0, transfers_in: 2, opening: 28 }))).toBe(
      'same_day_is_part',
    );
    // One side is not given yet: the other is enough to refuse, and not enough to let it pass as handed in.
    expect(await refusalOf(draft({ ad_same_day: 6, admissions: null }))).toBe('same_day_is_part');
    expect(await refusalOf(report({ ad_same_day: 6, discharges: null }))).toBe('complete_when_submitted');
    expect(await refusalOf(draft({ ad_same_day: 5 }))).toBeNull();
  });

  it('CEN-2 CEN-R5 has no more deaths under 48 h than deaths', async () => {
    expect(await refusalOf(draft({ deaths_u48: 2 }))).toBe('deaths_u48_is_part');
    expect(await refusalOf(report({ deaths_u48: 2, deaths: null }))).toBe('complete_when_submitted');
    expect(await refusalOf(draft({ deaths_u48: 2, deaths: null }))).toBeNull();
  });

  it('CEN-2 CEN-R6 never closes below nobody, nor above what the next day could open with', async () => {
    const nobody = { admissions: 0, transfers_in: 0, deaths: 0, transfers_out: 0, ad_same_day: 0 };
    expect(await refusalOf(draft({ ...nobody, opening: 3, discharges: 5 }))).toBe('closing_is_count');
    expect(await refusalOf(report({ ...nobody, opening: null, discharges: 5 }))).toBe('complete_when_submitted');
    expect(await refusalOf(draft({ ...nobody, opening: 9999, discharges: 0, admissions: 1 }))).toBe('closing_is_count');
    expect(await refusalOf(draft({ ...nobody, opening: 3, discharges: 3 }))).toBeNull();
  });

  it('CEN-2 CEN-R9 is there once for a unit, date and population', async () => {
    expect(await refusalOf(report())).toBeNull();
    expect(await refusalOf(report())).toBe('unit_census_pkey');
    expect(await refusalOf(draft({ opening: null }))).toBe('unit_census_pkey');
    expect(await refusalOf(report({ population: 'newborn' }))).toBeNull();
    expect(await refusalOf(report({ population: null }))).toBe('23502');
    expect(await refusalOf(report({ population: 'adult' }))).toBe('census_population_check');
  });

  it('CEN-2 CEN-R14 has no more on leave than are left', async () => {
    expect(await refusalOf(draft({ on_leave: 23, counted: null }))).toBe('leave_is_part');
    expect(await refusalOf(report({ on_leave: 23, opening: null }))).toBe('complete_when_submitted');
    expect(await refusalOf(draft({ on_leave: 22, counted: null }))).toBeNull();
  });

  it('CEN-2 has no part that is more than its whole, for each part of which the list says so', async () => {
    for (const { field, of, constraint } of PART_RULES) {
      const counts = report() as Record<string, number>;
      const whole = of === 'closing' ? 22 : of.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
      const place = `${field} of ${of}`;
      expect(await refusalOf(draft({ [field]: whole + 1, counted: null })), place).toBe(constraint);
      await sql`delete from unit_census where census_date = ${date}`.execute(database.db);
    }
  });

  it('CEN-2 CEN-R15 has a date of the calendar, which its facility knows', async () => {
    expect(await refusalOf(report({ census_date: '2027-02-29' }))).toBe('22008');
    expect(await refusalOf(report({ census_date: '2031-01-01' }))).toBe('unit_census_facility_no_census_date_fkey');
    expect(await refusalOf(report({ census_date: null }))).toBe('23502');
  });

  it('CEN-2 CEN-R16 has births in the population of the newborn only', async () => {
    expect(await refusalOf(draft({ births: 1 }))).toBe('births_are_newborn');
    expect(await refusalOf(draft({ births: null }))).toBeNull();
    expect(await refusalOf(draft({ births: 1, population: 'newborn' }))).toBeNull();
  });

  it('CEN-1 a head count that differs says why in five characters: null, blanks and less are no words', async () => {
    for (const variance_reason of [null, '', '     ', 'late', ' late ']) {
      expect(await refusalOf(report({ counted: 21, variance_reason })), String(variance_reason)).toBe(
        'counted_agrees_or_says_why',
      );
    }
    expect(await refusalOf(report({ on_leave: 1 }))).toBe('counted_agrees_or_says_why');
    expect(await refusalOf(draft({ counted: 21 }))).toBeNull();
    expect(await refusalOf(report({ population: 'newborn', counted: 21, variance_reason: 'on the way' }))).toBeNull();
  });

  it('CEN-2 CEN-R20 more patients and blocked beds than beds say where they are', async () => {
    for (const capacity_reason of [null, '', '     ', 'bay ']) {
      expect(await refusalOf(report({ beds_blocked: 9, capacity_reason })), String(capacity_reason)).toBe(
        'capacity_or_says_why',
      );
    }
    expect(await refusalOf(draft({ beds_blocked: 9 }))).toBeNull();
    expect(await refusalOf(report({ population: 'newborn', beds_blocked: 9, capacity_reason: 'Bay 4' }))).toBeNull();
  });

  it('CEN-2 CEN-R20 a place without beds has no capacity, and no more beds are blocked than there are', async () => {
    expect(await refusalOf(report({ beds_physical: 0, beds_surge: 0, beds_blocked: 0 }))).toBeNull();
    expect(await refusalOf(draft({ population: 'newborn', beds_blocked: 33 }))).toBe('blocked_are_beds');
    expect(await refusalOf(draft({ population: 'newborn', beds_blocked: null }))).toBe('23502');
  });

  it('CEN-3 is approved by somebody, at some time', async () => {
    const approved = { approved_at: `${date}T23:40:00Z`, approved_by: person };
    for (const status of ['approved', 'locked']) {
      expect(await refusalOf(report({ status })), status).toBe('approved_by_somebody');
      for (const missing of ['approved_at', 'approved_by']) {
        expect(await refusalOf(report({ ...approved, status, [missing]: null })), missing).toBe('approved_by_somebody');
      }
    }
    expect(await refusalOf(report({ ...approved, status: 'approved' }))).toBeNull();
  });

  it('CEN-3 has one of six states and one of four sources, and opens from an earlier day', async () => {
    for (const status of ['late', 'missing', 'Draft']) {
      expect(await refusalOf(report({ status })), status).toBe('unit_census_status_check');
    }
    expect(await refusalOf(draft({ status: null }))).toBe('23502');
    expect(await refusalOf(draft({ source: 'guess' }))).toBe('unit_census_source_check');
    expect(await refusalOf(draft({ opening_from: date }))).toBe('unit_census_check');
    expect(await refusalOf(draft({ version: 0 }))).toBe('unit_census_version_check');
  });
});

describe('what belongs together', () => {
  it('CEN-3 a report, a move, beds, a restatement and an alert stay inside their facility', async () => {
    const foreign = { facility_no: elsewhere.facility_no };
    expect(await refusalOf(report(foreign))).toBe('unit_census_unit_no_facility_no_fkey');
    const beds = { ...placeOf(med), valid: '[2026-01-01,)', licensed: 1, physical: 1, staffed: 1 };
    expect(await refusalOf({ ...beds, ...foreign }, 'bed_complements')).toBe(
      'bed_complements_unit_no_facility_no_fkey',
    );
    expect(await refusalOf({ ...restatement(), ...foreign }, 'census_restatements')).toBe(
      'census_restatements_unit_no_facility_no_fkey',
    );
    const alert = { id: crypto.randomUUID(), ...placeOf(med), census_date: date, rule: 'over_high', message: 'Full.' };
    expect(await refusalOf({ ...alert, ...foreign }, 'census_alerts')).toBe('census_alerts_unit_no_facility_no_fkey');
    expect(await refusalOf({ ...alert, unit_no: null }, 'census_alerts')).toBeNull();
    expect(await refusalOf({ ...logRow(1), unit_no: elsewhere.unit_no }, 'census_log')).toBe('census_log_unit');
  });

  it('CEN-3 CEN-R8 a move is between two units of one facility, and somebody says something of it', async () => {
    const move = {
      facility_no: med.facility_no,
      census_date: date,
      from_unit: med.unit_no,
      to_unit: sur.unit_no,
      out_count: 3,
    };
    expect(await refusalOf({ ...move, to_unit: med.unit_no }, 'unit_transfers')).toBe('unit_transfers_check');
    expect(await refusalOf({ ...move, to_unit: elsewhere.unit_no }, 'unit_transfers')).toBe(
      'unit_transfers_to_unit_facility_no_fkey',
    );
    expect(await refusalOf({ ...move, from_unit: elsewhere.unit_no }, 'unit_transfers')).toBe(
      'unit_transfers_from_unit_facility_no_fkey',
    );
    expect(await refusalOf({ ...move, out_count: null }, 'unit_transfers')).toBe('unit_transfers_check1');
    expect(await refusalOf({ ...move, to_unit: null }, 'unit_transfers')).toBe('23502');
    expect(await refusalOf(move, 'unit_transfers')).toBeNull();
    expect(await refusalOf({ ...move, in_count: 2 }, 'unit_transfers')).toBe('unit_transfers_pkey');
  });

  it('CEN-3 two complements of a unit and population never hold on one day', async () => {
    const beds = { ...placeOf(sur), population: 'adult_and_child', licensed: 10, physical: 10, staffed: 8, surge: 1 };
    const from = (valid: string, changed: Row = {}) => refusalOf({ ...beds, valid, ...changed }, 'bed_complements');
    expect(await from('[2026-01-01,2026-06-01)')).toBeNull();
    expect(await from('[2026-05-31,)')).toBe('bed_complements_unit_no_population_valid_excl');
    expect(await from('[,2026-01-02)')).toBe('bed_complements_unit_no_population_valid_excl');
    expect(await from('[2026-06-01,)')).toBeNull();
    expect(await from('[2026-05-31,)', { population: 'newborn' })).toBeNull();
    expect(await from('[2020-01-01,2020-01-01)')).toBe('bed_complements_valid_check');
    expect(await from('[2019-01-01,2020-01-01)', { staffed: 12 })).toBe('bed_complements_check');
    expect(await from('[2019-01-01,2020-01-01)', { staffed: null })).toBe('23502');
  });

  it('CEN-3 a unit reports each population once, and one at least', async () => {
    const populations = (value: string) =>
      refusal(sql`update census_units set populations = ${value} where unit_no = ${sur.unit_no}`.execute(database.db));
    for (const bad of ['{}', '{adult_and_child,adult_and_child}', '{infant}', '{null}', '{adult_and_child,null}']) {
      expect(await populations(bad), bad).toMatch(/^census_units_(populations_)?check/);
    }
    expect(await populations('{newborn,adult_and_child}')).toBeNull();
  });

  it('CEN-3 a restatement is of the unit and population of the rows that it moved, and says why', async () => {
    expect(await refusalOf({ ...restatement(), reason: ' no  ' }, 'census_restatements')).toBe(
      'census_restatements_reason_check',
    );
    expect(await refusalOf({ ...restatement(), reason: null }, 'census_restatements')).toBe('23502');
    const made = await sql<{ no: number }>`
      insert into census_restatements (facility_no, unit_no, population, from_date, reason_code, reason, created_by)
      values (${sur.facility_no}, ${sur.unit_no}, 'adult_and_child', ${date}, 'miscount', 'counted twice', ${person})
      returning restatement_no as no`.execute(database.db);
    const restatement_no = made.rows[0]?.no;
    expect(await refusalOf(report({ restatement_no }))).toBe('unit_census_restatement_no_unit_no_population_fkey');
    expect(await refusalOf(report({ restatement_no, unit_no: sur.unit_no }))).toBeNull();
  });

  const restatement = (): Row => ({
    ...placeOf(med),
    population: 'adult_and_child',
    from_date: date,
    reason_code: 'miscount',
    reason: 'counted twice',
    created_by: person,
  });
});

const placeOf = ({ facility_no, unit_no }: { facility_no: number; unit_no: number }): Row => ({ facility_no, unit_no });

const logRow = (seq: number): Row => ({
  facility_no: med.facility_no,
  seq,
  at: `${date}T23:40:00Z`,
  action: 'unit_day.save',
  outcome: 'done',
  entry: '{}',
  prev_hash: Buffer.alloc(32),
  hash: Buffer.alloc(32, seq),
});

describe('the day of a facility', () => {
  const set = (changed: Row) => {
    const pairs = Object.entries(changed).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    return refusal(
      sql`update facility_days set ${sql.join(pairs)}
        where facility_no = ${med.facility_no} and census_date = ${date}`.execute(database.db),
    );
  };
  const complete = { units_expected: 2, units_submitted: 2, units_approved: 2 };
  const signed = { ...complete, status: 'approved' };
  const by = () => ({ signed_by: person, signed_at: `${date}T23:50:00Z` });

  it('CEN-3 is signed by somebody, and only when every unit is approved', async () => {
    expect(await set(signed)).toBe('signed_is_complete');
    expect(await set({ ...signed, signed_by: person })).toBe('signed_is_complete');
    expect(await set({ ...signed, signed_at: `${date}T23:50:00Z` })).toBe('signed_is_complete');
    expect(await set({ ...signed, ...by(), units_approved: 1 })).toBe('signed_is_complete');
    expect(await set({ ...signed, ...by(), status: 'locked', units_approved: 1, locked_at: `${date}T23:55:00Z` })).toBe(
      'signed_is_complete',
    );
    expect(await set({ ...signed, ...by() })).toBeNull();
  });

  it('CEN-3 CEN-R7 is not signed over a transfer gap, unless words accept it', async () => {
    for (const override_reason of [null, '', '      ', 'gap1']) {
      expect(await set({ ...signed, ...by(), transfer_gap: 1, override_reason })).toBe('signed_is_complete');
    }
    expect(await set({ transfer_gap: -1 })).toBe('facility_days_transfer_gap_check');
    expect(await set({ ...signed, ...by(), transfer_gap: 1, override_reason: 'moved 23:58' })).toBeNull();
  });

  it('CEN-3 is locked at a time, and an amended report of it has to reopen it first', async () => {
    expect(await set({ ...signed, ...by(), status: 'locked' })).toBe('locked_has_time');
    expect(await set({ ...signed, ...by(), status: 'locked', locked_at: `${date}T23:55:00Z` })).toBeNull();
    expect(await set({ units_approved: 1 })).toBe('signed_is_complete');
  });

  it('CEN-3 CEN-R19 is reopened with a reason', async () => {
    for (const reopen_reason of [null, '', '      ', 'slip']) {
      expect(await set({ status: 'reopened', reopen_reason }), String(reopen_reason)).toBe('reopened_has_reason');
    }
    expect(await set({ status: 'reopened', reopen_reason: 'late slip' })).toBeNull();
  });

  it('CEN-3 has no more in than expected, and no more approved or on time than in', async () => {
    expect(await set({ units_submitted: 1 })).toBe('facility_days_check');
    expect(await set({ ...complete, units_approved: 3 })).toBe('facility_days_check');
    expect(await set({ ...complete, units_submitted: 1, units_approved: 0, units_on_time: 2 })).toBe(
      'facility_days_check',
    );
    expect(await set({ units_expected: null })).toBe('23502');
    expect(await set({ status: 'signed' })).toBe('facility_days_status_check');
    expect(await refusalOf(dayRow(med.facility_no), 'facility_days')).toBe('facility_days_pkey');
  });

  it('CEN-6 expects what its units report, and what was in when it was signed is not undone by later settings', async () => {
    const populations = (value: string) =>
      sql`update census_units set populations = ${value} where unit_no = ${med.unit_no}`.execute(database.db);
    const expected = async () => {
      await sql`select refresh_facility_days(${med.facility_no}, ${date}::date, ${date}::date)`.execute(database.db);
      const { rows } = await sql<{ n: number }>`
        select units_expected as n from facility_days where facility_no = ${med.facility_no} and census_date = ${date}`.execute(
        database.db,
      );
      return rows[0]?.n;
    };
    await sql`update census_units set populations = '{adult_and_child}' where unit_no = ${sur.unit_no}`.execute(
      database.db,
    );
    await populations('{adult_and_child,newborn}');
    expect(await expected()).toBe(3);
    await insert('unit_census', report({ population: 'newborn' }));
    await populations('{adult_and_child}');
    expect(await expected()).toBe(3);
    await sql`update census_units set active = '[2100-01-01,)' where unit_no = ${sur.unit_no}`.execute(database.db);
    expect(await expected()).toBe(2);
    await sql`update census_units set active = '[,)' where unit_no = ${sur.unit_no}`.execute(database.db);
  });
});

describe('what is kept', () => {
  const INSUFFICIENT_PRIVILEGE = '42501';

  it('CEN-7 the log takes entries and nothing else: no change, no deletion, no emptying', async () => {
    await insert('census_log', logRow(2));
    const tries = [
      sql`update census_log set entry = '{"x":1}'`,
      sql`update census_log set seq = seq`,
      sql`delete from census_log`,
      sql`truncate census_log`,
      sql`truncate census_facilities cascade`,
    ];
    for (const attempt of tries) expect(await refusal(attempt.execute(database.db))).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('CEN-7 an entry stands once in its place, with whole hashes', async () => {
    await insert('census_log', logRow(3));
    expect(await refusalOf(logRow(3), 'census_log')).toBe('census_log_pkey');
    expect(await refusalOf(logRow(0), 'census_log')).toBe('census_log_seq_check');
    expect(await refusalOf({ ...logRow(4), hash: Buffer.alloc(31) }, 'census_log')).toBe('census_log_hash_check');
    expect(await refusalOf({ ...logRow(4), prev_hash: Buffer.alloc(0) }, 'census_log')).toBe(
      'census_log_prev_hash_check',
    );
    expect(await refusalOf({ ...logRow(4), hash: null }, 'census_log')).toBe('23502');
    expect(await refusalOf({ ...logRow(4), outcome: 'perhaps' }, 'census_log')).toBe('census_log_outcome_check');
  });

  it('CEN-3 CEN-7 a row as it was is kept for good, of a report that is there', async () => {
    await insert('unit_census', report());
    const revision = {
      unit_no: med.unit_no,
      census_date: date,
      population: 'adult_and_child',
      version: 1,
      row_data: '{}',
    };
    await insert('unit_census_revisions', revision);
    expect(await refusalOf(revision, 'unit_census_revisions')).toBe('unit_census_revisions_pkey');
    expect(await refusalOf({ ...revision, population: 'newborn' }, 'unit_census_revisions')).toBe(
      'unit_census_revisions_unit_no_census_date_population_fkey',
    );
    const tries = [
      sql`update unit_census_revisions set row_data = '{"x":1}'`,
      sql`delete from unit_census_revisions`,
      sql`truncate unit_census_revisions`,
    ];
    for (const attempt of tries) expect(await refusal(attempt.execute(database.db))).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await refusal(sql`delete from unit_census where census_date = ${date}`.execute(database.db))).toBe(
      'unit_census_revisions_unit_no_census_date_population_fkey',
    );
  });
});
