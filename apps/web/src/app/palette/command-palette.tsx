import type { Member } from '@wardline/contract/facilities.ts';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Kbd } from '@wardline/ui/mark/kbd.tsx';
import { Command } from 'cmdk';
import { Building2, File, type LucideIcon, MessageSquare, Search, Terminal, UserRound } from 'lucide-react';
import { useState } from 'react';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import type { PaletteGroup } from './palette-entries.ts';
import { usePaletteGroups } from './use-palette-groups.ts';

interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onShowShortcuts: () => void;
  readonly onChoosePerson: (member: Member) => void;
}

const icons: Readonly<Record<PaletteGroup['title'], LucideIcon>> = {
  Pages: File,
  Chats: MessageSquare,
  Facilities: Building2,
  People: UserRound,
  Commands: Terminal,
};

/** SHELL-7: one field that finds pages, chats, facilities and people, and does what has no button nearby. */
export function CommandPalette({ onClose, onShowShortcuts, onChoosePerson }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const groups = usePaletteGroups(typed, { onDone: onClose, onShowShortcuts, onChoosePerson });
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
  // What was typed decides anew: Enter takes the first line unless the arrows chose another that is still there.
  const value = ids.includes(chosen) ? chosen : (ids[0] ?? '');
  const search = (text: string) => {
    setTyped(text);
    setChosen('');
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Search and commands" isTitleHidden size="palette">
      <Command
        className="cmd"
        label="Search and commands"
        shouldFilter={false}
        loop
        value={value}
        onValueChange={setChosen}
      >
        <div className="cmd-field">
          <Icon of={Search} />
          <Command.Input
            className="cmd-input"
            value={typed}
            onValueChange={search}
            placeholder="Search pages, chats and people"
            maxLength={80}
          />
        </div>
        <Command.List className="cmd-list" label="Found">
          <Command.Empty className="cmd-none">No matching data</Command.Empty>
          {groups.map(({ title, entries }) => (
            <PanelBoundary key={title}>
              <Command.Group heading={title}>
                {entries.map(({ id, label, detail, keys, run }) => (
                  <Command.Item key={id} value={id} className="cmd-item" onSelect={run}>
                    <Icon of={icons[title]} />
                    <span className="cmd-label">{label}</span>
                    {detail !== undefined && <span className="cmd-detail">{detail}</span>}
                    {keys && <Kbd keys={keys} />}
                  </Command.Item>
                ))}
              </Command.Group>
            </PanelBoundary>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
