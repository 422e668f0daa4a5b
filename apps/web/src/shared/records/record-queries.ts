import { getChatRecord, getRetention, listLegalHolds, listUnexportedChats } from '@wardline/contract/chat/records.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { keepPreviousData, useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

const PAGE = 20;

export function useRetention(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: ['records', facilityId, 'retention'],
    queryFn: ({ signal }) => call(getRetention, { params: { facility: facilityId }, signal }),
  });
}

/** The legal holds that are in force, or those that were ended too, the newest first, page by page. */
export function useHolds(facilityId: string, state: 'open' | 'all') {
  const call = useCall();
  return usePages({
    queryKey: ['records', facilityId, 'holds', state],
    load: ({ query, signal }) =>
      call(listLegalHolds, { params: { facility: facilityId }, query: { limit: PAGE, state, ...query }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The chats that are old enough to be deleted and wait for their export. */
export function useUnexportedChats(facilityId: string) {
  const call = useCall();
  return usePages({
    queryKey: ['records', facilityId, 'unexported'],
    load: ({ query, signal }) =>
      call(listUnexportedChats, { params: { facility: facilityId }, query: { limit: PAGE, ...query }, signal }),
  });
}

export function useChatRecord({ id, facility_id }: { readonly id: string; readonly facility_id: string }) {
  const call = useCall();
  return useQuery({
    queryKey: ['records', facility_id, 'chat', id],
    queryFn: ({ signal }) => call(getChatRecord, { params: { chat: id }, signal }),
  });
}

/** After a change of rules or holds: everything that says how they stand. */
export function useRefreshRecords(facilityId: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['records', facilityId] });
}
