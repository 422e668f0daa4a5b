import type { SummedField } from '@wardline/contract/census/census.ts';
import { formatWeekday } from '@wardline/format/periods.ts';
import type { CensusDate } from '../calendar.ts';
import { labelOf } from '../rules.ts';

/** Between which numbers a count of a unit usually lies, both included. */
export interface UsualRange {
  readonly least: number;
  readonly most: number;
}

/** A count that is not what is usual. */
export interface UnusualCount extends UsualRange {
  readonly field: SummedField;
  readonly count: number;
}

/** How many dates of the same weekday are looked back at: half a year. */
export const USUAL_WEEKS = 26;
/** With fewer there is nothing that could be called usual. */
export const LEAST_HISTORY = 8;

/** So many spreads from the middle are usual. */
const SPREADS = 3;
/** Makes the median absolute deviation of a normal distribution its standard deviation. */
const TO_SIGMA = 1.4826;

/**
 * The usual range of a count, from what the unit reported on dates of one weekday: median ± 3 × 1.4826 × MAD, in whole numbers,
 * never below 0. The median and its absolute deviation do not follow a few odd days, as mean and standard deviation would
 * (Leys et al. 2013, J Exp Soc Psychol 49:764, whose 3 is the most cautious of three). Where most days are alike the deviation
 * is 0, so the range is at least the root of the median, as a Poisson count spreads, and at least 1, to either side.
 * Null with fewer than 8 numbers.
 */
export function usualRange(history: readonly number[]): UsualRange | null {
  if (history.length < LEAST_HISTORY) return null;
  const middle = median(history);
  const deviation = median(history.map((count) => Math.abs(count - middle)));
  const spread = Math.max(SPREADS * TO_SIGMA * deviation, Math.sqrt(middle), 1);
  return { least: Math.max(0, Math.ceil(middle - spread)), most: Math.floor(middle + spread) };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}

/** The counts that lie outside what is usual, in the order of the report; what is not given or has no history is not asked. */
export function unusualCounts(
  counts: Readonly<Partial<Record<SummedField, number | null>>>,
  usual: Readonly<Partial<Record<SummedField, UsualRange | null>>> | null | undefined,
): UnusualCount[] {
  const ranges = Object.entries(usual ?? {}) as [SummedField, UsualRange | null][];
  return ranges.flatMap(([field, range]) => {
    const count = counts[field] ?? null;
    if (range === null || count === null || (count >= range.least && count <= range.most)) return [];
    return [{ field, count, ...range }];
  });
}

/** 'Deaths 3: usually 0 to 1 on Saturdays.' */
export function formatUnusual({ field, count, least, most }: UnusualCount, date: CensusDate): string {
  const range = least === most ? String(least) : `${least} to ${most}`;
  return `${labelOf(field)} ${count}: usually ${range} on ${formatWeekday(date)}s.`;
}
