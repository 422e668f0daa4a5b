import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { ShortcutList, type ShortcutListProps } from '@wardline/ui/mark/shortcut-list.tsx';
import { commandKey } from './command-key.ts';
import { setSingleKeys, useSingleKeys } from './single-keys.ts';

interface ShortcutsSheetProps {
  readonly mayReadCensus: boolean;
  readonly onClose: () => void;
}

/** SHELL-7: every shortcut of the product. */
export function ShortcutsSheet({ mayReadCensus, onClose }: ShortcutsSheetProps) {
  const isOn = useSingleKeys();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Keyboard shortcuts" size="lg" closeLabel="Close">
      <ShortcutList groups={groups({ mayReadCensus, hasSingleKeys: isOn })} />
      <Checkbox
        label="Shortcuts without Ctrl or ⌘"
        help="Switch them off if you dictate to this device."
        checked={isOn}
        onChange={(event) => setSingleKeys(event.target.checked)}
      />
    </Dialog>
  );
}

function groups({
  mayReadCensus,
  hasSingleKeys,
}: Record<'mayReadCensus' | 'hasSingleKeys', boolean>): ShortcutListProps['groups'] {
  const isOff = !hasSingleKeys;
  return [
    {
      title: 'Anywhere',
      shortcuts: [
        { label: 'Search and commands', keys: [commandKey(), 'K'] },
        { label: 'This sheet', keys: ['?'], isOff },
        { label: 'Notifications', keys: ['F8'] },
        { label: 'Close what is on top', keys: ['Esc'] },
      ],
    },
    {
      title: 'Go to',
      shortcuts: [
        { label: 'Dashboard', keys: ['G', 'D'], isOff },
        { label: 'Chats', keys: ['G', 'C'], isOff },
        ...(mayReadCensus ? [{ label: 'Census', keys: ['G', 'N'], isOff }] : []),
        { label: 'Settings', keys: ['G', 'S'], isOff },
      ],
    },
    {
      title: 'In a chat',
      shortcuts: [
        { label: 'Send', keys: ['Enter'] },
        { label: 'New line', keys: ['Shift', 'Enter'] },
        { label: 'Bold', keys: [commandKey(), 'B'] },
        { label: 'Italic', keys: [commandKey(), 'I'] },
        { label: 'From message to message, on a time', keys: ['↑', '↓'] },
        { label: 'Reply to the message', keys: ['R'] },
        { label: 'Edit, delete my message', keys: ['E', 'Delete'] },
        { label: 'What else can be done with it', keys: ['Tab'] },
      ],
    },
  ];
}
