import type { Entry, TemplateField } from '@wardline/contract/examinations/examinations.ts';

/** Why a report cannot be signed yet: a sentence for each field that has to be filled in, and one where it is empty as a whole. */
export interface Incompleteness {
  readonly fields: Readonly<Record<string, string>>;
  readonly whole: string | null;
}

/** A report is signed whole: with all that its form requires, and with a finding at least. Null where nothing is missing. */
export function findMissing(
  fields: readonly TemplateField[],
  entries: readonly Pick<Entry, 'field' | 'value'>[],
): Incompleteness | null {
  const filled = new Set(entries.filter(({ value }) => value.trim() !== '').map(({ field }) => field));
  const missing = fields.filter(({ code, is_required }) => is_required && !filled.has(code));
  const isEmpty = !fields.some(({ code, part }) => part !== 'request' && filled.has(code));
  if (missing.length === 0 && !isEmpty) return null;
  return {
    fields: Object.fromEntries(missing.map(({ code, label }) => [code, `${label} is needed to sign.`])),
    whole: isEmpty ? 'Enter at least one finding to sign.' : null,
  };
}
