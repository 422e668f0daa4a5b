import { nilCounts } from '@wardline/census/balance.ts';
import { noSums } from '@wardline/census/measures.ts';
import { nursingSums } from '@wardline/census/nursing-hours.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import { getCensusHeatmap } from '@wardline/contract/census/board.ts';
import {
  type FacilityDay,
  getFacilityDay,
  getSignedDay,
  type SignedDay,
  type SignedRestatement,
  type UnitOfDay,
} from '@wardline/contract/census/day.ts';
import { listUnknownStays, type UnknownStay } from '@wardline/contract/census/feed.ts';
import { listProposals, type Proposal } from '@wardline/contract/census/proposals.ts';
import { type CensusSummary, getCensusSummary, type Sums } from '@wardline/contract/census/summary.ts';
import { getUnitDay, type UnitDay } from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useState } from 'react';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser, stBrigid } from '#/testing/fake-chats.ts';
import { SummaryPage } from '../summary-page.tsx';

const id = (number: number) => `01970000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`;
export const ids = { med: id(1), sur: id(2), icu: id(3), nur: id(4) };
export const owen = { id: id(90), name: 'Owen Hart' };
const ruth = { id: id(91), name: 'Ruth Calloway' };
export const date = '2026-11-19';

const zero = nilCounts(0);

function report(unit_id: string, unit_code: string, rest: Partial<UnitOfDay>): UnitOfDay {
  return {
    unit_id,
    unit_code,
    unit_name: `${unit_code} ward`,
    population: 'adult_and_child',
    counts_in_occupancy: true,
    status: 'approved',
    conditions: [],
    version: 3,
    opening: 0,
    counts: zero,
    closing: 0,
    present: 0,
    service_days: 0,
    beds: { licensed: 30, physical: 30, staffed: 28, surge: 0, blocked: 0 },
    variance_reason: null,
    capacity_reason: null,
    submitted_at: '2026-11-20T00:44:00Z',
    submitted_by: ruth,
    is_on_time: true,
    approved_by: owen,
    discussion_chat_id: null,
    ...rest,
  };
}

/** Fixture A3: MED and SUR, which disagree about one patient, an ICU that has not reported, and newborn. */
export function fakeDay(rest: Partial<FacilityDay> = {}): FacilityDay {
  const none = { counts: { ...zero, admissions: null, counted: null }, opening: 9, closing: null, present: null };
  return {
    facility_id: stBrigid.id,
    census_date: date,
    status: 'open',
    version: 7,
    time_zone: 'UTC',
    census_at: '2026-11-20T00:00:00Z',
    due_at: '2026-11-20T01:00:00Z',
    sign_off_due_at: '2026-11-20T11:00:00Z',
    locks_at: '2026-12-04T00:00:00Z',
    denominator: 'staffed',
    units_expected: 4,
    units_submitted: 3,
    units_on_time: 2,
    transfer_gap: 1,
    units: [
      report(ids.med, 'MED 3A', {
        opening: 24,
        counts: { ...zero, admissions: 5, transfers_in: 1, discharges: 4, deaths: 1, transfers_out: 3, counted: 22 },
        closing: 22,
        present: 22,
        service_days: 22,
      }),
      report(ids.sur, 'SUR 2B', {
        status: 'submitted',
        is_on_time: false,
        approved_by: null,
        submitted_at: '2026-11-20T01:52:00Z',
        opening: 18,
        counts: { ...zero, admissions: 2, transfers_in: 2, discharges: 3, transfers_out: 1, counted: 18 },
        closing: 18,
        present: 18,
        service_days: 18,
        variance_reason: 'One patient left at 23:58.',
      }),
      report(ids.icu, 'ICU', {
        ...none,
        status: null,
        conditions: ['missing'],
        version: 0,
        service_days: null,
        submitted_at: null,
        submitted_by: null,
        is_on_time: null,
        approved_by: null,
      }),
      report(ids.nur, 'NUR', {
        population: 'newborn',
        opening: 8,
        counts: { ...zero, births: 4, discharges: 3, counted: 9 },
        closing: 9,
        present: 9,
        service_days: 9,
        beds: { licensed: 14, physical: 14, staffed: 14, surge: 0, blocked: 0 },
      }),
    ],
    transfers: [
      { from_unit_id: ids.med, to_unit_id: ids.sur, population: 'adult_and_child', out_count: 3, in_count: 2, gap: 1 },
      { from_unit_id: ids.sur, to_unit_id: ids.med, population: 'adult_and_child', out_count: 1, in_count: 1, gap: 0 },
    ],
    blockers: [
      blocker('UNIT_MISSING', { unit_id: ids.icu, unit_code: 'ICU', message: 'ICU report missing' }),
      blocker('WRONG_STATUS', { unit_id: ids.sur, unit_code: 'SUR 2B', message: 'SUR 2B to approve' }),
      gapBlocker,
    ],
    override_reason: null,
    reopen_reason: null,
    signed_at: null,
    signed_by: null,
    locked_at: null,
    log_head: null,
    may: { sign: true, lock: true, reopen: true, approve: true },
    ...rest,
  };
}

