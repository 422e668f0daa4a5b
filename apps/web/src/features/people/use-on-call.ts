import { serverNow } from '@wardline/client/server-clock.ts';
import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import { listOnCallRoles, MOST_ON_CALL_ROLES, type OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { useEffect, useEffectEvent } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

/** Clocks of server and device are never quite the same. */
const SLACK_MS = 500;
const LONGEST_WAIT_MS = 3_600_000;

const onCallKey = (facilityId: string) => ['on-call', facilityId];

/** Who holds what in a facility; asked again whenever the next shift begins or ends. */
export function useOnCall(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: onCallKey(facilityId),
    queryFn: ({ signal }) =>
      call(listOnCallRoles, { params: { facility: facilityId }, query: { limit: MOST_ON_CALL_ROLES }, signal }),
    refetchInterval: ({ state }) => untilNextChange(state.data?.data ?? [], serverNow()),
  });
}

/** How long until somebody's shift begins or ends by itself. */
export function untilNextChange(roles: readonly OnCallRole[], now: number): number {
  const changes = roles
    .flatMap((role) => [role.now?.ends_at, role.next?.starts_at])
    .flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))
    .filter((at) => at > now);
  return Math.min(LONGEST_WAIT_MS, ...changes.map((at) => at - now + SLACK_MS));
}

/** Asks again for who is on call and will be, and for the people, of whom that is said too. */
export function useRefreshOnCall(facilityId: string): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: onCallKey(facilityId) }),
      queries.invalidateQueries({ queryKey: ['shifts', facilityId] }),
      queries.invalidateQueries({ queryKey: ['members', facilityId, 'pages'] }),
    ]);
  };
}

/** Hears that a role of the facility changed; what happened before it listened is asked for then. */
export function useOnCallChanges(facilityId: string): void {
  const realtime = useRealtime();
  const refresh = useEffectEvent(useRefreshOnCall(facilityId));
  useEffect(() => {
    const joined = realtime?.join(facilityChannel, facilityId, {
      events: { OnCallChanged: () => void refresh() },
      onSubscribed: () => void refresh(),
    });
    return () => joined?.leave();
  }, [realtime, facilityId]);
}
