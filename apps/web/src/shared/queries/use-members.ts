import { listMembers } from '@wardline/contract/facilities/members.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from './use-pages.ts';
import { keepPreviousData } from './use-query.ts';

const PAGE = 50;

/** The members of a facility who have `q` in their name, title, roles or what they are on call for, page by page. */
export function useMembers(facilityId: string, q: string) {
  const call = useCall();
  return usePages({
    queryKey: ['members', facilityId, 'pages', q],
    load: ({ query, signal }) =>
      call(listMembers, {
        params: { facility: facilityId },
        query: { ...query, limit: PAGE, ...(q ? { q } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
