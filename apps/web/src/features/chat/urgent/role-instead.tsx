import { serverNow } from '@wardline/client/server-clock.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import { dutyOf } from '@wardline/contract/facilities/decide-presence.ts';
import { getDuty } from '@wardline/contract/facilities/on-call.ts';
import type { Presence } from '@wardline/contract/facilities/presence.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

/** Where nobody knows, nobody is called off duty. */
export function isOffDuty(presence: Presence | undefined): boolean {
  return presence !== undefined && dutyOf(presence, serverNow()).state === 'off_duty';
}

interface RoleInsteadProps {
  readonly chat: Chat;
  readonly person: { readonly user_id: string; readonly name: string };
  /** A role is to be asked in place of the person. */
  readonly onChoose: (roleId: string) => void;
}

/** Under those whom an urgent message is to call: somebody is off duty, and who holds now what they are asked for (URG-3). */
export function RoleInstead({ chat, person, onChoose }: RoleInsteadProps) {
  const call = useCall();
  const { facility_id: facility } = chat;
  const { data } = useQuery({
    queryKey: ['duty', facility, person.user_id],
    queryFn: ({ signal }) => call(getDuty, { params: { facility, user: person.user_id }, signal }),
    retry: false,
  });
  const [first] = data?.instead ?? [];
  return (
    <div className="row wrap" role="note">
      <span>
        {person.name} is off duty.{first && ` ${first.holder.name} is on call for ${first.name}.`}
      </span>
      {/* A direct chat stays with its two: there is no role to call. */}
      {first && chat.kind !== 'direct' && (
        <Button size="sm" variant="outline" onClick={() => onChoose(first.role_id)}>
          Call {first.name} instead
        </Button>
      )}
    </div>
  );
}
