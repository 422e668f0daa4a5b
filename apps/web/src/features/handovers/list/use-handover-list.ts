import { isTemporary } from '@wardline/client/http/api-error.ts';
import { type ChatChanged, userChannel } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { listUnitHandovers, NO_UNIT } from '@wardline/contract/examinations/handovers.ts';
import { useEffect, useEffectEvent } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { refetchInTurn } from '#/shared/queries/refetch-in-turn.ts';
import { type PageAsked, usePages } from '#/shared/queries/use-pages.ts';
import { type InfiniteData, keepPreviousData, useQueryClient } from '#/shared/queries/use-query.ts';
import { forgetList, keepList, readList } from './kept-list.ts';

export interface HandoverListPage extends ReplyOf<typeof listUnitHandovers> {
  /** As this device kept it, since there was no answer. */
  readonly isKept?: true;
}

/** As the address has it: which unit, and since when; what it leaves out the server chooses. */
export interface ListAsked {
  readonly facilityId: string;
  readonly unit: string | null;
  readonly since: string | null;
}

const PAGE = 100;

const keyOf = ({ facilityId, unit, since }: ListAsked) => ['handover-list', facilityId, unit, since];

/**
 * The patients of a unit with their hand-overs. A further page is of the unit and the time that the first was of. Without an answer it
 * is the list that this device kept, where it was of the same unit and of the shift of then.
 */
export function useHandoverList(asked: ListAsked) {
  const call = useCall();
  const { store } = useDevice();
  const queries = useQueryClient();
  const queryKey = keyOf(asked);
  const { facilityId } = asked;
  const held = () => queries.getQueryData<InfiniteData<HandoverListPage>>(queryKey)?.pages[0];
  const ask = ({ query, signal }: PageAsked) => {
    const first = query.cursor === undefined ? undefined : held();
    const unit = first ? (first.unit_id ?? NO_UNIT) : asked.unit;
    const since = first ? first.since : asked.since;
    return call(listUnitHandovers, {
      ...{ params: { facility: facilityId }, signal },
      query: { ...query, limit: PAGE, ...(unit !== null && { unit }), ...(since !== null && { since }) },
    });
  };
  return usePages<HandoverListPage>({
    queryKey,
    placeholderData: keepPreviousData,
    // Without a network the device answers.
    networkMode: 'always',
    async load(wanted) {
      const isKeptOne = wanted.query.cursor === undefined && asked.since === null;
      try {
        const page = await ask(wanted);
        if (isKeptOne) await keepList(store, facilityId, page);
        return page;
      } catch (error) {
        if (!isTemporary(error)) await forgetList(store, facilityId);
        // What is in view is newer than what was kept, or the same.
        const kept = isTemporary(error) && isKeptOne && !held() ? await readList(store, facilityId, asked.unit) : null;
        if (!kept) throw error;
        return { ...kept, isKept: true };
      }
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
