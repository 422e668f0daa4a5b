import { listMembers } from '@wardline/contract/members.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { keepPreviousData, useInfiniteQuery } from './use-query.ts';

const PAGE = 50;

/** The members of a facility who have `q` in their name, title, roles or what they are on call for, page by page. */
export function useMembers(facilityId: string, q: string) {
  const call = useCall();
  return useInfiniteQuery({
    queryKey: ['members', facilityId, 'pages', q],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(listMembers, {
        params: { facility: facilityId },
        query: { limit: PAGE, ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
}
