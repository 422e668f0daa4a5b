import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { useGridKeys } from '@wardline/ui/table/use-grid-keys.ts';
import { type CSSProperties, useDeferredValue, useRef, useState } from 'react';
import { type Emoji, emojiGroups, findEmoji } from './emoji-groups.ts';
import './emoji.css';

const COLUMNS = 8;

interface EmojiDialogProps {
  /** The box one writes in. */
  readonly box: () => HTMLTextAreaElement | null;
  readonly onClose: () => void;
}

/** Puts an emoji where the caret stands: found by its name, or in its group. */
export function EmojiDialog({ box, onClose }: EmojiDialogProps) {
  const [isOpen, setIsOpen] = useState(true);
  const [search, setSearch] = useState('');
  const [group, setGroup] = useState(0);
  const chosen = useRef<string>(null);
  const wanted = useDeferredValue(search);
  const { label, emoji } = emojiGroups[group] ?? { label: '', emoji: [] };
  const isSearching = wanted.trim() !== '';
  const shown = isSearching ? findEmoji(wanted) : emoji;
  const choose = (sign: string) => {
    chosen.current = sign;
    setIsOpen(false);
  };
  const insert = () => {
    onClose();
    const textarea = box();
    if (chosen.current === null || textarea === null) return;
    textarea.focus();
    // Deprecated without another in its place: nothing else that writes is known to the browser's Undo.
    document.execCommand('insertText', false, chosen.current);
  };
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen} onAfterLeave={insert} title="Emoji" closeLabel="Close">
      <SearchInput
        label="Search emoji"
        value={search}
        onValueChange={setSearch}
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key !== 'Enter' || !isSearching || !first) return;
          event.preventDefault();
          choose(first.sign);
        }}
      />
      <fieldset className="emoji-groups">
        <legend className="sr">Groups</legend>
        {emojiGroups.map(({ first, label: name }, index) => (
          <label key={first} title={name}>
            <input
              className="sr"
              type="radio"
              name="emoji-group"
              aria-label={name}
              checked={!isSearching && index === group}
              onChange={() => {
                setGroup(index);
                setSearch('');
              }}
            />
            <span aria-hidden="true">{first}</span>
          </label>
        ))}
      </fieldset>
      <p className="label" role="status">
        {isSearching ? formatFound(shown.length) : label}
      </p>
      <EmojiGrid
        key={isSearching ? wanted : label}
        label={isSearching ? 'Found' : label}
        emoji={shown}
        onChoose={choose}
      />
    </Dialog>
  );
}

interface EmojiGridProps {
  readonly label: string;
  readonly emoji: readonly Emoji[];
  readonly onChoose: (sign: string) => void;
}

function EmojiGrid({ label, emoji, onChoose }: EmojiGridProps) {
  const rows = Math.ceil(emoji.length / COLUMNS);
  const grid = useGridKeys<HTMLDivElement>({ rows, columns: COLUMNS }, { row: 0, column: 0 }, ({ row, column }) => {
    const one = emoji[row * COLUMNS + column];
    if (one) onChoose(one.sign);
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: cells that are pressed, not a table of data
    <div
      className="emoji-grid"
      role="grid"
      aria-label={label}
      ref={grid.ref}
      tabIndex={-1}
      style={{ '--columns': COLUMNS } as CSSProperties}
      onKeyDown={grid.onKeyDown}
      onClick={grid.onClick}
    >
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: its cells have the focus
        <div key={row} role="row">
          {emoji.slice(row * COLUMNS, (row + 1) * COLUMNS).map(({ sign, name }, column) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <span
              key={sign}
              role="gridcell"
              aria-label={name}
              title={name}
              data-cell={`${row}:${column}`}
              tabIndex={row === grid.at.row && column === grid.at.column ? 0 : -1}
            >
              {sign}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

function formatFound(count: number): string {
  if (count === 0) return 'No emoji has this name';
  return `${count} found`;
}
