import { listParticipants } from '@wardline/contract/chat/chat.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { listOnCallRoles, MOST_ON_CALL_ROLES } from '@wardline/contract/facilities/on-call.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

export type WhoToCallLists = ReturnType<typeof useWhoToCall>;

/**
 * Who is on call, and who is in the chat. Asked for as soon as something critical stands in the form, so that they are known should the
 * network go before it is signed.
 */
export function useWhoToCall({ chat_id: chat, facility_id: facility }: Examination, isWanted = true) {
  const call = useCall();
  const roles = useQuery({
    queryKey: ['on-call', facility],
    queryFn: ({ signal }) =>
      call(listOnCallRoles, { params: { facility }, query: { limit: MOST_ON_CALL_ROLES }, signal }),
    enabled: isWanted,
  });
  const others = useQuery({
    queryKey: ['critical-people', chat],
    queryFn: ({ signal }) => call(listParticipants, { params: { chat }, query: { limit: 200 }, signal }),
    enabled: isWanted,
  });
  return { roles, others };
}
