import {
  CircleCheck,
  Copy,
  Eye,
  FlaskConical,
  Moon,
  MoreHorizontal,
  Pin,
  Settings,
  Sun,
  SunMoon,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { Button } from '#/button/button.tsx';
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuLabel, MenuSeparator } from '#/menu/menu.tsx';
import type { Side } from '#/tooltip/place-tip.ts';
import { Tooltip, TooltipProvider } from '#/tooltip/tooltip.tsx';
import { every, type Specimen } from '../../specimen.ts';

const SIDES = every<Side>({ top: true, right: true, bottom: true, left: true });

function OpenMenu() {
  const [isOpen, setIsOpen] = useState(true);
  const [mode, setMode] = useState<'system' | 'light' | 'dark'>('system');
  return (
    <main className="g-box">
      <h1 className="sr">A menu</h1>
      <Menu
        open={isOpen}
        onOpenChange={setIsOpen}
        trigger={<Button variant="outline" color="neutral" iconOnly icon={MoreHorizontal} label="More" />}
      >
        <MenuGroup label="React">
          <MenuItem icon={Eye}>Seen</MenuItem>
          <MenuItem icon={CircleCheck}>Done</MenuItem>
        </MenuGroup>
        <MenuSeparator />
        <MenuLabel>Message</MenuLabel>
        <MenuItem icon={Copy} keys={['C']}>
          Copy text
        </MenuItem>
        <MenuItem icon={Pin}>Pin</MenuItem>
        <MenuItem icon={FlaskConical} isDisabled>
          Cite a finding
        </MenuItem>
        <MenuItem icon={Settings} href="#menus">
          Settings
        </MenuItem>
        <MenuSeparator />
        <MenuChoice
          label="Appearance"
          value={mode}
          onValueChange={setMode}
          choices={[
            { value: 'system', label: 'System', icon: SunMoon },
            { value: 'light', label: 'Light', icon: Sun },
            { value: 'dark', label: 'Dark', icon: Moon },
          ]}
        />
        <MenuSeparator />
        <MenuItem icon={Trash2} isDanger>
          Delete, with a reason
        </MenuItem>
      </Menu>
    </main>
  );
}

function Tooltips() {
  return (
    <TooltipProvider>
      <div className="row wrap row-3">
        {SIDES.map((side) => (
          <Tooltip content="Fri 20 Nov 2026, 00:35:12" side={side} key={side}>
            <Button variant="outline" color="neutral">
              At the {side}
            </Button>
          </Tooltip>
        ))}
        <Tooltip content="Search and commands" keys={['Ctrl', 'K']}>
          <Button variant="outline" color="neutral">
            With keys
          </Button>
        </Tooltip>
      </div>
    </TooltipProvider>
  );
}

export const specimen: Specimen = {
  id: 'menus',
  title: 'Menu and tooltip',
  group: 'Overlays',
  cases: [
    { name: 'Menu', Show: OpenMenu, height: 460 },
    { name: 'Tooltip, on each side', Show: Tooltips },
  ],
};
