import type { ColourPreference } from '@wardline/ui/colour-mode/colour-mode.ts';
import { useColourMode } from '@wardline/ui/colour-mode/use-colour-mode.ts';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useUser } from '#/features/auth/index.ts';
import { useOutboxCount } from '#/features/chat/index.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';

const appearances: readonly { value: ColourPreference; label: string; icon: typeof Sun }[] = [
  { value: 'system', label: 'As the system', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
];

interface AccountMenuProps {
  readonly trigger: ReactElement;
  readonly look: 'rail' | 'compact';
}

/** The appearance, and the way out, which asks first while something waits to be sent. */
export function AccountMenu({ trigger, look }: AccountMenuProps) {
  const user = useUser();
  const { preference, set } = useColourMode();
  const { waiting, failed } = useOutboxCount();
  const { settle, signOut } = useSignOut();
  const [isAsking, setIsAsking] = useState(false);
  const unsent = waiting + failed;
  const leave = async () => {
    if (unsent === 0 || (await settle())) await signOut({ discardUnsent: false });
    else setIsAsking(true);
  };

  return (
    <>
      <Menu trigger={trigger} side={look === 'rail' ? 'top' : 'bottom'} align={look === 'rail' ? 'start' : 'end'}>
        <MenuLabel>{user.email}</MenuLabel>
        <MenuSeparator />
        <MenuChoice label="Appearance" value={preference} onValueChange={set} choices={appearances} />
        <MenuSeparator />
        <MenuItem icon={LogOut} onSelect={() => void leave()}>
          Sign out
        </MenuItem>
      </Menu>
      {isAsking && (
        <SignOutDialog
          unsent={unsent}
          onClose={() => setIsAsking(false)}
          onSignOut={(discardUnsent) => void signOut({ discardUnsent })}
        />
      )}
    </>
  );
}
