import type { Chat } from '@wardline/contract/chat/chat.ts';
import { dutyOf } from '@wardline/contract/facilities/decide-presence.ts';
import { getDuty } from '@wardline/contract/facilities/on-call.ts';
import { formatList } from '@wardline/format/names.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { UserRoundX } from 'lucide-react';
import { personPath } from '#/features/chat/core/chat-paths.ts';
import { RoleLink } from '#/features/chat/roles/role-link.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { useNow } from '#/shared/time/use-now.ts';
import './duty-hint.css';

interface DutyHintProps {
  readonly chat: Chat;
  readonly person: NonNullable<Chat['direct']>;
}

const EVERY_MS = 5 * 60_000;

/** Over the box of a direct chat with somebody who is off duty: who is on call, for what they are asked for at other times (URG-3). */
export function DutyHint({ chat, person }: DutyHintProps) {
  const call = useCall();
  const { facility_id: facility } = chat;
  const { data } = useQuery({
    queryKey: ['duty', facility, person.user_id],
    queryFn: ({ signal }) => call(getDuty, { params: { facility, user: person.user_id }, signal }),
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const now = useNow();
  // A back end that does not say who is there says who is on call.
  const isThere = data?.presence ? dutyOf(data.presence, now).state !== 'off_duty' : data?.is_on_call;
  const instead = isThere ? [] : (data?.instead ?? []);
  if (instead.length === 0) return null;
  return (
    <p className="duty-hint" role="note">
      <Icon of={UserRoundX} size="sm" />
      <span>
        {person.name} is {data?.presence ? 'off duty' : 'not on call'}.{' '}
        {instead.length === 1 ? 'On call now: ' : `On call now for ${formatList(instead.map(({ name }) => name))}: `}
        {instead.map(({ role_id, name, holder }, index) => (
          <span key={role_id}>
            {index > 0 && ', '}
            <Link href={personPath(facility, holder.user_id)}>{holder.name}</Link>
            {instead.length === 1 && (
              <>
                {' '}
                (<RoleLink facilityId={facility} role={{ id: role_id, name }} />)
              </>
            )}
          </span>
        ))}
      </span>
    </p>
  );
}
