import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Headset } from 'lucide-react';
import { PickerRow } from '#/features/chat/new-chat/picker.tsx';
import { useFacilityRoles } from './use-roles.ts';

interface RolePickerProps {
  readonly facilityId: string;
  readonly chosen: readonly OnCallRole[];
  readonly onChange: (chosen: readonly OnCallRole[]) => void;
  /** Ids of those that are in the chat. */
  readonly alreadyIn: readonly string[];
}

/** Chooses on-call roles of a facility; nothing where it has none. */
export function RolePicker({ facilityId, chosen, onChange, alreadyIn }: RolePickerProps) {
  const roles = useFacilityRoles(facilityId).data?.data ?? [];
  if (roles.length === 0) return null;
  const isChosen = (id: string) => chosen.some((role) => role.id === id);
  return (
    <fieldset className="people">
      <legend className="label">On-call roles</legend>
      <p className="t13 muted">Whoever holds the role reads and writes here, from one shift to the next.</p>
      <div className="people-list">
        <ul>
          {roles.map((role) => {
            const isIn = alreadyIn.includes(role.id);
            const held = role.now ? `${role.now.person.name} now` : 'nobody now';
            return (
              <PickerRow
                key={role.id}
                leading={<Avatar alt="" icon={Headset} />}
                name={role.name}
                about={isIn ? `${held} · already in this chat` : held}
                isChosen={isChosen(role.id)}
                isDisabled={isIn}
                hasBox={!isIn}
                onToggle={() =>
                  onChange(isChosen(role.id) ? chosen.filter(({ id }) => id !== role.id) : [...chosen, role])
                }
              />
            );
          })}
        </ul>
      </div>
    </fieldset>
  );
}
