import type { Entry, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import { entryError } from '../entry.ts';
import { isSeenOnPictures } from '../regions.ts';

/**
 * What another version of a form has no place for, by the labels of the fields: one that is gone, is of another kind or unit, or does not
 * take the value that was entered.
 */
export function lostValues(
  from: Pick<ExaminationTemplate, 'fields'>,
  to: Pick<ExaminationTemplate, 'type' | 'fields'>,
  entries: readonly Pick<Entry, 'field' | 'value' | 'regions'>[],
): string[] {
  return entries.flatMap(({ field: code, value, regions }) => {
    if (value === '') return [];
    const before = from.fields.find((field) => field.code === code);
    const after = to.fields.find((field) => field.code === code);
    const hasPlace =
      after !== undefined &&
      after.kind === before?.kind &&
      after.unit?.code === before.unit?.code &&
      (after.part === 'request') === (before.part === 'request') &&
      entryError(after, value) === null &&
      (!regions?.length || isSeenOnPictures(to, after));
    return hasPlace ? [] : [before?.label ?? code];
  });
}
