import type { UnknownStay } from '@wardline/contract/census/feed.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { dayIn, timeIn } from '#/shared/time/zoned-time.ts';

interface Reading {
  /** The newest census date: of another year the year is said. */
  readonly newest: string;
  readonly zone: string;
}

const ENDS: Readonly<Record<'discharge' | 'death', string>> = { discharge: 'Discharge', death: 'Death' };

/** 'Discharge from MED 3A, Thu 19 Nov, 10:15, message R12.' */
export function unknownStaySentence(stay: UnknownStay, { newest, zone }: Reading): string {
  const at = Date.parse(stay.at);
  const from = stay.unit_code ?? 'an unknown unit';
  const what =
    stay.kind === 'transfer'
      ? `Transfer from ${from} to ${stay.to_unit_code ?? 'another unit'}`
      : `${ENDS[stay.kind]} ${stay.kind === 'death' ? 'in' : 'from'} ${from}`;
  const population = stay.population === 'newborn' ? ', newborn' : '';
  return `${what}${population}, ${shortDay(dayIn(zone, at), newest)}, ${timeIn(zone, at)}, message ${stay.control_id}.`;
}
