import type { CensusAlert } from '@wardline/contract/census-board.ts';
import type { AlertRow } from './alert-queries.ts';

/** An alert as it is told: keys of the database stay inside. */
export function composeAlert({ facility_no, unit_no, ...alert }: AlertRow): CensusAlert {
  return {
    ...alert,
    raised_at: alert.raised_at.toISOString(),
    acknowledged_at: alert.acknowledged_at?.toISOString() ?? null,
    cleared_at: alert.cleared_at?.toISOString() ?? null,
  };
}
