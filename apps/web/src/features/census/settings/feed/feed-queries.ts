import { getCensusFeed, listRefusedMessages } from '@wardline/contract/census/feed.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { keepPreviousData, useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

const keyOf = (facilityId: string) => ['census-feed', facilityId] as const;

/** How the facility stands with its patient system, by the units of this version of its settings. */
export function useFeed(facilityId: string, version: number) {
  const call = useCall();
  return useQuery({
    queryKey: [...keyOf(facilityId), version],
    queryFn: ({ signal }) => call(getCensusFeed, { params: { facility: facilityId }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The messages that were refused, page by page. */
export function useRefusedMessages(facilityId: string) {
  const call = useCall();
  return usePages({
    queryKey: [...keyOf(facilityId), 'refused'],
    load: (asked) => call(listRefusedMessages, { params: { facility: facilityId }, ...asked }),
  });
}

/** Loads all of it anew. */
export function useRefreshFeed(facilityId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(facilityId) });
}
