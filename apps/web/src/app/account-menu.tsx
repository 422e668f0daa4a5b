import type { ColourPreference } from '@wardline/ui/colour-mode/colour-mode.ts';
import { useColourMode } from '@wardline/ui/colour-mode/use-colour-mode.ts';
import { RailAccount } from '@wardline/ui/frame/rail.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '#/features/auth/index.ts';
import { useOutboxCount } from '#/features/chat/index.ts';
import { titleAt } from './person.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';

const appearances: readonly { value: ColourPreference; label: string; icon: typeof Sun }[] = [
  { value: 'system', label: 'As the system', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
];

/** One's own name, the appearance, and the way out, which asks first while something waits to be sent. */
export function AccountMenu({ look }: { look: 'rail' | 'compact' }) {
  const user = useUser();
  const { preference, set } = useColourMode();
  const { waiting, failed } = useOutboxCount();
  const signOut = useSignOut();
  const [isAsking, setIsAsking] = useState(false);
  const unsent = waiting + failed;
  const detail = titleAt(user, null) ?? user.email;
  const account = <RailAccount name={user.name} detail={detail} isCompact={look === 'compact'} />;

  return (
    <>
      <span className={look === 'compact' ? 'only-phone' : 'account'}>
        <Menu trigger={account} side={look === 'rail' ? 'top' : 'bottom'} align={look === 'rail' ? 'start' : 'end'}>
          <MenuLabel>{user.email}</MenuLabel>
          <MenuSeparator />
          <MenuChoice label="Appearance" value={preference} onValueChange={set} choices={appearances} />
          <MenuSeparator />
          <MenuItem
            icon={LogOut}
            onSelect={() => (unsent > 0 ? setIsAsking(true) : void signOut({ discardUnsent: false }))}
          >
            Sign out
          </MenuItem>
        </Menu>
      </span>
      <SignOutDialog
        isOpen={isAsking}
        unsent={unsent}
        onClose={() => setIsAsking(false)}
        onSignOut={(discardUnsent) => void signOut({ discardUnsent })}
      />
    </>
  );
}
