import type { UnitDayCondition, UnitDayStatus } from '@wardline/contract/census/census.ts';

/** What people do with a report. */
export type UnitDayAct = 'save' | 'submit' | 'withdraw' | 'return' | 'approve' | 'lock' | 'amend';

/** From which status an act leads to which. What is not here is refused. */
const MOVES: Readonly<Record<UnitDayAct, Partial<Record<UnitDayStatus, UnitDayStatus>>>> = {
  save: { draft: 'draft', returned: 'returned', amending: 'amending' },
  submit: { draft: 'submitted', returned: 'submitted', amending: 'submitted' },
  withdraw: { submitted: 'draft' },
  return: { submitted: 'returned' },
  approve: { submitted: 'approved' },
  lock: { approved: 'locked' },
  amend: { approved: 'amending', locked: 'amending' },
};

/** The status an act leads to, or null where it is not possible. */
export function afterAct(status: UnitDayStatus, act: UnitDayAct): UnitDayStatus | null {
  return MOVES[act][status] ?? null;
}

/** Handed in: counted in completeness, whatever becomes of it afterwards. */
export function isHandedIn(status: UnitDayStatus | null): boolean {
  return status === 'submitted' || status === 'approved' || status === 'locked' || status === 'amending';
}

/** How a report stands that is not handed in, in the one word that all pages use. */
export type Absence = 'returned' | 'missing' | 'not in yet';

/**
 * Before it is due a report is not in yet, from then on it is missing; what was returned was there and is neither. Null where
 * it is handed in.
 */
export function absenceOf({
  status,
  conditions,
}: {
  readonly status: UnitDayStatus | null;
  readonly conditions: readonly UnitDayCondition[];
}): Absence | null {
  if (isHandedIn(status)) return null;
  if (status === 'returned') return 'returned';
  return conditions.some((condition) => condition === 'late' || condition === 'missing') ? 'missing' : 'not in yet';
}
