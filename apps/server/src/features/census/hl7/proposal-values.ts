import { FEED_FIELDS, type FeedField } from '@wardline/contract/census/census.ts';
import type { ProposedCount } from '@wardline/contract/census/unit.ts';

type Values = Partial<Record<FeedField, number>>;

/** Counts by name, as the database and the log keep them. */
export function proposalValues(counts: readonly ProposedCount[]): { signed: Values; told: Values } {
  return {
    signed: Object.fromEntries(counts.map(({ field, signed }) => [field, signed])),
    told: Object.fromEntries(counts.map(({ field, told }) => [field, told])),
  };
}

/** The same as a list, in the order of the report. */
export function proposedCounts(signed: Values, told: Values): ProposedCount[] {
  return FEED_FIELDS.flatMap((field) => {
    const [was, is] = [signed[field], told[field]];
    return was === undefined || is === undefined ? [] : [{ field, signed: was, told: is }];
  });
}
