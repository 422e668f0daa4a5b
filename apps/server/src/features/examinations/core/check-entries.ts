import type {
  Entry,
  EntryInput,
  ExaminationTemplate,
  StoredEntry,
} from '@wardline/contract/examinations/examinations.ts';
import { findMissing } from '@wardline/examination/completeness.ts';
import { entryError, toEntry, unitError } from '@wardline/examination/entry.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { isSameRegions } from '@wardline/examination/regions.ts';
import { AppError } from '#/platform/http/app-error.ts';

type Fields = Record<string, string[]>;

/** What was entered as it is kept; what does not fit its field is refused there, with words. */
export function checkEntries(
  { fields }: ExaminationTemplate,
  inputs: readonly EntryInput[],
  subject: Subject,
): Entry[] {
  const errors: Fields = {};
  const entries = inputs.flatMap((input) => {
    const field = fields.find(({ code }) => code === input.field);
    const error = field ? (unitError(field, input) ?? entryError(field, input.value)) : 'This form has no such field.';
    if (error !== null) errors[`entries.${input.field}`] = [error];
    return field ? [toEntry(field, input, subject)] : [];
  });
  refuse(errors);
  if (new Set(entries.map(({ field }) => field)).size < entries.length) {
    refuse({ entries: ['Give each field once.'] });
  }
  return entries;
}

/** What is stored as who enters it would give it, for flags that are made anew. */
export function toInput({ field, value, interpretation, comparison, regions }: StoredEntry): EntryInput {
  return { field, value, interpretation, comparison, regions };
}

/** Refuses a report that is not whole yet, at the fields that are missing. */
export function checkComplete({ fields }: ExaminationTemplate, entries: readonly Entry[]): void {
  const missing = findMissing(fields, entries);
  if (!missing) return;
  refuse(Object.fromEntries(Object.entries(missing.fields).map(([code, sentence]) => [`entries.${code}`, [sentence]])));
  if (missing.whole) refuse({ entries: [missing.whole] });
}

/**
 * What others entered since who changes it looked stays; where it is the same field and another value, nothing of the change is stored.
 */
export function checkUnchanged(
  stored: readonly StoredEntry[],
  inputs: readonly EntryInput[],
  { expectedVersion, userId }: { expectedVersion: number; userId: string },
): void {
  const errors: Fields = {};
  for (const { field, value, regions } of inputs) {
    const now = stored.find((entry) => entry.field === field);
    const isOthers = now !== undefined && now.version > expectedVersion && now.by.user_id !== userId;
    const isSame = now?.value === value && isSameRegions(now.regions, regions);
    if (!isOthers || isSame) continue;
    errors[`entries.${field}`] = [othersChange(now, value)];
  }
  refuse(errors, 'conflict');
}

function othersChange(now: StoredEntry, value: string): string {
  if (now.value === '') return `${now.by.name} took it out.`;
  return now.value === value ? `${now.by.name} marked other places.` : `${now.by.name} entered ${now.value}.`;
}

export function refuse(fields: Fields, code: 'unprocessable' | 'conflict' = 'unprocessable'): void {
  const [first] = Object.values(fields);
  if (first) throw new AppError(code, { ...(first[0] && { message: first[0] }), fields });
}
