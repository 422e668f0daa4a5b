import type { Population } from '@wardline/contract/census/census.ts';
import type { PersonKey } from '../people.ts';

/** Beds from a day on, counted back from the newest census date; the first row holds from the beginning. */
export interface BedPlan {
  readonly daysBack: number;
  readonly licensed: number;
  readonly physical: number;
  readonly staffed: number;
  readonly surge?: number;
  readonly reason?: string;
}

/** How a unit of the demo hospital lives. Weekdays start with Sunday. */
export interface Ward {
  readonly code: string;
  readonly population: Population;
  readonly reporter: PersonKey;
  readonly beds: readonly BedPlan[];
  /** Part of the staffed beds (for boarders: patients) that the unit tends to, by weekday. */
  readonly full: readonly number[];
  /** Patients who come from outside on an ordinary day, by weekday. */
  readonly arrivals: readonly number[];
  /** How much more is in the unit at the height of winter. */
  readonly winter: number;
  /** Part of those who leave who die. */
  readonly mortality: number;
  /** Part of the arrivals who leave on the same day. */
  readonly sameDay: number;
  /** Days that those who leave later had stayed, where the unit says so. */
  readonly stayDays?: number;
  readonly late: number;
  readonly isBoarders?: true;
  readonly safrGroup: string;
  /** Nursing hours per patient day, and which part of them are those of registered nurses. */
  readonly nursing?: { readonly hours: number; readonly rn: number };
}

interface Road {
  readonly from: string;
  readonly to: string;
  /** Patients on an ordinary day. */
  readonly mean: number;
}

export interface CensusPlan {
  readonly approver: PersonKey;
  readonly signer: PersonKey;
  readonly returner: PersonKey;
  /** Reports for every unit where its own people do not. */
  readonly everywhere?: PersonKey;
  readonly wards: readonly Ward[];
  readonly roads: readonly Road[];
}

const flat = (value: number) => Array.from({ length: 7 }, () => value);
const always = (staffed: number, more: Partial<BedPlan> = {}): BedPlan => ({
  daysBack: 10_000,
  licensed: staffed + 2,
  physical: staffed + 2,
  staffed,
  ...more,
});

