import type { Entry, EntryInput, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';
import { compareDecimals, decimalPlaces } from './decimal.ts';
import { flagQuantity, graver, rangeFor, readQuantity, type Subject } from './reference-range.ts';
import { isSameRegions } from './regions.ts';

/** Two decimals with a dash or three points between them, as `12-15` and `0.5–1`. */
const SPAN = /^([^\s–-]+)\s*(?:–|-|\.\.\.)\s*([^\s–-]+)$/;

/** Two quantities as a range is entered, the first and the second; null where the text is none. */
export function readSpan(text: string): { from: string; to: string } | null {
  const [, from = '', to = ''] = SPAN.exec(text) ?? [];
  return readQuantity(from) && readQuantity(to) ? { from, to } : null;
}

/** What is wrong with a value of a field, as a sentence for who entered it; null where nothing is. An empty value is none. */
export function entryError(field: TemplateField, value: string): string | null {
  return formatError(field, value) ?? limitError(field, value);
}

/**
 * What is wrong with a value that was entered in another unit than its field has by now, since the form has a newer version: the same
 * number would be another value. Null of an empty value, and where the unit is not known.
 */
export function unitError(
  { kind, unit }: TemplateField,
  { value, unit: enteredIn }: Pick<EntryInput, 'value' | 'unit'>,
): string | null {
  const isMeasured = kind === 'quantity' || kind === 'range';
  if (!isMeasured || value === '' || enteredIn === undefined || enteredIn === (unit?.code ?? null)) return null;
  const before = enteredIn === null ? 'without a unit' : `in ${enteredIn}`;
  return `${value} was entered ${before}. The form has ${unit ? unit.label : 'no unit'} now: enter it anew.`;
}

/** What is wrong with how a value is written, whatever it says: all that can be told of one that is still being typed. */
export function formatError(field: TemplateField, value: string): string | null {
  if (value === '') return null;
  switch (field.kind) {
    case 'quantity':
      return quantityError(field, value);
    case 'range':
      return readSpan(value) ? null : 'Enter two numbers with a dash between them.';
    case 'code':
      return field.options?.some(({ code }) => code === value) ? null : 'Choose one of the list.';
    case 'boolean':
      return value === 'yes' || value === 'no' ? null : 'Choose yes or no.';
    default:
      return null;
  }
}

function quantityError({ decimals }: TemplateField, value: string): string | null {
  const quantity = readQuantity(value);
  if (quantity === null) return 'Enter a number.';
  if (decimals === undefined || decimalPlaces(quantity.number) <= decimals) return null;
  return decimals === 0 ? 'Enter a whole number.' : `Digits after the point: ${decimals} at most.`;
}

/** A number that no patient has. Of `<0.5` and of a range each number is looked at. */
function limitError(field: TemplateField, value: string): string | null {
  const { absolute_low: low, absolute_high: high } = field;
  const wrong = numbersOf(field, value).find(
    (number) =>
      (low !== undefined && compareDecimals(number, low) < 0) ||
      (high !== undefined && compareDecimals(number, high) > 0),
  );
  if (wrong === undefined) return null;
  return `${wrong} can’t be right. Possible: ${formatAbsolute(field)}.`;
}

function numbersOf({ kind }: TemplateField, value: string): string[] {
  const span = kind === 'range' ? readSpan(value) : null;
  const parts = kind === 'quantity' ? [value] : span ? [span.from, span.to] : [];
  return parts.flatMap((part) => readQuantity(part)?.number ?? []);
}

/** What a patient can have at all, in words: `0 to 100 %`; empty where a form does not say it. */
export function formatAbsolute({ absolute_low: low, absolute_high: high, unit }: TemplateField): string {
  const label = unit?.label ?? '';
  // A score is written `of 15`, which says the upper limit already.
  const after = label === '' || unit?.code === '{score}' ? '' : ` ${label}`;
  if (low !== undefined && high !== undefined) return `${low} to ${high}${after}`;
  if (low !== undefined) return `${low}${after} or more`;
  return high === undefined ? '' : `${high}${after} or less`;
}

/**
 * What a value means: of a quantity and a range by the reference range that holds for the patient, of a code by the template. Null
 * where the template says nothing, or the value is none.
 */
export function interpret(field: TemplateField, value: string, subject: Subject): Interpretation | null {
  if (value === '' || entryError(field, value) !== null) return null;
  if (field.kind === 'code') return field.options?.find(({ code }) => code === value)?.interpretation ?? null;
  const range = rangeFor(field.ranges ?? [], subject);
  if (range === null) return null;
  if (field.kind === 'quantity') return flagQuantity(value, range);
  const span = field.kind === 'range' ? readSpan(value) : null;
  return span && graver(flagQuantity(span.from, range), flagQuantity(span.to, range));
}

/** True where the template's ranges or options say what a value means, and nobody chooses it. */
export function isInterpreted(field: TemplateField): boolean {
  if (field.kind === 'code') return (field.options ?? []).some(({ interpretation }) => interpretation);
  return (field.kind === 'quantity' || field.kind === 'range') && (field.ranges ?? []).length > 0;
}

/** An entry as it is kept: the value as entered, with what the template, or else who entered it, says that it means. */
export function toEntry(field: TemplateField, input: EntryInput, subject: Subject): Entry {
  const chosen = input.interpretation ?? null;
  return {
    field: field.code,
    value: input.value,
    interpretation: isInterpreted(field) ? interpret(field, input.value, subject) : chosen,
    comparison: input.comparison ?? null,
    ...(input.regions?.length ? { regions: input.regions } : {}),
  };
}

/** A field that differs between two reports; null on the side that has none. */
export interface EntryDifference {
  readonly field: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/** What changed from one report to another, in the order of the template's fields. */
export function differences(
  fields: readonly Pick<TemplateField, 'code'>[],
  before: readonly Entry[],
  after: readonly Entry[],
): EntryDifference[] {
  return fields.flatMap(({ code }) => {
    const [from, to] = [before, after].map((entries) => entries.find(({ field }) => field === code) ?? null);
    return isSame(from ?? null, to ?? null) ? [] : [{ field: code, before: from ?? null, after: to ?? null }];
  });
}

function isSame(a: Entry | null, b: Entry | null): boolean {
  const isAlike = a?.value === b?.value && a?.interpretation === b?.interpretation && a?.comparison === b?.comparison;
  return isAlike && isSameRegions(a?.regions, b?.regions);
}
