import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Instant, Nothing, Text } from '../values.ts';

/** Hours of a unit in a month, at most: three hundred nurses around the clock. */
export const MOST_NURSING_HOURS = 250_000;

/** Hours as exact text, '3120.25': they never become a binary fraction. */
export const NursingHours = z.string().check(
  z.regex(/^\d{1,6}(\.\d{1,2})?$/, 'Write hours as a number with at most two decimals.'),
  z.refine((text) => Number(text) <= MOST_NURSING_HOURS, 'At most 250,000 hours.'),
);

/** A calendar month, `YYYY-MM`; one that is none is refused with a finding and not with 404. */
const MonthText = z.string().check(z.regex(/^\d{4}-\d{2}$/, 'This is not a month.'));

/** What nurses worked in a unit in a month, beside the patient days of its reports. Not given: version 0. */
export const NursingMonth = z.object({
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  month: MonthText,
  version: z.int(),
  /** Of registered nurses; null: not given, '0.00': none. */
  rn_hours: z.nullable(z.string()),
  /** Of practical nurses and of aides. */
  other_hours: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** Of both populations, from the reports that are in. */
  patient_days: z.int(),
  reports: z.int(),
  reports_expected: z.int(),
  entered_at: z.nullable(Instant),
  entered_by: z.nullable(z.object({ id: Id, name: z.string() })),
});
export type NursingMonth = z.infer<typeof NursingMonth>;

/** Hours and patient days of the same unit-months, to be divided last. */
export const NursingPart = z.object({
  /** Hundredths of an hour. */
  hundredths: z.int(),
  patient_days: z.int(),
  /** How many months of units are in both: their hours are given and all their reports are in. */
  unit_months: z.int(),
});
export type NursingPart = z.infer<typeof NursingPart>;

/** Nursing hours of the months of one unit or of several, of registered nurses and of all nursing staff. */
export const NursingSums = z.object({ unit_months_expected: z.int(), rn: NursingPart, all: NursingPart });
export type NursingSums = z.infer<typeof NursingSums>;

/** Of the whole months that lie in a range and have been counted; months that the range cuts are left out. */
export const NursingSummary = z.object({
  /** Null where there is none. */
  first_month: z.nullable(MonthText),
  last_month: z.nullable(MonthText),
  total: NursingSums,
  units: z.array(z.object({ unit_id: Id, sums: NursingSums })),
});
export type NursingSummary = z.infer<typeof NursingSummary>;

const unitMonth = { params: z.strictObject({ unit: Id, month: MonthText }), query: Nothing };
const unitMonthPath = '/api/census/units/{unit}/nursing-hours/{month}';

export const getNursingHours = endpoint({
  name: 'getNursingHours',
  summary: 'What nurses worked in a unit in a month, also when nothing is given.',
  method: 'GET',
  path: unitMonthPath,
  access: 'signed-in',
  ...unitMonth,
  body: Nothing,
  status: 200,
  reply: NursingMonth,
});

export const putNursingHours = endpoint({
  name: 'putNursingHours',
  summary: 'Says what nurses worked in a unit in a month that has ended. 409 when it changed since `version`.',
  method: 'PUT',
  path: unitMonthPath,
  access: 'signed-in',
  ...unitMonth,
  body: z.strictObject({
    client_id: Id,
    version: z.int().check(z.gte(0)),
    rn_hours: z.nullable(NursingHours),
    other_hours: z.nullable(NursingHours),
    note: z.optional(z.nullable(Text(0, 500))),
  }),
  status: 200,
  reply: NursingMonth,
});

export const listNursingHours = endpoint({
  name: 'listNursingHours',
  summary: 'The nursing hours of a month, of the facility’s units that the caller answers for.',
  method: 'GET',
  path: '/api/census/facilities/{facility}/nursing-hours/{month}',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, month: MonthText }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ facility_id: Id, month: MonthText, units: z.array(NursingMonth) }),
});

export const censusNursingEndpoints = [getNursingHours, putNursingHours, listNursingHours] as const;
