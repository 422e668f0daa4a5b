import type { Bands } from '@wardline/contract/census-facility.ts';
import type { CensusFacility } from './current-config-queries.ts';

/** How full is too full in this facility. */
export function bandsOf(facility: Pick<CensusFacility, 'target_percent' | 'high_percent' | 'full_percent'>): Bands {
  return { target: facility.target_percent, high: facility.high_percent, full: facility.full_percent };
}
