import './palette.css';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Kbd } from '@wardline/ui/mark/kbd.tsx';
import { Command } from 'cmdk';
import { Building2, File, type LucideIcon, MessageSquare, Search, Terminal, TextSearch, UserRound } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { bestEntry, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';
import type { TypedAhead } from './type-ahead.ts';
import { usePaletteGroups } from './use-palette-groups.ts';

interface CommandPaletteProps {
  /** Hands over what was typed before the field had the focus, once. */
  readonly takeTyped: () => TypedAhead;
  readonly onClose: () => void;
  readonly onShowShortcuts: () => void;
}

const icons: Readonly<Record<PaletteGroup['title'], LucideIcon>> = {
  Pages: File,
  Chats: MessageSquare,
  Facilities: Building2,
  People: UserRound,
  Messages: TextSearch,
  Commands: Terminal,
};

/** SHELL-7: one field that finds pages, chats, facilities and people, and does what has no button nearby. */
export function CommandPalette({ takeTyped, onClose, onShowShortcuts }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  const { groups, isSearching } = usePaletteGroups(typed, { onDone: onClose, onShowShortcuts });
  const { entry, isSure, clear, ...choosing } = useChoice(groups, typed);
  const { isWaiting, enter } = useEnter(entry, typed, isSure || !isSearching);
  const isLate = isSearching && (isWaiting || groups.length === 0);
  const search = (text: string) => {
    setTyped(text);
    clear();
  };
  const takeOver = () => {
    const ahead = takeTyped();
    if (ahead.text === '') return;
    search(typed + ahead.text);
    if (ahead.isEntered) enter(typed + ahead.text);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Search and commands" isTitleHidden size="palette">
      <Command
        {...choosing}
        className="cmd"
        label="Search and commands"
        shouldFilter={false}
        loop
        value={entry?.id ?? ''}
        onKeyDown={(event) => {
          choosing.onKeyDown(event);
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          enter(typed);
        }}
      >
        <div className="cmd-field">
          <Icon of={Search} />
          <Command.Input
            className="cmd-input"
            value={typed}
            onValueChange={search}
            onFocus={takeOver}
            placeholder="Search pages, chats, people and messages"
            maxLength={80}
          />
        </div>
        <Command.List className="cmd-list" label="Found">
          {groups.length === 0 && !isSearching && <p className="cmd-none">No matching data</p>}
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
        <p className={isLate ? 'cmd-none' : 'sr'} role="status">
          {isLate && 'Searching people'}
        </p>
      </Command>
    </Dialog>
  );
}

/** The line that is marked: the best for what was typed, unless keys or the pointer marked another that is still there. */
function useChoice(groups: readonly PaletteGroup[], typed: string) {
  const [chosen, setChosen] = useState('');
  // cmdk marks the first line by itself as the list changes; only what a person did counts as chosen.
  const isByHand = useRef(false);
  const best = bestEntry(groups, typed);
  const kept = groups.flatMap(({ entries }) => entries).find(({ id }) => id === chosen);
  const entry = kept ?? best.entry;
  return {
    entry,
    isSure: kept !== undefined || best.isSure,
    clear() {
      isByHand.current = false;
      setChosen('');
    },
    onValueChange(id: string) {
      if (isByHand.current) setChosen(id);
      isByHand.current = false;
    },
    onKeyDown({ key }: KeyboardEvent) {
      isByHand.current = true;
      // Where there is one line only, the arrows choose it too.
      if (key === 'ArrowDown' || key === 'ArrowUp') setChosen(entry?.id ?? '');
    },
    // The list moves under a pointer that rests: that is nobody's choice.
    onPointerMoveCapture(event: PointerEvent) {
      if (event.movementX !== 0 || event.movementY !== 0) isByHand.current = true;
    },
  };
}

/** Enter opens the marked line; while the search could still bring a better one it waits, until something else is typed. */
function useEnter(entry: PaletteEntry | undefined, typed: string, isReady: boolean) {
  const [enteredFor, setEnteredFor] = useState<string | null>(null);
  const isWaiting = enteredFor !== null && enteredFor === typed;
  const run = useEffectEvent(() => {
    setEnteredFor(null);
    entry?.run();
  });
  useEffect(() => {
    if (isWaiting && isReady) run();
  }, [isWaiting, isReady]);
  return { isWaiting, enter: setEnteredFor };
}
