import { ApiError, statusOf } from '@wardline/client/http/api-error.ts';
import type { FacilityDay } from '@wardline/contract/census/day.ts';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { REPORT_STATES } from './report-states.ts';
import { fetchDayAnew, useRefresh } from './summary-queries.ts';

/** What is not as it was, for the person whose act met another's: one sentence each. */
function whatChanged(before: FacilityDay, after: FacilityDay): string[] {
  const sentences = before.status === after.status ? [] : [`The day is ${DAY_STATES[after.status]} now.`];
  for (const unit of after.units) {
    const old = before.units.find((other) => other.unit_id === unit.unit_id && other.population === unit.population);
    if (!old || old.version === unit.version) continue;
    const name = unit.population === 'newborn' ? `${unit.unit_code}, newborn,` : unit.unit_code;
    const parts = [
      ...(old.status === unit.status ? [] : [`is ${REPORT_STATES[unit.status ?? 'draft']} now`]),
      ...(old.closing === unit.closing
        ? []
        : [`closes with ${formatCount(unit.closing)} instead of ${formatCount(old.closing)}`]),
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

/**
 * Does something to a day or one of its reports and shows it as it is then. Where somebody else was faster (409) it says what
 * they changed, and the page shows that.
 */
export function useDayChange(day: FacilityDay): (work: () => Promise<unknown>) => Promise<void> {
  const call = useCall();
  const queries = useQueryClient();
  const refresh = useRefresh(day.facility_id);
  return async (work) => {
    try {
      await work();
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
      const now = await fetchDayAnew(queries, call, day);
      const sentences = whatChanged(day, now);
      const text = sentences.length > 0 ? sentences.join(' ') : 'The page shows it as it is now.';
      throw new ApiError(`Someone else changed this first. ${text} Check it, then try again.`, {
        status: 409,
        code: 'conflict',
      });
    }
    await refresh();
  };
}
