import * as z from 'zod/mini';
import { Day, Id, Instant, Text } from '../values.ts';

/** How soon a critical result must reach somebody: category 1 within minutes, 2 within hours, 3 within days. */
export const CriticalCategory = z.enum(['minutes', 'hours', 'days']);
export type CriticalCategory = z.infer<typeof CriticalCategory>;

export const CRITICAL_STATES = [
  'identified',
  'notifying',
  'escalated',
  'exhausted',
  'received',
  'read_back_ok',
  'acted',
  'closed',
  'withdrawn',
] as const;
export const CriticalState = z.enum(CRITICAL_STATES);
export type CriticalState = z.infer<typeof CriticalState>;

/** A critical finding as it is called about and read back; the value as people read it, a choice by its words. */
export const CriticalFinding = z.object({
  field: z.string(),
  label: z.string(),
  value: z.string(),
  unit: z.nullable(z.object({ code: z.string(), label: z.string() })),
  interpretation: z.enum(['LL', 'HH', 'AA']),
});
export type CriticalFinding = z.infer<typeof CriticalFinding>;

/** What of a read-back did not agree: a part of one finding, or the patient. */
export const WrongPart = z.object({
  part: z.enum(['value', 'unit', 'patient']),
  /** The finding; null of the patient. */
  label: z.nullable(z.string()),
});
export type WrongPart = z.infer<typeof WrongPart>;

const CriticalPerson = z.object({ user_id: Id, name: z.string() });

/** When each step was reached first; null where it was not. */
export const CriticalTimes = z.object({
  identified_at: Instant,
  notified_at: z.nullable(Instant),
  received_at: z.nullable(Instant),
  read_back_at: z.nullable(Instant),
  acted_at: z.nullable(Instant),
  closed_at: z.nullable(Instant),
});
export type CriticalTimes = z.infer<typeof CriticalTimes>;

/** A critical alert as everybody sees it who reads its chat. */
export const CriticalAlert = z.object({
  id: Id,
  examination_id: Id,
  /** The form's name. */
  title: z.string(),
  report_version: z.int(),
  category: CriticalCategory,
  state: CriticalState,
  /** Grows with each change of state. */
  version: z.int(),
  findings: z.array(CriticalFinding),
  times: CriticalTimes,
  /** Who read it back so that all agreed, and who tried. What they said stays on the server. */
  read_backs: z.array(z.object({ by: CriticalPerson, at: Instant, is_right: z.boolean(), wrong: z.array(WrongPart) })),
});
export type CriticalAlert = z.infer<typeof CriticalAlert>;

/** The same beside its examination, with where in the chat it is called. */
export const PlacedCriticalAlert = z.extend(CriticalAlert, { message_id: Id, seq: z.int() });
export type PlacedCriticalAlert = z.infer<typeof PlacedCriticalAlert>;

/** Whom to call, or why nobody. */
export const CriticalDecision = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('alert'),
    category: CriticalCategory,
    targets: z.strictObject({
      people: z.array(Id).check(z.maxLength(20, 'At most 20 people.')),
      role_id: z.nullable(Id),
    }),
    /** In a few words what a long text says, as it is to be read back. */
    statements: z.optional(
      z.array(z.strictObject({ field: Text(1, 60), text: Text(1, 80) })).check(z.maxLength(50, 'At most 50.')),
    ),
  }),
  z.strictObject({ kind: z.literal('none'), reason: Text(1, 500) }),
]);
export type CriticalDecision = z.infer<typeof CriticalDecision>;

/** Of one signed version: that it was called about, or why not. */
export const MadeDecision = z.object({
  report_version: z.int(),
  by: CriticalPerson,
  at: Instant,
  /** Null where an alert was raised. */
  reason: z.nullable(z.string()),
});
export type MadeDecision = z.infer<typeof MadeDecision>;

/** What somebody says that they heard; compared on the server. */
export const ReadBack = z.strictObject({
  findings: z
    .array(z.strictObject({ field: Text(1, 60), value: Text(0, 200), unit: Text(0, 40) }))
    .check(z.minLength(1, 'Read back each finding.'), z.maxLength(50, 'At most 50.')),
  /** By the second identifier, or by name and date of birth. */
  patient: z.strictObject({ name: Text(0, 200), identifier: Text(0, 100), born_on: z.nullable(Day) }),
});
export type ReadBack = z.infer<typeof ReadBack>;

/** A month of a calendar, `YYYY-MM`. */
export const Month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'This is not a month.'));
export const CRITICAL_MONTHS_MAX = 13;

/** Seconds since it was identified: of how many, the median, and within what nine of ten were. */
const StepTimes = z.object({ count: z.int(), median_s: z.nullable(z.int()), p90_s: z.nullable(z.int()) });
export type StepTimes = z.infer<typeof StepTimes>;

/** The alerts of a unit, a month and a category. */
export const CriticalTimesRow = z.object({
  /** By the calendar of the facility, of the day it was identified on. */
  month: Month,
  /** Where the patient's bed was when it was raised; null where no unit has such a bed. */
  unit: z.nullable(z.object({ id: Id, code: z.string(), name: z.string() })),
  category: CriticalCategory,
  raised: z.int(),
  withdrawn: z.int(),
  /** Of those that are not over. */
  open: z.int(),
  notified: StepTimes,
  received: StepTimes,
  read_back: StepTimes,
  acted: StepTimes,
});
export type CriticalTimesRow = z.infer<typeof CriticalTimesRow>;
