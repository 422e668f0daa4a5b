import * as z from 'zod/mini';
import { channel } from '../channel.ts';
import { Day, Id, Instant } from '../values.ts';

/** Whom a report counts. Newborns (born here in this stay) have their own reports, bassinets and measures. */
export const POPULATIONS = ['adult_and_child', 'newborn'] as const;
export const Population = z.enum(POPULATIONS);
export type Population = z.infer<typeof Population>;

/** What a report goes through; due, late, missing, restated and unreconciled are derived and never stored. */
export const UnitDayStatus = z.enum(['draft', 'submitted', 'returned', 'approved', 'locked', 'amending']);
export type UnitDayStatus = z.infer<typeof UnitDayStatus>;

/** What is true of a report now besides its status. */
export const UnitDayCondition = z.enum(['due', 'late', 'missing', 'restated', 'unreconciled', 'provisional']);
export type UnitDayCondition = z.infer<typeof UnitDayCondition>;

/** Why a report or an act is refused: each rule of the census has one code. */
export const RULE_CODES = [
  'UNBALANCED',
  'OPENING_MISMATCH',
  'INVALID_COUNT',
  'MISSING_VALUE',
  'AD_EXCEEDS_SEPARATIONS',
  'AD_EXCEEDS_ADMISSIONS',
  'SUBSET_EXCEEDS_TOTAL',
  'NEGATIVE_CLOSING',
  'LEAVE_EXCEEDS_CENSUS',
  'BIRTHS_NOT_ALLOWED',
  'DISCHARGE_DAYS_MISMATCH',
  'STAFFED_EXCEEDS_BEDS',
  'BLOCKED_EXCEEDS_BEDS',
  'VARIANCE_NEEDS_REASON',
  'OVER_CAPACITY_NEEDS_REASON',
  'TRANSFER_SELF',
  'TRANSFER_UNRECONCILED',
  'DUPLICATE',
  'NOT_YET_DUE',
  'NO_SUCH_DATE',
  'UNIT_INACTIVE',
  'UNIT_MISSING',
  'UNIT_CLOSES',
  'WRONG_STATUS',
  'LOCKED',
  'VERSION_CONFLICT',
  'DOUBLE_COUNT',
  'SELF_APPROVAL',
  'REASON_REQUIRED',
] as const;
export const RuleCode = z.enum(RULE_CODES);
export type RuleCode = z.infer<typeof RuleCode>;

/** Broken rule, the field at which the person acted (null: the whole report) and the sentence for them. */
export const Finding = z.object({ code: RuleCode, field: z.nullable(z.string()), message: z.string() });
export type Finding = z.infer<typeof Finding>;

const MOST_COUNT = 9999;

/** A number of patients or beds. What is none breaks the rule INVALID_COUNT, of whichever JSON type it is. */
export const Count = z
  .custom<number>(
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_COUNT,
    { error: `Enter a whole number from 0 to ${MOST_COUNT}.`, params: { rule: 'INVALID_COUNT' satisfies RuleCode } },
  )
  .check(z.meta({ type: 'integer', minimum: 0, maximum: MOST_COUNT }));

const MOST_DISCHARGE_DAYS = 999_999;

/** The most that a count can be. */
export function mostOf(field: string): number {
  return field === 'discharge_days' ? MOST_DISCHARGE_DAYS : MOST_COUNT;
}

/** Lengths of stay, added: one patient may have stayed for years. */
export const DischargeDays = z
  .custom<number>(
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_DISCHARGE_DAYS,
    {
      error: `Enter a whole number from 0 to ${MOST_DISCHARGE_DAYS}.`,
      params: { rule: 'INVALID_COUNT' satisfies RuleCode },
    },
  )
  .check(z.meta({ type: 'integer', minimum: 0, maximum: MOST_DISCHARGE_DAYS }));

/** The counts that a patient system tells as well. Admissions, discharges and deaths include same-day patients. */
export const FEED_FIELDS = [
  'admissions',
  'births',
  'transfers_in',
  'discharges',
  'deaths',
  'deaths_u48',
  'transfers_out',
  'ad_same_day',
  'on_leave',
] as const;
export type FeedField = (typeof FEED_FIELDS)[number];

/** The counts that add up over units and days. */
export const SUMMED_FIELDS = [...FEED_FIELDS, 'observation'] as const;
export type SummedField = (typeof SUMMED_FIELDS)[number];

/** What a report must say before it is handed in. */
export const REQUIRED_FIELDS = [...SUMMED_FIELDS, 'counted'] as const;

/** What a unit counts, in the order of the report; null is 'not given', 0 is none. Discharge days may stay not given. */
export const COUNT_FIELDS = [...SUMMED_FIELDS, 'discharge_days', 'counted'] as const;
export type CountField = (typeof COUNT_FIELDS)[number];

/** The shape of an object with one value for each name. */
export function fieldsOf<Name extends string, Field extends z.ZodMiniType>(names: readonly Name[], field: Field) {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>;
}

const nullableCount = z.nullable(Count);

export const Counts = z.strictObject({
  ...fieldsOf(REQUIRED_FIELDS, nullableCount),
  /** Days that those who were discharged or died had stayed, added; a same-day stay is one. A device of before leaves it out. */
  discharge_days: z._default(z.nullable(DischargeDays), null),
});
export type Counts = z.infer<typeof Counts>;

/** The beds (for newborns: bassinets) of a unit on one day; `blocked` are staffed beds that cannot be used. */
export const Beds = z.object({
  licensed: Count,
  physical: Count,
  staffed: Count,
  surge: Count,
  blocked: Count,
});
export type Beds = z.infer<typeof Beds>;

/** Somebody as they are named beside what they did. */
export const Person = z.object({ id: Id, name: z.string() });

/** How many patients somebody takes to be in a unit whose report is missing. No sum, opening or measure counts it. */
export const Estimate = z.object({ census: z.int(), reason: z.string(), by: Person, at: Instant });
export type Estimate = z.infer<typeof Estimate>;

/** Why a signed number was changed. */
export const REASON_CODES = [
  'late_slip',
  'miscount',
  'wrong_unit',
  'wrong_date',
  'duplicate_entry',
  'patient_system',
  'other',
] as const;
export const ReasonCode = z.enum(REASON_CODES);
export type ReasonCode = z.infer<typeof ReasonCode>;

const Figure = z.nullable(z.union([z.int(), z.string()]));

/** A figure of a report that is not what it was. */
export const FigureChange = z.object({ field: z.string(), from: Figure, to: Figure });

/** Dates that are no dates (29 Feb 2027, 30 Dec 2011 in Apia) are refused with a finding and not with 404. */
export const DayText = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** Something of a facility's census is not what it was; one event for all that one transaction changed. */
export const CensusChanged = z.object({
  facility_id: Id,
  /** The first date that may have changed. */
  census_date: Day,
  /** The last one, where it is another: every date between them may have changed too. */
  to_date: z.optional(Day),
  /** The unit where it was one alone. */
  unit_id: z.nullable(Id),
  /** True where it is a draft alone: who has the report open sees it, no sum moves. */
  is_draft: z.optional(z.boolean()),
});
export type CensusChanged = z.infer<typeof CensusChanged>;

export const censusChannel = channel({
  kind: 'private',
  pattern: 'census.{facility}',
  param: 'facility',
  events: { CensusChanged },
});
