import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Button } from '@wardline/ui/button/button.tsx';
import { Headset } from 'lucide-react';
import { useState } from 'react';
import { useFacilityRoles } from '#/features/chat/roles/use-roles.ts';
import { hasEveryWord } from '#/shared/forms/search-text.ts';
import { PickerRow } from './picker.tsx';

/** On-call roles that are chosen beside people. */
export interface RoleChoice {
  readonly chosen: readonly OnCallRole[];
  readonly onChange: (chosen: readonly OnCallRole[]) => void;
  /** Ids of those that are in the chat: shown, but not to be chosen. */
  readonly alreadyIn: readonly string[];
}

/** A facility may have many: people stand below them in the same list. */
const SHOWN = 5;

/** The on-call roles of a facility that a search finds by their name, unit or holder; none where roles are not chosen. */
export function useFoundRoles(facilityId: string, q: string, isWanted: boolean) {
  const roles = useFacilityRoles(facilityId, isWanted);
  const found = isWanted ? (roles.data?.data ?? []).filter((role) => hasEveryWord(wordsOf(role), q)) : [];
  return { found, isPending: isWanted && roles.isPending };
}

function wordsOf({ name, unit, now }: OnCallRole): string {
  return [name, unit?.name, unit?.code, now?.person.name].join(' ');
}

interface RoleRowsProps extends RoleChoice {
  readonly found: readonly OnCallRole[];
}

/** The roles that were found, each to tick; the rest of many on demand. */
export function RoleRows({ found, chosen, onChange, alreadyIn }: RoleRowsProps) {
  const [showsAll, setShowsAll] = useState(false);
  if (found.length === 0) return null;
  const isChosen = (id: string) => chosen.some((role) => role.id === id);
  return (
    <>
      <ul aria-label="On-call roles">
        {found.slice(0, showsAll ? undefined : SHOWN).map((role) => {
          const isIn = alreadyIn.includes(role.id);
          const held = role.now ? `${role.now.person.name} now` : 'nobody now';
          return (
            <PickerRow
              key={role.id}
              leading={<Avatar alt="" icon={Headset} />}
              name={role.name}
              about={`On-call role · ${held}${isIn ? ' · already in this chat' : ''}`}
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
      {!showsAll && found.length > SHOWN && (
        <Button variant="ghost" color="neutral" isFullWidth onClick={() => setShowsAll(true)}>
          Show all {found.length} on-call roles
        </Button>
      )}
    </>
  );
}
