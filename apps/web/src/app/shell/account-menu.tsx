import { useColourMode } from '@wardline/ui/colour-mode/use-colour-mode.ts';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import { CircleDot, Lock, LogOut, Settings } from 'lucide-react';
import type { ReactElement } from 'react';
import { lockNow } from '#/app/lock/watch-idle.ts';
import { useLeave } from '#/app/sign-out/use-leave.ts';
import { useUser } from '#/features/auth/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';
import { appearances } from '#/shared/forms/appearances.ts';
import { useOwnDuty } from '#/shared/presence/use-own-duty.ts';

interface AccountMenuProps {
  readonly trigger: ReactElement;
  readonly look: 'rail' | 'compact';
}

/** What one says of one's own duty, the settings, the appearance, and the way out. */
export function AccountMenu({ trigger, look }: AccountMenuProps) {
  const user = useUser();
  const { preference, set } = useColourMode();
  const leave = useLeave();
  const facilities = useFacilities();
  const current = useCurrentFacility();
  const showDuty = useOwnDuty(user.id);
  return (
    <Menu trigger={trigger} side={look === 'rail' ? 'top' : 'bottom'} align={look === 'rail' ? 'start' : 'end'}>
      <MenuLabel>{user.email}</MenuLabel>
      <MenuSeparator />
      {facilities.length > 0 && (
        <MenuItem icon={CircleDot} onSelect={() => showDuty(facilities, current?.id)}>
          Your duty
        </MenuItem>
      )}
      <MenuItem icon={Settings} href="/settings">
        Settings
      </MenuItem>
      <MenuSeparator />
      <MenuChoice label="Appearance" value={preference} onValueChange={set} choices={appearances} />
      <MenuSeparator />
      {user.lock_after_minutes && (
        <MenuItem icon={Lock} onSelect={() => lockNow(user.id)}>
          Lock screen
        </MenuItem>
      )}
      <MenuItem icon={LogOut} onSelect={leave}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
