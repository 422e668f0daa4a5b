import type { CountField, RuleCode } from '@wardline/contract/census/census.ts';

/** A count that is some of others: never more than they come to. */
export interface PartRule {
  readonly field: CountField;
  /** What these patients are, in a sentence. */
  readonly name: string;
  /** The counts that come to its whole; or the closing, the patients in the unit. */
  readonly of: readonly CountField[] | 'closing';
  readonly code: RuleCode;
  /** The sentence for a part that is more than its whole. */
  readonly format: (whole: number, part: number) => string;
  /** The database's own rule, which holds it of drafts and of restated days as well; null where those may break it. */
  readonly constraint: string | null;
}

/** Some of the patients in the unit. */
const ofClosing = (name: string) => ({
  name,
  of: 'closing' as const,
  format: (closing: number, part: number) => `Of ${closing} patients, ${part} cannot be ${name}.`,
});

/** Every part of a report with its whole: what the form, the server, the restatement of later days and the database hold. */
export const PART_RULES: readonly PartRule[] = [
  {
    field: 'deaths_u48',
    name: 'under 48 h',
    of: ['deaths'],
    code: 'SUBSET_EXCEEDS_TOTAL',
    format: (deaths, part) => `Of ${deaths} deaths, ${part} cannot be under 48 h.`,
    constraint: 'deaths_u48_is_part',
  },
  {
    field: 'ad_same_day',
    name: 'same-day',
    of: ['discharges', 'deaths'],
    code: 'AD_EXCEEDS_SEPARATIONS',
    format: (left, part) => `Only ${left} were discharged or died; ${part} cannot be same-day.`,
    constraint: 'same_day_is_part',
  },
  {
    field: 'ad_same_day',
    name: 'same-day',
    of: ['admissions', 'births', 'transfers_in'],
    code: 'AD_EXCEEDS_ADMISSIONS',
    format: (came, part) => `Only ${came} came in; ${part} cannot be same-day.`,
    constraint: 'same_day_is_part',
  },
  { field: 'on_leave', ...ofClosing('on leave'), code: 'LEAVE_EXCEEDS_CENSUS', constraint: 'leave_is_part' },
  { field: 'observation', ...ofClosing('observation patients'), code: 'SUBSET_EXCEEDS_TOTAL', constraint: null },
];
