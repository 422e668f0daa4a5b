import type * as contract from '@wardline/contract/census/logs.ts';
import type { QueryOf } from '@wardline/contract/endpoint.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { LogFilter } from './log-read-queries.ts';

/** What somebody asked the log to be narrowed to. */
export type GivenFilter = Omit<QueryOf<typeof contract.listCensusLog>, 'cursor' | 'limit'>;

export function toLogFilter({ q = '', ...filter }: GivenFilter): LogFilter {
  for (const field of ['from', 'to'] as const) {
    if (filter[field] !== undefined && filter[field] < '0001') throw invalidField(field, 'This day is out of range.');
  }
  // Underscores are spaces where words are searched: 'late_slip' is found by 'late slip'.
  return { ...filter, text: q.replaceAll('_', ' ').split(/\s+/).filter(Boolean) };
}

/** The same as the log keeps it; null where it was narrowed to nothing. */
export function writtenFilter(given: GivenFilter): Record<string, unknown> | null {
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  return said.length === 0 ? null : Object.fromEntries(said);
}
