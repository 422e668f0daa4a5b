import type { DirectRole } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
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

/** In the composer of a direct chat with an on-call role: who reads it now, or that nobody does and what then. */
export function RoleHint({ role, facility, myId }: RoleHintProps) {
  const { data } = useFacilityRoles(facility.id);
  const found = data?.data.find(({ id }) => id === role.role_id);
  if (role.person === null && !found) return null;
  const isRead = role.person !== null || (found?.now && found.now.person.user_id !== myId);
  return (
    <p className="duty-hint" role="note">
      <Icon of={isRead ? Headset : UserRoundX} size="sm" />
      <span>
        {role.person === null && found
          ? describe(found, facility.time_zone, myId)
          : `You answer as ${role.name}. Whoever takes over reads what was said here.`}
      </span>
    </p>
  );
}

function describe({ now, next }: OnCallRole, zone: string, myId: string): string {
  const at = (time: string) => timeIn(zone, Date.parse(time));
  if (now?.person.user_id === myId) {
    return 'You are on call yourself. Whoever takes over from you reads what you write.';
  }
  if (now) return `${now.person.name} is on call until ${at(now.ends_at)} and reads this.`;
  const then = next ? `${next.person.name} reads this from ${at(next.starts_at)}.` : 'Whoever takes over reads this.';
  return `Nobody is on call now. ${then} If it can’t wait, send it as urgent: that calls whom the facility calls then.`;
}
