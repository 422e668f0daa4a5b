import { absenceOf } from '@wardline/census/states.ts';
import type { BoardUnit } from '@wardline/contract/census/board.ts';
import { formatPercent } from '@wardline/format/numbers.ts';
import { formatMinutesAgo } from '@wardline/format/times.ts';
import type { Board } from '#/features/census/core/ask-board.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { isAtMidnight } from '#/features/census/core/report-labels.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { freeBeds, occupancyOf } from './board-figures.ts';

const minuteMs = 60_000;

/** When somebody counted: `2 min ago` under an hour, then the time, with the day when it is another one. */
export function formatAgo(instant: string, now: number, zone: string): string {
  const at = Date.parse(instant);
  const past = now - at;
  if (past < minuteMs) return 'just now';
  if (past < 60 * minuteMs) return formatMinutesAgo(past);
  return formatClock(zone, at, now);
}

/** `Counted 2 min ago`, `Counted, end of Sat 21 Nov`: the hour of a count at midnight would read as a day's start. */
export function formatCounted(unit: Pick<BoardUnit, 'basis' | 'counted_at'>, board: Board, now: number): string | null {
  if (unit.counted_at === null) return null;
  if (unit.basis === 'snapshot') return `Seen ${formatAgo(unit.counted_at, now, board.time_zone)}`;
  return isAtMidnight(board)
    ? `Counted, end of ${shortDay(board.census_date, dayIn(board.time_zone, now))}`
    : `Counted ${formatAgo(unit.counted_at, now, board.time_zone)}`;
}

/** Of another day than the board's: `as of Wed 18 Nov`. */
export function formatLastKnown({ census_date }: NonNullable<BoardUnit['last_known']>, board: Board): string {
  return `as of ${shortDay(census_date, board.census_date)}`;
}

/** How a unit's report stands, in a word. */
export function statusWord(unit: Pick<BoardUnit, 'status' | 'conditions'>): string {
  if (absenceOf(unit) === 'missing') return 'Missing';
  switch (unit.status) {
    case 'submitted':
      return 'Submitted';
    case 'approved':
      return 'Approved';
    case 'locked':
      return 'Locked';
    case 'amending':
      return 'Being corrected';
    case 'returned':
      return 'Returned';
    case 'draft':
      return 'Draft';
    case null:
      return 'Not in yet';
  }
}

/** What the beds of a unit are called. */
export function bedsWord({ population: name }: Pick<BoardUnit, 'population'>): string {
  return name === 'newborn' ? 'bassinets' : 'staffed';
}

/** The bar of a unit in words. */
export function formatBar(unit: BoardUnit): string {
  const { occupied, beds } = unit;
  const kind = unit.population === 'newborn' ? 'bassinets' : 'staffed beds';
  if (occupied === null) return `Not counted, ${beds.staffed} ${kind}`;
  const share = occupancyOf(unit);
  const parts = [
    `${occupied} of ${beds.staffed} ${kind} occupied`,
    `${beds.blocked} blocked`,
    `${freeBeds(unit)} free`,
  ];
  return share === null ? parts.join(', ') : `${parts.join(', ')}, ${formatPercent(share)}`;
}

/** `Ana Reyes`, `Ana Reyes or Leila Haddad`, `3 people`; null where nobody reports for the unit. */
export function formatReporter(people: BoardUnit['people']): string | null {
  const [first, second] = people;
  if (!first) return null;
  if (people.length > 2) return `${people.length} people`;
  return second ? `${first.name} or ${second.name}` : first.name;
}
