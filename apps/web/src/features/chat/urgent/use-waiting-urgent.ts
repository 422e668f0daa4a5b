import { userChannel } from '@wardline/contract/chat/chat.ts';
import { listUrgent, noteUrgentDelivered, type WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

const KEY = 'urgent';
const LIMIT = 20;

/** What waits for me, or of mine for others. Asked again when one's own channel says that something changed. */
export function useWaitingUrgent(of: 'me' | 'others') {
  const call = useCall();
  // What changes the list of chats while the channel was away changes this too.
  const heads = useChats().items.flatMap(({ chat }) => (chat.urgent_count ? [`${chat.id} ${chat.head_seq}`] : []));
  return useQuery({
    queryKey: [KEY, of, heads.join()],
    queryFn: ({ signal }) => call(listUrgent, { query: { of, limit: LIMIT }, signal }),
    placeholderData: (before) => before,
  });
}

/** Asks again for what waits. */
export function useRefreshUrgent(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [KEY] });
}

/** Tells that this device shows what calls me, also where its chat is not opened: its sender sees that it is on a device (URG-1). */
export function useNoteDelivered(waiting: readonly WaitingUrgent[], answeredAt: number): void {
  const call = useCall();
  const told = useRef(new Set<string>());
  const note = useEffectEvent((message: string, chat: string) => {
    if (told.current.has(message)) return;
    told.current.add(message);
    // Where it does not arrive it is told with the next answer.
    call(noteUrgentDelivered, { params: { chat, message } }).catch(() => told.current.delete(message));
  });
  useEffect(() => {
    if (answeredAt === 0) return;
    for (const { message_id, chat_id, is_delivered } of waiting) if (is_delivered === false) note(message_id, chat_id);
  }, [waiting, answeredAt]);
}

/** Hears that what waits has changed. */
export function useUrgentChanges(userId: string): void {
  const realtime = useRealtime();
  const refresh = useEffectEvent(useRefreshUrgent());
  useEffect(() => {
    const joined = realtime?.join(userChannel, userId, {
      events: { UrgentCalled: () => void refresh(), UrgentChanged: () => void refresh() },
      onSubscribed: () => void refresh(),
    });
    return () => joined?.leave();
  }, [realtime, userId]);
}
