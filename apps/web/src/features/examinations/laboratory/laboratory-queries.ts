import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import {
  getLaboratoryFeed,
  listLaboratoryMessages,
  listLaboratoryResults,
} from '@wardline/contract/examinations/laboratory.ts';
import { useEffect, useEffectEvent } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
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

/** How many results wait, asked again while the dashboard stands open, and at once where somebody is called or the call is over. */
export function useWaitingResults(facilityId: string, userId: string) {
  const call = useCall();
  const realtime = useRealtime();
  const refresh = useEffectEvent(useRefreshLaboratory(facilityId));
  useEffect(() => {
    const joined = realtime?.join(userChannel, userId, {
      events: { UrgentCalled: () => void refresh(), UrgentChanged: () => void refresh() },
    });
    return () => joined?.leave();
  }, [realtime, userId]);
  return useQuery({
    queryKey: [...keyOf(facilityId), 'waiting'],
    queryFn: ({ signal }) => call(getLaboratoryFeed, { params: { facility: facilityId }, signal }),
    refetchInterval: AGAIN_MS,
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
