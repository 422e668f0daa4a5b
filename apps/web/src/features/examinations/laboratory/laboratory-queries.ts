import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import {
  getLaboratoryFeed,
  listLaboratoryMessages,
  listLaboratoryResults,
} from '@wardline/contract/examinations/laboratory.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

/** Those that a result could belong to. */
export type Chats = ReplyOf<typeof listLaboratoryResults>['chats'];

const keyOf = (facilityId: string) => ['laboratory', facilityId] as const;
/** Nothing tells of what comes: a page that stands open asks again. */
const AGAIN_MS = 60_000;

/** How the facility hears its laboratory. */
export function useLaboratoryFeed(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: keyOf(facilityId),
    queryFn: ({ signal }) => call(getLaboratoryFeed, { params: { facility: facilityId }, signal }),
  });
}

/** Results that wait for a person, or that were set aside, page by page. */
export function useLaboratoryResults(facilityId: string, state: 'unmatched' | 'set_aside') {
  const call = useCall();
  return usePages({
    queryKey: [...keyOf(facilityId), 'results', state],
    refetchInterval: AGAIN_MS,
    load: ({ query, signal }) =>
      call(listLaboratoryResults, { params: { facility: facilityId }, query: { state, ...query }, signal }),
  });
}

/** The messages that were taken, page by page. */
export function useLaboratoryMessages(facilityId: string) {
  const call = useCall();
  return usePages({
    queryKey: [...keyOf(facilityId), 'messages'],
    refetchInterval: AGAIN_MS,
    load: (asked) => call(listLaboratoryMessages, { params: { facility: facilityId }, ...asked }),
  });
}

/** Loads all of it anew. */
export function useRefreshLaboratory(facilityId: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(facilityId) });
}
