import type { PeriodKind } from '#/features/census/core/period/period.ts';

/** What can be put on paper. */
export const PRINT_KINDS = ['units', 'day', 'month', 'doh'] as const;
export type PrintKind = (typeof PRINT_KINDS)[number];

export const PRINT_TITLES: Readonly<Record<PrintKind, string>> = {
  units: 'Unit daily census',
  day: 'Facility daily census',
  month: 'Monthly compilation',
  doh: 'DOH statistical report',
};

/** A day is printed as sheets of a day, everything longer as a compilation; the DOH asks for months and years. */
export function printKindsFor(kind: PeriodKind): readonly PrintKind[] {
  return kind === 'day' ? ['units', 'day'] : ['month', 'doh'];
}

/** What the address asks to print; null for the page itself. */
export function readPrint(search: URLSearchParams): PrintKind | null {
  return PRINT_KINDS.find((kind) => kind === search.get('print')) ?? null;
}
