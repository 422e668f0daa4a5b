import type { PresenceChanged } from '@wardline/contract/facilities/facilities.ts';
import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import { listPresence, MOST_PRESENCES, type Presence } from '@wardline/contract/facilities/presence.ts';
import { useEffect } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { type QueryClient, useQueryClient, useQueryList } from '#/shared/queries/use-query.ts';

const EVERY_MS = 5 * 60_000;
/** A shift that changes is heard by all who show somebody: they ask within these, and once for several changes. */
const SPREAD_MS = { least: 1_000, most: 6_000 };

const presenceKey = (facilityId: string) => ['presence', facilityId];

/**
 * Who of these people of a facility is there. Asked for on opening and every five minutes, a hundred at a time; in between
 * what somebody says of themselves arrives as an event that nobody needs to ask about.
 */
export function usePresences(facilityId: string, userIds: readonly string[]): ReadonlyMap<string, Presence> {
  const call = useCall();
  useLivePresence(facilityId);
  const answers = useQueryList({
    queries: inChunks(userIds).map((people) => ({
      queryKey: [...presenceKey(facilityId), ...people],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call(listPresence, { params: { facility: facilityId }, query: { people: people.join(',') }, signal }),
      refetchInterval: EVERY_MS,
      retry: false,
    })),
  });
  return new Map(answers.flatMap(({ data }) => data?.data ?? []).map((presence) => [presence.user_id, presence]));
}

function inChunks(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / MOST_PRESENCES);
  return Array.from({ length: count }, (_, index) => ids.slice(index * MOST_PRESENCES, (index + 1) * MOST_PRESENCES));
}

function useLivePresence(facilityId: string): void {
  const realtime = useRealtime();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasListened = false;
    const ask = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          void queries.invalidateQueries({ queryKey: presenceKey(facilityId) });
        },
        SPREAD_MS.least + Math.random() * (SPREAD_MS.most - SPREAD_MS.least),
      );
    };
    const joined = realtime?.join(facilityChannel, facilityId, {
      events: { PresenceChanged: (changed) => takeStated(queries, changed), OnCallChanged: ask },
      onSubscribed: () => {
        // What was said while the line was down is asked for; the first time the page has just asked.
        if (hasListened) ask();
        hasListened = true;
      },
    });
    return () => {
      clearTimeout(timer);
      joined?.leave();
    };
  }, [realtime, queries, facilityId]);
}

/** What somebody said of themselves, into all that is shown of them here. */
export function takeStated(queries: QueryClient, { facility_id, user_id, on_duty_until, busy }: PresenceChanged): void {
  queries.setQueriesData<{ data: Presence[] }>({ queryKey: presenceKey(facility_id) }, (held) => {
    if (!held) return held;
    const stated = { on_duty_until, busy: busy as Presence['busy'] };
    return { data: held.data.map((one) => (one.user_id === user_id ? { ...one, ...stated } : one)) };
  });
}
