import { invalidField } from '#/platform/http/app-error.ts';

/** Refuses a period that ends before it begins, or is longer than so many months. */
export function requireMonths({ from, to }: { readonly from: string; readonly to: string }, max: number): void {
  const months = monthNumber(to) - monthNumber(from) + 1;
  if (months < 1) throw invalidField('to', 'The last month comes before the first.');
  if (months > max) throw invalidField('to', `At most ${max} months.`);
}

function monthNumber(month: string): number {
  const [year = 0, ofYear = 0] = month.split('-').map(Number);
  return year * 12 + ofYear;
}
