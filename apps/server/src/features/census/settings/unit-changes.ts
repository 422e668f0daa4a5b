import { isCalendarDate } from '@wardline/census/calendar.ts';
import { counted } from '@wardline/format/counts.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { countLeft, findReported, type UnitColumns } from './settings-queries.ts';

interface Change {
  readonly place: FacilityConfig;
  readonly unitNo: number;
  readonly standing: UnitColumns;
  readonly next: UnitColumns;
  readonly lastSigned: string | null;
}

/**
 * What a unit reported stays expected of it, and what was signed neither waits for more nor comes to other figures: populations,
 * the census, occupancy and the dates of a unit change for days to come.
 */
export async function mustKeepReports(tx: Transaction, change: Change): Promise<void> {
  const { place, next, standing, unitNo, lastSigned } = change;
  mustBeDates(next);
  const reported = await findReported(tx, unitNo);
  if (standing.counts_in_census && !next.counts_in_census && reported.length > 0) {
    throw invalidField('counts_in_census', 'The unit has reported. Close it with a last day instead.');
  }
  const isSigned = lastSigned !== null && reported.some(({ first }) => first <= lastSigned);
  if (isSigned && standing.counts_in_occupancy !== next.counts_in_occupancy) {
    throw invalidField('counts_in_occupancy', 'Signed days hold its reports. Close the unit with a last day instead.');
  }
  if (reported.some((row) => !next.populations.includes(row.population))) {
    throw invalidField('populations', 'The unit has reports of this population, so it can’t be removed.');
  }
  for (const { first, last } of reported) {
    if (next.active_from !== null && next.active_from > first) {
      throw invalidField('active_from', `The unit has a report of ${formatDay(first, place)}.`);
    }
    if (next.active_to !== null && next.active_to < last) {
      throw invalidField('active_to', `The unit has a report of ${formatDay(last, place)}.`);
    }
  }
  await mustBeEmpty(tx, change);
  mustNotReachSigned(change);
}

/** A day to come may be the last while patients are there: the report of that day is handed in once nobody is left. */
async function mustBeEmpty(tx: Transaction, { place, unitNo, standing, next }: Change): Promise<void> {
  if (next.active_to === null || next.active_to === standing.active_to) return;
  const left = await countLeft(tx, unitNo, next.active_to);
  if (left === 0) return;
  const patients = counted(left, 'patient');
  const message = `The unit has ${patients} at the end of ${formatDay(next.active_to, place)}. Correct that report, or choose a later day.`;
  throw invalidField('active_to', message);
}

function mustBeDates({ active_from, active_to }: UnitColumns): void {
  if (active_from !== null && !isCalendarDate(active_from)) throw invalidField('active_from', 'This is not a date.');
  if (active_to !== null && !isCalendarDate(active_to)) throw invalidField('active_to', 'This is not a date.');
  if (active_from !== null && active_to !== null && active_to < active_from) {
    throw invalidField('active_to', 'The unit closes before it opens.');
  }
}

/** A unit cannot be opened for days that are signed without it. */
function mustNotReachSigned({ place, standing, next, lastSigned }: Change): void {
  if (lastSigned === null) return;
  const first = next.active_from ?? '';
  const opensEarlier = standing.active_from !== null && first < standing.active_from;
  const beginsToCount = next.counts_in_census && !standing.counts_in_census;
  if ((opensEarlier || beginsToCount) && first <= lastSigned) {
    throw invalidField('active_from', `Days up to ${formatDay(lastSigned, place)} are signed without the unit.`);
  }
  const closedOn = standing.active_to;
  if (closedOn !== null && closedOn < lastSigned && (next.active_to === null || next.active_to > closedOn)) {
    throw invalidField('active_to', `Days up to ${formatDay(lastSigned, place)} are signed without the unit.`);
  }
}
