import { userChannel } from '@wardline/contract/chat/chat.ts';
import { listUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { useEffect, useEffectEvent } from 'react';
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
