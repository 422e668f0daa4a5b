import {
  getHandover,
  type Handover,
  listHandoverSuggestions,
  listHandovers,
} from '@wardline/contract/examinations/handovers.ts';
import { useEffect, useEffectEvent } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { joinChat } from '#/shared/contexts/join-chat.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

const PAGE = 100;
const keyOf = (handoverId: string) => ['handover', handoverId];
const listKeyOf = (chatId: string) => ['handovers', chatId];
const suggestionsKeyOf = (chatId: string) => ['handover-suggestions', chatId];

/** A hand-over as it stands. */
export function useHandover(handoverId: string, isWanted = true) {
  const call = useCall();
  return useQuery({
    queryKey: keyOf(handoverId),
    queryFn: ({ signal }) => call(getHandover, { params: { handover: handoverId }, signal }),
    enabled: isWanted,
  });
}

/** The newest hand-overs of a chat: all of its cards ask once. */
export function useHandovers(chatId: string) {
  const call = useCall();
  return useQuery({
    queryKey: listKeyOf(chatId),
    queryFn: async ({ signal }) =>
      (await call(listHandovers, { params: { chat: chatId }, query: { limit: PAGE }, signal })).data,
  });
}

/** What a sheet can be drafted from now. */
export function useHandoverSuggestions(chatId: string) {
  const call = useCall();
  return useQuery({
    queryKey: suggestionsKeyOf(chatId),
    queryFn: ({ signal }) => call(listHandoverSuggestions, { params: { chat: chatId }, signal }),
  });
}

/** The answer to a change is how it stands now; the list of the chat is asked again. */
export function useKeepHandover(): (handover: Handover) => void {
  const queries = useQueryClient();
  return (handover) => {
    queries.setQueryData(keyOf(handover.id), handover);
    void queries.invalidateQueries({ queryKey: listKeyOf(handover.chat_id) });
  };
}

/** While it is shown: asks again for what changed in the chat, and for all of it after each time without a connection. */
export function useHandoverChanges(chatId: string): void {
  const realtime = useRealtime();
  const queries = useQueryClient();
  const refresh = useEffectEvent((handoverId: string | null) => {
    for (const queryKey of [listKeyOf(chatId), handoverId === null ? ['handover'] : keyOf(handoverId)])
      void queries.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    const events = { HandoverChanged: ({ handover_id }: { handover_id: string }) => refresh(handover_id) };
    return joinChat(realtime, chatId, { events, onAgain: () => refresh(null) });
  }, [realtime, chatId]);
}

/** While a sheet is written: what was drafted from the chat is compared with what it says by now. */
export function useSuggestionChanges(chatId: string): void {
  const realtime = useRealtime();
  const queries = useQueryClient();
  const refresh = useEffectEvent(() => void queries.invalidateQueries({ queryKey: suggestionsKeyOf(chatId) }));
  useEffect(() => {
    const onChange = () => refresh();
    const events = {
      ...{ ExaminationChanged: onChange, UrgentMessageChanged: onChange, MessagePinned: onChange },
      ...{ MessageEdited: onChange, MessageDeleted: onChange, MessageSent: onChange },
    };
    return joinChat(realtime, chatId, { events, onAgain: onChange });
  }, [realtime, chatId]);
}
