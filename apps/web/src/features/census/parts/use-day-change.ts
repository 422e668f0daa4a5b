import { useQueryClient } from '@tanstack/react-query';
import { ApiError, statusOf } from '@wardline/client/http/api-error.ts';
import type { FacilityDay } from '@wardline/contract/census-day.ts';
import { useCall } from '#/page/call-context.ts';
import { fetchDayAnew, useRefresh } from './summary-queries.ts';
import { whatChanged } from './what-changed.ts';

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
      const words = sentences.length > 0 ? sentences.join(' ') : 'The page shows it as it is now.';
      throw new ApiError(`Someone else changed this first. ${words} Check it, then try again.`, {
        status: 409,
        code: 'conflict',
      });
    }
    await refresh();
  };
}
