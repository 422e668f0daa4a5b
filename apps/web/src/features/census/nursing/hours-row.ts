import { hoursPerPatientDay, hoursText, nursingSums, readHours } from '@wardline/census/nursing-hours.ts';
import { MOST_NURSING_HOURS, type NursingMonth } from '@wardline/contract/census/nursing.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { formatDecimal } from '#/features/census/core/format-figure.ts';

/** The columns of hours, from left to right. */
export const HOURS_FIELDS = ['rn_hours', 'other_hours'] as const;
export type HoursField = (typeof HOURS_FIELDS)[number];
export type RowField = HoursField | 'note';

/** What stands in the fields of a unit. */
export type RowTexts = Readonly<Record<RowField, string>>;

/** A unit's line: what the server has, and what stands in its fields. */
export interface HoursRow {
  readonly month: NursingMonth;
  readonly texts: RowTexts;
  readonly state: 'still' | 'typed' | 'saving' | 'saved' | 'failed' | 'conflict';
  /** Why it was not saved, or what somebody else wrote. */
  readonly text: string;
}

const NO_HOURS = 'Write it as 3120.25.';
const TOO_MANY_HOURS = `At most ${formatCount(MOST_NURSING_HOURS)} hours.`;

/** The stored state as it is typed. */
export function textsOf({ rn_hours, other_hours, note }: NursingMonth): RowTexts {
  return { rn_hours: rn_hours ?? '', other_hours: other_hours ?? '', note: note ?? '' };
}

/** What is wrong with a field of hours. */
export function errorFor(text: string): string | undefined {
  const hundredths = readHours(text);
  if (hundredths === undefined) return NO_HOURS;
  return hundredths !== null && hundredths > MOST_NURSING_HOURS * 100 ? TOO_MANY_HOURS : undefined;
}

/** What the fields say, for the server; null while one of them is wrong. */
export function givenIn(texts: RowTexts): Pick<NursingMonth, RowField> | null {
  if (HOURS_FIELDS.some((field) => errorFor(texts[field]) !== undefined)) return null;
  const exact = (field: HoursField) => {
    const hundredths = readHours(texts[field]) ?? null;
    return hundredths === null ? null : hoursText(hundredths);
  };
  return { rn_hours: exact('rn_hours'), other_hours: exact('other_hours'), note: texts.note.trim() || null };
}

/** True where the fields say something else than what is stored. */
export function isUnsaved({ month, texts }: Pick<HoursRow, 'month' | 'texts'>): boolean {
  const given = givenIn(texts);
  return given === null || [...HOURS_FIELDS, 'note' as const].some((field) => given[field] !== month[field]);
}

/** Hours per patient day of what stands in the fields; null where it cannot be told, or would not count. */
export function perPatientDay({ month, texts }: HoursRow): { rn: string | null; all: string | null } {
  const { rn, all } = nursingSums([
    {
      rn: readHours(texts.rn_hours) ?? null,
      other: readHours(texts.other_hours) ?? null,
      patientDays: month.patient_days,
      isWhole: month.reports >= month.reports_expected,
    },
  ]);
  return { rn: hoursPerPatientDay(rn), all: hoursPerPatientDay(all) };
}

/** What somebody else wrote meanwhile. */
export function formatOtherValue({ entered_by, rn_hours, other_hours }: NursingMonth): string {
  const who = entered_by?.name ?? 'Someone';
  return `${who} wrote ${formatDecimal(rn_hours)} and ${formatDecimal(other_hours)} in the meantime.`;
}
