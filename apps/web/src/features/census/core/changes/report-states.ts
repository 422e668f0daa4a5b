import type { UnitDayStatus } from '@wardline/contract/census/census.ts';

/** How a report stands, as it is said in a sentence: 'is being corrected'. */
export const REPORT_STATES: Readonly<Record<UnitDayStatus, string>> = {
  draft: 'a draft',
  submitted: 'submitted',
  returned: 'returned',
  approved: 'approved',
  locked: 'locked',
  amending: 'being corrected',
};