export const BRIGID_CENSUS: CensusPlan = {
  approver: 'owen',
  signer: 'owen',
  returner: 'ruth',
  everywhere: 'owen',
  wards: [
    {
      code: 'MED 3A',
      population: 'adult_and_child',
      reporter: 'ana',
      beds: [always(28, { surge: 4 })],
      full: [0.77, 0.84, 0.88, 0.88, 0.86, 0.8, 0.76],
      arrivals: [2, 3.5, 3.5, 3, 3, 2.5, 2],
      winter: 0.14,
      mortality: 0.035,
      sameDay: 0.1,
      late: 0.03,
      safrGroup: 'adult_med_surg',
      nursing: { hours: 6.8, rn: 0.62 },
    },
    {
      code: 'SUR 2B',
      population: 'adult_and_child',
      reporter: 'ana',
      beds: [always(28), always(24, { daysBack: 10, reason: 'Four beds closed: the ceiling of bay 4 is renewed.' })],
      full: [0.7, 0.76, 0.82, 0.85, 0.83, 0.76, 0.7],
      arrivals: [0.8, 4.5, 4.5, 4.5, 4, 2.2, 0.8],
      winter: 0.02,
      mortality: 0.008,
      sameDay: 0.16,
      late: 0.03,
      safrGroup: 'adult_med_surg',
      nursing: { hours: 7.1, rn: 0.66 },
    },
    {
      code: 'ICU',
      population: 'adult_and_child',
      reporter: 'kofi',
      beds: [always(10, { licensed: 12, physical: 12 })],
      full: flat(0.83),
      arrivals: flat(0.5),
      winter: 0.12,
      mortality: 0.16,
      sameDay: 0.03,
      late: 0.03,
      safrGroup: 'adult_icu',
      nursing: { hours: 17.8, rn: 0.94 },
    },
    {
      code: 'MAT',
      population: 'adult_and_child',
      reporter: 'elena',
      beds: [always(16)],
      full: [0.6, 0.66, 0.7, 0.7, 0.7, 0.68, 0.6],
      arrivals: [2, 3.4, 3.4, 3.4, 3.2, 3, 2],
      winter: 0,
      mortality: 0,
      sameDay: 0.04,
      late: 0.02,
      safrGroup: 'obstetric',
      nursing: { hours: 7.6, rn: 0.8 },
    },
    {
      code: 'NUR',
      population: 'newborn',
      reporter: 'elena',
      beds: [always(14, { licensed: 14, physical: 14 })],
      full: flat(0.67),
      arrivals: [1.6, 2.8, 2.8, 2.8, 2.6, 2.4, 1.6],
      winter: 0,
      mortality: 0.001,
      sameDay: 0,
      late: 0.02,
      safrGroup: 'nursery',
      nursing: { hours: 6.4, rn: 0.78 },
    },
    {
      code: 'PED',
      population: 'adult_and_child',
      reporter: 'ines',
      beds: [
        always(12),
        always(0, {
          daysBack: 128,
          licensed: 14,
          physical: 14,
          reason: 'Closed for the renewal of the oxygen supply.',
        }),
        always(12, { daysBack: 100, reason: 'Opened again.' }),
      ],
      full: [0.6, 0.7, 0.75, 0.75, 0.72, 0.68, 0.6],
      arrivals: [1.6, 2, 2, 2, 1.8, 1.8, 1.6],
      winter: 0.2,
      mortality: 0.002,
      sameDay: 0.15,
      late: 0.08,
      safrGroup: 'peds',
      nursing: { hours: 9.4, rn: 0.82 },
    },
    {
      code: 'ONC',
      population: 'adult_and_child',
      reporter: 'clara',
      beds: [always(18, { licensed: 20, physical: 19 })],
      full: [0.82, 0.92, 0.98, 0.98, 0.95, 0.88, 0.82],
      arrivals: [0.6, 2.2, 2, 2, 1.8, 1.2, 0.6],
      winter: 0,
      mortality: 0.06,
      sameDay: 0.06,
      late: 0.02,
      safrGroup: 'adult_med_surg',
      nursing: { hours: 8.2, rn: 0.7 },
    },
    {
      code: 'ED',
      population: 'adult_and_child',
      reporter: 'ruth',
      beds: [],
      full: [5, 6, 6, 5, 5, 6, 5],
      arrivals: flat(6),
      winter: 0.3,
      mortality: 0.03,
      sameDay: 0.05,
      late: 0.03,
      isBoarders: true,
      safrGroup: 'ed_admitted',
    },
  ],
  roads: [
    { from: 'ED', to: 'MED 3A', mean: 2 },
    { from: 'ED', to: 'SUR 2B', mean: 1.2 },
    { from: 'ED', to: 'ICU', mean: 0.5 },
    { from: 'ED', to: 'PED', mean: 0.6 },
    { from: 'ED', to: 'ONC', mean: 0.2 },
    { from: 'ICU', to: 'MED 3A', mean: 0.6 },
    { from: 'ICU', to: 'SUR 2B', mean: 0.4 },
    { from: 'MED 3A', to: 'ICU', mean: 0.3 },
    { from: 'MED 3A', to: 'SUR 2B', mean: 0.2 },
    { from: 'MED 3A', to: 'ONC', mean: 0.2 },
    { from: 'SUR 2B', to: 'ICU', mean: 0.25 },
    { from: 'SUR 2B', to: 'ONC', mean: 0.2 },
    { from: 'PED', to: 'SUR 2B', mean: 0.1 },
  ],
};

export const HARBOUR_CENSUS: CensusPlan = {
  approver: 'tomas',
  signer: 'tomas',
  returner: 'tomas',
  wards: [
    {
      code: 'C',
      population: 'adult_and_child',
      reporter: 'isolde',
      beds: [always(20)],
      full: [0.76, 0.82, 0.86, 0.86, 0.84, 0.8, 0.76],
      arrivals: [1, 2.4, 2.4, 2.2, 2, 1.6, 1],
      winter: 0.1,
      mortality: 0.03,
      sameDay: 0.05,
      stayDays: 8,
      late: 0.04,
      safrGroup: 'adult_med_surg',
      nursing: { hours: 6.5, rn: 0.6 },
    },
    {
      code: 'DAY',
      population: 'adult_and_child',
      reporter: 'isolde',
      beds: [always(8, { licensed: 8, physical: 8 })],
      full: [0.35, 0.4, 0.45, 0.45, 0.45, 0.4, 0.35],
      arrivals: [1.2, 5, 5, 5, 5, 4, 1.2],
      winter: 0,
      mortality: 0,
      sameDay: 0.75,
      stayDays: 2,
      late: 0.05,
      safrGroup: 'adult_med_surg',
      nursing: { hours: 6.1, rn: 0.75 },
    },
  ],
  roads: [{ from: 'DAY', to: 'C', mean: 0.3 }],
};
