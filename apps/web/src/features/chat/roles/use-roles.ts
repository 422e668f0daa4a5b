import { serverNow } from '@wardline/client/server-clock.ts';
import { listChatRoles } from '@wardline/contract/chat/chat-roles.ts';
import { listOnCallRoles, MOST_ON_CALL_ROLES, type OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

/** Clocks of server and device are never quite the same. */
const SLACK_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** Who holds what in a facility; asked again when the next shift begins or ends, and every minute, since others hand over. */
export function useFacilityRoles(facilityId: string, isWanted = true) {
  const call = useCall();
  return useQuery({
    queryKey: ['on-call', facilityId],
    queryFn: ({ signal }) =>
      call(listOnCallRoles, { params: { facility: facilityId }, query: { limit: MOST_ON_CALL_ROLES }, signal }),
    enabled: isWanted,
    refetchInterval: ({ state }) => untilNextChange(state.data?.data ?? []),
  });
}

function untilNextChange(roles: readonly OnCallRole[]): number {
  const now = serverNow();
  const changes = roles
    .flatMap((role) => [role.now?.ends_at, role.next?.starts_at])
    .flatMap((at) => (at === undefined ? [] : [Date.parse(at) - now]));
  return Math.min(LONGEST_WAIT_MS, ...changes.filter((wait) => wait > 0).map((wait) => wait + SLACK_MS));
}

/** The roles of a chat; `lines` is how many messages there are, since a line tells of each change. */
export function useChatRoles(chatId: string, lines: number) {
  const call = useCall();
  return useQuery({
    queryKey: ['chat-roles', chatId, lines],
    queryFn: ({ signal }) => call(listChatRoles, { params: { chat: chatId }, signal }),
    placeholderData: (before) => before,
  });
}
