import { type ChatChanged, userChannel } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { listUnitHandovers, NO_UNIT } from '@wardline/contract/examinations/handovers.ts';
import { useEffect, useEffectEvent } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { refetchInTurn } from '#/shared/queries/refetch-in-turn.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { type InfiniteData, keepPreviousData, useQueryClient } from '#/shared/queries/use-query.ts';

export type HandoverListPage = ReplyOf<typeof listUnitHandovers>;

/** As the address has it: which unit, and since when; what it leaves out the server chooses. */
export interface ListAsked {
  readonly facilityId: string;
  readonly unit: string | null;
  readonly since: string | null;
}

const PAGE = 100;

const keyOf = ({ facilityId, unit, since }: ListAsked) => ['handover-list', facilityId, unit, since];

/** The patients of a unit with their hand-overs. A further page is of the unit and the time that the first was of. */
export function useHandoverList(asked: ListAsked) {
  const call = useCall();
  const queries = useQueryClient();
  const queryKey = keyOf(asked);
  const params = { facility: asked.facilityId };
  return usePages<HandoverListPage>({
    queryKey,
    placeholderData: keepPreviousData,
    load: ({ query, signal }) => {
      const first = queries.getQueryData<InfiniteData<HandoverListPage>>(queryKey)?.pages[0];
      const isFurther = query.cursor !== undefined && first !== undefined;
      const unit = isFurther ? (first.unit_id ?? NO_UNIT) : asked.unit;
      const since = isFurther ? first.since : asked.since;
      return call(listUnitHandovers, {
        ...{ params, signal },
        query: { ...query, limit: PAGE, ...(unit !== null && { unit }), ...(since !== null && { since }) },
      });
    },
  });
}

/**
 * While it is shown: asks again when somebody hands over, receives or ticks off, when a patient comes, goes or moves, and when something
 * urgent begins or ends; and for all of it after each time without a connection.
 */
export function useHandoverListChanges(userId: string, asked: ListAsked, pages: readonly HandoverListPage[]): void {
  const realtime = useRealtime();
  const queries = useQueryClient();
  const refresh = useEffectEvent(() => {
    const queryKey = keyOf(asked);
    for (const query of queries.getQueryCache().findAll({ queryKey, exact: true })) void refetchInTurn(queries, query);
  });
  const onChat = useEffectEvent(({ facility_id, chat_id, last_message, urgent_count = 0 }: ChatChanged) => {
    if (facility_id !== asked.facilityId) return;
    const row = pages.flatMap(({ data }) => data).find((one) => one.chat_id === chat_id);
    const isUrgentOther = row !== undefined && row.urgent + row.critical !== urgent_count;
    // What people write is none of the list.
    if (last_message?.kind === 'system' || isUrgentOther) refresh();
  });
  useEffect(() => {
    const joined = realtime?.join(userChannel, userId, {
      events: {
        HandoverChanged: () => refresh(),
        MembershipChanged: () => refresh(),
        ChatChanged: (changed) => onChat(changed),
      },
      onSubscribed: () => refresh(),
    });
    return () => joined?.leave();
  }, [realtime, userId]);
}
