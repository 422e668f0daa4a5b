import type { Sums } from '@wardline/contract/census/summary.ts';
import type { BalanceInput } from '../balance.ts';
import { noSums } from '../measures.ts';

// The worked examples of the census specification, by their ids there; sources are named as it names them.

const NOBODY = {
  admissions: 0,
  births: 0,
  transfers_in: 0,
  discharges: 0,
  deaths: 0,
  transfers_out: 0,
  ad_same_day: 0,
  on_leave: 0,
};

interface UnitDayFixture {
  readonly id: string;
  readonly input: BalanceInput;
  readonly comes: { readonly closing: number; readonly present: number; readonly service_days: number };
}

export const UNIT_DAYS: readonly UnitDayFixture[] = [
  {
    id: 'A1',
    input: { ...NOBODY, opening: 268, admissions: 18, discharges: 11, ad_same_day: 2 },
    comes: { closing: 275, present: 275, service_days: 277 },
  },
  {
    id: 'A2',
    input: { ...NOBODY, opening: 321, admissions: 76, discharges: 24, deaths: 3, ad_same_day: 3 },
    comes: { closing: 370, present: 370, service_days: 373 },
  },
  {
    id: 'A3 MED',
    input: { ...NOBODY, opening: 24, admissions: 5, transfers_in: 1, discharges: 4, deaths: 1, transfers_out: 3 },
    comes: { closing: 22, present: 22, service_days: 22 },
  },
  {
    id: 'A3 SUR',
    input: { ...NOBODY, opening: 18, admissions: 2, transfers_in: 3, discharges: 3, transfers_out: 1 },
    comes: { closing: 19, present: 19, service_days: 19 },
  },
  {
    id: 'A5',
    input: { ...NOBODY, opening: 12, births: 4, discharges: 5, transfers_out: 1 },
    comes: { closing: 10, present: 10, service_days: 10 },
  },
  {
    id: 'A6',
    input: { ...NOBODY, opening: 20, admissions: 2, discharges: 2, ad_same_day: 1, on_leave: 2 },
    comes: { closing: 20, present: 18, service_days: 19 },
  },
];

interface PeriodFixture {
  readonly id: string;
  readonly sums: Sums;
  readonly measures: Readonly<Record<string, string | null>>;
}

const period = (serviceDays: number, bedDays: number, days: number): Sums => ({
  ...noSums(days),
  service_days: serviceDays,
  occupancy_service_days: serviceDays,
  bed_days: bedDays,
});

export const PERIODS: readonly PeriodFixture[] = [
  { id: 'A7 leap', sums: period(261, 290, 29), measures: { occupancy: '90.00', average_daily_census: '9.00' } },
  { id: 'A7', sums: period(261, 280, 28), measures: { occupancy: '93.21', average_daily_census: '9.32' } },
  {
    id: 'A8 first half',
    sums: period(27_813, 27_150, 181),
    measures: { occupancy: '102.44', average_daily_census: '153.66' },
  },
  {
    id: 'A8 second half',
    sums: period(35_873, 36_800, 184),
    measures: { occupancy: '97.48', average_daily_census: '194.96' },
  },
  { id: 'A9', sums: period(22_493, 36_500, 365), measures: { occupancy: '61.62', average_daily_census: '61.62' } },
  { id: 'A10', sums: period(549, 775, 31), measures: { occupancy: '70.84', average_daily_census: '17.71' } },
  {
    id: 'A13',
    sums: period(0, 300, 30),
    measures: {
      occupancy: '0.00',
      average_daily_census: '0.00',
      alos: null,
      alos_estimated: null,
      turnover_direct: '0.00',
      turnover_indirect: null,
      turnover_interval: null,
      gross_death_rate: null,
      net_death_rate: null,
    },
  },
  {
    id: 'A14',
    sums: period(0, 0, 30),
    measures: { occupancy: null, average_daily_census: '0.00', turnover_direct: null },
  },
];

/** A15: two units, and the percentage that is not the mean of theirs. */
export const AGGREGATE = { units: [period(9, 10, 1), period(10, 40, 1)], right: '38.00', wrong: '57.50' };

/** A16 */
export const XMR = {
  values: [41, 43, 42, 45, 44, 40, 42, 43, 44, 41, 39, 42, 44, 43],
  mean: '42.36',
  meanRange: '2.00',
  upper: '47.68',
  lower: '37.04',
  rangeLimit: '6.53',
};

/** T1 to T11: zone, date, its hours, and the time its clocks first show. */
export const DAY_LENGTHS: readonly (readonly [zone: string, date: string, hours: number, starts: string | null])[] = [
  ['Asia/Manila', '2026-03-08', 24, '00:00'],
  ['America/New_York', '2026-03-08', 23, '00:00'],
  ['America/New_York', '2026-11-01', 25, '00:00'],
  ['Asia/Beirut', '2026-03-29', 23, '01:00'],
  ['America/Santiago', '2026-09-06', 23, '01:00'],
  ['Pacific/Apia', '2011-12-30', 0, null],
  ['Africa/Cairo', '2026-04-24', 23, '01:00'],
  ['Africa/Cairo', '2026-10-29', 25, '00:00'],
  ['America/Havana', '2026-03-08', 23, '01:00'],
  ['Australia/Lord_Howe', '2026-10-04', 23.5, '00:00'],
  ['Australia/Lord_Howe', '2026-04-05', 24.5, '00:00'],
];

/** Zones whose clocks do all that clocks do. */
export const ZONES = [
  'Asia/Manila',
  'America/New_York',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Santiago',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Europe/London',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Pacific/Auckland',
];
