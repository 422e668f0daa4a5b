import type { DirectRole } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Headset, UserRoundX } from 'lucide-react';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { useFacilityRoles } from './use-roles.ts';
import '#/features/chat/urgent/duty-hint.css';

interface RoleHintProps {
  readonly role: DirectRole;
  readonly facility: Facility;
  readonly myId: string;
}

/** Over the box of a direct chat with an on-call role: who reads it now, or that nobody does and what then. */
export function RoleHint({ role, facility, myId }: RoleHintProps) {
  const { data } = useFacilityRoles(facility.id);
  const found = data?.data.find(({ id }) => id === role.role_id);
  if (role.person !== null) {
    return (
      <p className="duty-hint" role="note">
        <Icon of={Headset} size="sm" />
        <span>You answer as {role.name}. Whoever takes over reads what was said here.</span>
      </p>
    );
  }
  if (!found) return null;
  const { now, next } = found;
  const at = (time: string) => timeIn(facility.time_zone, Date.parse(time));
  if (now?.person.user_id === myId) {
    return (
      <p className="duty-hint" role="note">
        <Icon of={UserRoundX} size="sm" />
        <span>You are on call as {role.name} yourself. Whoever takes over from you reads what you write.</span>
      </p>
    );
  }
  return (
    <p className="duty-hint" role="note">
      <Icon of={now ? Headset : UserRoundX} size="sm" />
      <span>
        {now
          ? `${now.person.name} is on call until ${at(now.ends_at)} and reads this.`
          : `Nobody is on call as ${role.name} now. ${
              next ? `${next.person.name} reads this from ${at(next.starts_at)}.` : 'Whoever takes over reads this.'
            } If it can’t wait, send it as urgent: that calls whom the facility calls then.`}
      </span>
    </p>
  );
}
