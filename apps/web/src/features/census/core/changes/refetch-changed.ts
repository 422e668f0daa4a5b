import type { CensusChanged } from '@wardline/contract/census/census.ts';
import { refetchInTurn } from '#/shared/queries/refetch-in-turn.ts';
import type { QueryClient, QueryKey } from '#/shared/queries/use-query.ts';

/** Null where anything may have changed. */
export type HeardChange = CensusChanged | null;

interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** Whether something of these dates may have changed. */
export function isTouched(change: HeardChange, { from, to }: DateRange): boolean {
  if (change === null) return true;
  const { census_date: first, to_date: last = first } = change;
  return first <= to && from <= last;
}

interface Changed {
  readonly queryKey: QueryKey;
  readonly change: HeardChange;
  /** Whether a draft is shown there that nobody has handed in. */
  readonly showsDrafts?: boolean;
}

/**
 * Loads anew what is shown under a key, but for queries whose key ends with dates of which nothing changed. Each is loaded at
 * most once a second, and what is on its way is not aborted: its answer may be older than the change, so it is asked once more.
 */
export function refetchChanged(queries: QueryClient, { queryKey, change, showsDrafts = false }: Changed): void {
  if (change?.is_draft && !showsDrafts) return;
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const dates = datesOf(query.queryKey);
    if (dates === null || isTouched(change, dates)) void refetchInTurn(queries, query);
  }
}

function datesOf(key: QueryKey): DateRange | null {
  const last = key.at(-1);
  if (typeof last !== 'object' || last === null || !('from' in last) || !('to' in last)) return null;
  const { from, to } = last;
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : null;
}