function blocker(code: FacilityDay['blockers'][number]['code'], rest: Partial<FacilityDay['blockers'][number]>) {
  return {
    code,
    unit_id: null,
    unit_code: null,
    partner_unit_id: null,
    population: 'adult_and_child' as const,
    message: '',
    ...rest,
  };
}
export const gapBlocker = blocker('TRANSFER_UNRECONCILED', {
  unit_id: ids.med,
  partner_unit_id: ids.sur,
  message: 'Transfer gap 1: MED 3A, SUR 2B',
});

export const signed: Partial<FacilityDay> = {
  status: 'approved',
  blockers: [],
  signed_at: '2026-11-20T09:12:00Z',
  signed_by: owen,
  log_head: 'ab12cd34',
};

/** What was kept of a day with its signature. */
export function fakeSigned(day: FacilityDay, restatements: readonly SignedRestatement[] = []): SignedDay {
  if (day.signed_at === null) return { signed: null, earlier: [] };
  const { facility_id, census_date, time_zone, denominator, transfer_gap, transfers, override_reason } = day;
  const units = day.units.map(({ conditions, estimate, discussion_chat_id, ...unit }) => unit);
  const figures = { facility_id, census_date, time_zone, denominator, transfer_gap, transfers, override_reason, units };
  const { signed_at, signed_by } = day;
  const kept = { ...figures, signed_at, signed_by };
  return {
    signed: { source: 'stored', hash: 'ef56'.repeat(16), figures: kept, restatements: [...restatements] },
    earlier: [],
  };
}

/** MED and SUR together; the ICU's report lacks. */
const adults: Sums = {
  ...noSums(1),
  units_expected: 3,
  units_reported: 2,
  units_on_time: 1,
  census_days: 40,
  service_days: 40,
  occupancy_service_days: 40,
  occupancy_separations: 8,
  bed_days: 56,
  licensed_bed_days: 60,
  staffed_bed_days: 56,
  admissions: 7,
  transfers_in: 3,
  transfers_out: 4,
  discharges: 7,
  deaths: 1,
  separation_reports: 2,
};
const babies: Sums = {
  ...noSums(1),
  units_expected: 1,
  units_reported: 1,
  units_on_time: 1,
  census_days: 9,
  service_days: 9,
  occupancy_service_days: 9,
  occupancy_separations: 3,
  bed_days: 14,
  licensed_bed_days: 14,
  staffed_bed_days: 14,
  births: 4,
  discharges: 3,
  separation_reports: 1,
};

const noNursing: CensusSummary['nursing'] = {
  first_month: null,
  last_month: null,
  total: nursingSums([]),
  units: [],
};

