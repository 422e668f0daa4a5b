import { useInfiniteQuery } from '@tanstack/react-query';
import { listProposals } from '@wardline/contract/census-proposals.ts';
import { summaryKey } from '#/features/census/core/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';

/** The proposed corrections of a facility that nobody has answered, page by page; fresh with the rest of the summary. */
export function useProposals(facilityId: string) {
  const call = useCall();
  return useInfiniteQuery({
    queryKey: [...summaryKey(facilityId), 'proposals'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(listProposals, {
        params: { facility: facilityId },
        query: pageParam === '' ? {} : { cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}
