import { Chip } from '@wardline/ui/mark/chip.tsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

interface ChosenChipsProps {
  readonly chosen: readonly { readonly id: string; readonly name: string }[];
  readonly onRemove: (id: string) => void;
}

/** Those that were chosen, each to be taken off again; nothing where there are none. */
export function ChosenChips({ chosen, onRemove }: ChosenChipsProps) {
  if (chosen.length === 0) return null;
  return (
    <div className="chips">
      {chosen.map(({ id, name }) => (
        <Chip key={id} size="sm" trailingIcon={X} aria-label={`Remove ${name}`} onClick={() => onRemove(id)}>
          {name}
        </Chip>
      ))}
    </div>
  );
}

interface PickerRowProps {
  readonly leading: ReactNode;
  readonly name: string;
  readonly about: ReactNode;
  readonly isChosen: boolean;
  readonly isDisabled: boolean;
  /** What can never be chosen has none. */
  readonly hasBox?: boolean;
  readonly onToggle: () => void;
}

/** A person or a chat to tick, over the whole width of its row. */
export function PickerRow({ leading, name, about, isChosen, isDisabled, hasBox = true, onToggle }: PickerRowProps) {
  return (
    <li>
      <label className="person">
        <input type="checkbox" className="sr" checked={isChosen} disabled={isDisabled} onChange={onToggle} />
        {leading}
        <span className="grow">
          <span className="rail-line medium strong">{name}</span>
          {about && <span className="rail-line t12 muted">{about}</span>}
        </span>
        {hasBox && <span className="person-box" aria-hidden="true" />}
      </label>
    </li>
  );
}