export function fakeSums(from = date, to = date): CensusSummary {
  const unit = (unit_id: string, unit_code: string, sums: Sums) => ({
    unit_id,
    unit_code,
    unit_name: unit_code,
    population: unit_id === ids.nur ? ('newborn' as const) : ('adult_and_child' as const),
    counts_in_occupancy: true,
    sums,
  });
  const one = { ...noSums(1), units_expected: 1, units_reported: 1, units_on_time: 1 };
  return {
    facility_id: stBrigid.id,
    from,
    to,
    by: 'day',
    time_zone: 'UTC',
    denominator: 'staffed',
    bands: { target: 85, high: 92, full: 100 },
    total: { adult_and_child: adults, newborn: babies },
    steps: [{ from, to, status: null, sums: { adult_and_child: adults, newborn: babies } }],
    units: [
      unit(ids.med, 'MED 3A', {
        ...one,
        service_days: 22,
        occupancy_service_days: 22,
        occupancy_separations: 5,
        bed_days: 28,
        discharges: 4,
        deaths: 1,
        separation_reports: 1,
      }),
      unit(ids.sur, 'SUR 2B', {
        ...one,
        service_days: 18,
        occupancy_service_days: 18,
        occupancy_separations: 3,
        bed_days: 28,
        discharges: 3,
        separation_reports: 1,
      }),
      unit(ids.icu, 'ICU', { ...one, units_reported: 0, units_on_time: 0 }),
      unit(ids.nur, 'NUR', babies),
    ],
    transfers: [],
    overrides: [{ census_date: '2026-11-12', transfer_gap: 1, reason: 'patient moved 23:58', by: owen }],
    missing: [{ unit_id: ids.icu, unit_code: 'ICU', population: 'adult_and_child', census_date: date }],
    nursing: noNursing,
    restated_unit_days: 2,
    amended_since_signed: 0,
  };
}

/** A report as its own page has it. */
function wholeReport(
  { facility_id, census_date, time_zone, census_at, due_at }: FacilityDay,
  unit: UnitOfDay,
): UnitDay {
  const { counts_in_occupancy, ...said } = unit;
  return {
    ...said,
    ...{ facility_id, census_date, time_zone, census_at, due_at },
    status: unit.status ?? 'draft',
    source: 'manual',
    opening_from: '2026-11-18',
    transfers: [],
    note: null,
    approved_at: null,
    last_reason: null,
    may: { edit: false, submit: false, withdraw: false, return: true, approve: true, amend: false },
  };
}

const facility: Facility = { ...stBrigid, permissions: ['census.view', 'census.report_summary'] };

/** The summary page over a server in memory that keeps one day; the address is kept in the page's place. */
export function setUpSummary({
  day = fakeDay(),
  signedDay = fakeSigned(day),
  search = `by=day&from=${date}&to=${date}`,
} = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = {
    day,
    proposals: [] as readonly Proposal[],
    unknownStays: [] as readonly UnknownStay[],
    /** What a report says of itself beyond its day. */
    report: {} as Partial<UnitDay>,
    went: [] as string[],
  };
  const { api } = app;
  api.on(getUser, () => anaUser);
  api.on(getFacilityDay, ({ params }) =>
    params.date === date ? state.day : { ...fakeDay(), census_date: params.date, census_at: '2099-01-01T00:00:00Z' },
  );
  api.on(getSignedDay, () => signedDay);
  api.on(getUnitDay, ({ params }) => {
    const unit = state.day.units.find(({ unit_id }) => unit_id === params.unit) as UnitOfDay;
    return { ...wholeReport(state.day, unit), ...state.report };
  });
  api.on(getCensusSummary, ({ query }) => fakeSums(query.from, query.to));
  api.on(listProposals, () => ({
    data: [...state.proposals],
    next_cursor: null,
    may: { correct: true, dismiss: true },
  }));
  api.on(listUnknownStays, () => ({
    data: [...state.unknownStays],
    next_cursor: null,
    may: { decide: true },
    units: [
      { id: ids.med, code: 'MED 3A' },
      { id: ids.sur, code: 'SUR 2B' },
    ],
    time_zone: 'Asia/Manila',
  }));
  api.on(getCensusHeatmap, ({ query }) => ({
    facility_id: stBrigid.id,
    ...query,
    denominator: 'staffed' as const,
    bands: { target: 85, high: 92, full: 100 },
    units: [],
  }));
  const Page = () => {
    const [address, setAddress] = useState(search);
    const go = (next: string) => {
      state.went.push(next);
      setAddress(next);
    };
    return <SummaryPage facility={facility} search={new URLSearchParams(address)} onGo={go} />;
  };
  return { ...app, state, draw: () => app.draw(<Page />) };
}
