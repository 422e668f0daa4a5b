import type { PatientSex, ReferenceRange } from '@wardline/contract/examinations/examinations.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';
import { dayOfAge } from './age.ts';
import { compareDecimals, isDecimal } from './decimal.ts';

/** Whose value it is, and when it was taken; what is not known is null. */
export interface Subject {
  readonly sex: PatientSex | null;
  /** YYYY-MM-DD. */
  readonly bornOn: string | null;
  /** The calendar day of the examination, YYYY-MM-DD. */
  readonly day: string;
}

/**
 * The first range that holds for the patient. Null where there is none, or where which one holds hangs on something that is not
 * known of the patient: a range of somebody else is worse than none.
 */
export function rangeFor(ranges: readonly ReferenceRange[], subject: Subject): ReferenceRange | null {
  for (const range of ranges) {
    const holds = rangeHolds(range, subject);
    if (holds === null) return null;
    if (holds) return range;
  }
  return null;
}

/** Null where it cannot be said. */
function rangeHolds(range: ReferenceRange, { sex, bornOn, day }: Subject): boolean | null {
  if (range.sex && sex !== null && range.sex !== sex) return false;
  const hasAge = range.age_from !== undefined || range.age_to !== undefined;
  if (hasAge && bornOn !== null) {
    if (range.age_from && day < dayOfAge(bornOn, range.age_from)) return false;
    if (range.age_to && day >= dayOfAge(bornOn, range.age_to)) return false;
  }
  return (range.sex && sex === null) || (hasAge && bornOn === null) ? null : true;
}

const QUANTITY = /^([<>]?)\s*(.+)$/;

/** A quantity as it is entered: a decimal, after `<` or `>` where only a limit is known. Null where the text is none. */
export function readQuantity(text: string): { comparator: '<' | '>' | null; number: string } | null {
  const [, sign, number = ''] = QUANTITY.exec(text.trim()) ?? [];
  if (!isDecimal(number)) return null;
  return { comparator: sign === '<' || sign === '>' ? sign : null, number };
}

/**
 * What an entered quantity is against a range: N within it, its limits included; L and H beside it; LL and HH from a critical limit on.
 * Of `<0.5` and `>40` it says what holds for all that they may be. Null where nothing can be said. Never calculated in binary fractions.
 */
export function flagQuantity(text: string, range: ReferenceRange): Interpretation | null {
  const quantity = readQuantity(text);
  if (quantity === null) return null;
  const { comparator, number } = quantity;
  const isAtMost = (limit: string | undefined) => limit !== undefined && compareDecimals(number, limit) <= 0;
  const isAtLeast = (limit: string | undefined) => limit !== undefined && compareDecimals(number, limit) >= 0;
  if (comparator === '<') return isAtMost(range.critical_low) ? 'LL' : flagAtMost(range, isAtMost);
  if (comparator === '>') return isAtLeast(range.critical_high) ? 'HH' : flagAtLeast(range, isAtLeast);
  if (isAtMost(range.critical_low)) return 'LL';
  if (isAtLeast(range.critical_high)) return 'HH';
  if (range.low !== undefined && !isAtLeast(range.low)) return 'L';
  if (range.high !== undefined && !isAtMost(range.high)) return 'H';
  return range.low === undefined && range.high === undefined ? null : 'N';
}

type Compare = (limit: string | undefined) => boolean;

function flagAtMost({ low, high }: ReferenceRange, isAtMost: Compare): Interpretation | null {
  if (isAtMost(low)) return 'L';
  return low === undefined && isAtMost(high) ? 'N' : null;
}

function flagAtLeast({ low, high }: ReferenceRange, isAtLeast: Compare): Interpretation | null {
  if (isAtLeast(high)) return 'H';
  return high === undefined && isAtLeast(low) ? 'N' : null;
}

const SEVERITY: Readonly<Record<Interpretation, number>> = {
  ...{ LL: 3, HH: 3, AA: 3, L: 2, H: 2, A: 2, POS: 2, IND: 1, NEG: 0, N: 0 },
};

/** True for a finding that somebody must be told of at once. */
export function isCritical(interpretation: Interpretation | null): boolean {
  return interpretation === 'LL' || interpretation === 'HH' || interpretation === 'AA';
}

/** The graver of two interpretations, the first where they are as grave. */
export function graver(a: Interpretation | null, b: Interpretation | null): Interpretation | null {
  if (a === null || b === null) return a ?? b;
  return SEVERITY[b] > SEVERITY[a] ? b : a;
}
