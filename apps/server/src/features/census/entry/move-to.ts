import { afterAct, type UnitDayAct } from '@wardline/census/states.ts';
import type { UnitDayStatus } from '@wardline/contract/census.ts';
import { brokenRule } from '../broken-rules.ts';
import { dayWords } from '../day-words.ts';
import type { UnitDayFacts } from './unit-day-facts.ts';

const WORDS: Readonly<Record<UnitDayStatus, string>> = {
  draft: 'a draft',
  submitted: 'submitted',
  returned: 'returned',
  approved: 'approved',
  locked: 'locked',
  amending: 'being corrected',
};

/** Where an act leads from here; refused where it leads nowhere (CEN-R12 for what is locked). */
export function moveTo({ report, key }: UnitDayFacts, act: UnitDayAct): UnitDayStatus {
  const status = report?.status ?? 'draft';
  const next = afterAct(status, act);
  if (next) return next;
  const said = `The report of ${dayWords(key.date)} is ${WORDS[status]}`;
  if (status === 'locked') {
    throw brokenRule({ code: 'LOCKED', field: null, message: `${said}. It must be opened for a correction first.` });
  }
  throw brokenRule({ code: 'WRONG_STATUS', field: null, message: `${said}; that is not possible now.` });
}
