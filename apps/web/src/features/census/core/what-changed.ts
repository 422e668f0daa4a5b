import type { FacilityDay } from '@wardline/contract/census-day.ts';
import { countWords } from './format-figure.ts';
import { REPORT_STATES } from './report-states.ts';

/** What is not as it was, for the person whose act met another's: one sentence each. */
export function whatChanged(before: FacilityDay, after: FacilityDay): string[] {
  const sentences = before.status === after.status ? [] : [`The day is ${DAY_STATES[after.status]} now.`];
  for (const unit of after.units) {
    const old = before.units.find((other) => other.unit_id === unit.unit_id && other.class === unit.class);
    if (!old || old.version === unit.version) continue;
    const name = unit.class === 'newborn' ? `${unit.unit_code}, newborn,` : unit.unit_code;
    const parts = [
      ...(old.status === unit.status ? [] : [`is ${REPORT_STATES[unit.status ?? 'draft']} now`]),
      ...(old.closing === unit.closing
        ? []
        : [`closes with ${countWords(unit.closing)} instead of ${countWords(old.closing)}`]),
    ];
    sentences.push(parts.length === 0 ? `${name} was changed.` : `${name} ${parts.join(' and ')}.`);
  }
  return sentences;
}

const DAY_STATES: Readonly<Record<FacilityDay['status'], string>> = {
  open: 'open',
  approved: 'signed',
  locked: 'locked',
  reopened: 'reopened',
};
