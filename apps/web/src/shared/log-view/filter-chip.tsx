import { Chip } from '@wardline/ui/mark/chip.tsx';
import { Menu, MenuChoice } from '@wardline/ui/menu/menu.tsx';
import { ChevronDown, type LucideIcon, X } from 'lucide-react';
import { useState } from 'react';

interface DialogChipProps {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** What it is set to; null: off. */
  readonly text: string | null;
  readonly onOpen: () => void;
  readonly onClear: () => void;
}

/** A filter that is chosen in a dialog: off it opens that, on it is taken off. */
export function DialogChip({ label, icon, text, onOpen, onClear }: DialogChipProps) {
  // One chip for both, so that the focus stays on it.
  return (
    <Chip
      {...(icon ? { icon } : {})}
      {...(text === null ? { 'aria-haspopup': 'dialog' } : { isPressed: true, title: clearTitle(label) })}
      trailingIcon={text === null ? ChevronDown : X}
      onClick={text === null ? onOpen : onClear}
    >
      {text ?? label}
    </Chip>
  );
}

interface FilterChipProps<Value extends string> {
  readonly label: string;
  /** What stands for no choice. */
  readonly none: string;
  readonly value: Value | null;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value | null) => void;
}

/** A filter by one of a few: off it opens their menu, on it is taken off. */
export function FilterChip<Value extends string>({ label, none, value, choices, onChoose }: FilterChipProps<Value>) {
  const [isInHand, setIsInHand] = useState(false);
  const choose = (next: Value | null) => {
    setIsInHand(true);
    onChoose(next);
  };
  const held = { autoFocus: isInHand, onBlur: () => setIsInHand(false) };
  if (value !== null) {
    return (
      // The chip that was pressed makes room for this one, which takes over its focus.
      <Chip {...held} isPressed trailingIcon={X} title={clearTitle(label)} onClick={() => choose(null)}>
        {choices.find((choice) => choice.value === value)?.label ?? label}
      </Chip>
    );
  }
  return (
    <Menu
      trigger={
        <Chip {...held} trailingIcon={ChevronDown}>
          {label}
        </Chip>
      }
    >
      <MenuChoice<string>
        label={label}
        value=""
        choices={[{ value: '', label: none }, ...choices]}
        onValueChange={(next) => choose(choices.find((choice) => choice.value === next)?.value ?? null)}
      />
    </Menu>
  );
}

function clearTitle(label: string): string {
  return `${label}: press to show all`;
}
