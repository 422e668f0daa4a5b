import { Chip } from '@wardline/ui/mark/chip.tsx';
import { Menu, MenuChoice } from '@wardline/ui/menu/menu.tsx';
import { ChevronDown, type LucideIcon, X } from 'lucide-react';

interface SetChipProps {
  readonly label: string;
  readonly words: string;
  readonly icon?: LucideIcon;
  readonly onClear: () => void;
}

/** A filter that is on; pressed, it is taken off. */
export function SetChip({ label, words, icon, onClear }: SetChipProps) {
  return (
    <Chip
      isPressed
      {...(icon ? { icon } : {})}
      trailingIcon={X}
      title={`${label}: press to show all`}
      onClick={onClear}
    >
      {words}
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
  if (value !== null) {
    const words = choices.find((choice) => choice.value === value)?.label ?? label;
    return <SetChip label={label} words={words} onClear={() => onChoose(null)} />;
  }
  return (
    <Menu trigger={<Chip trailingIcon={ChevronDown}>{label}</Chip>}>
      <MenuChoice<string>
        label={label}
        value=""
        choices={[{ value: '', label: none }, ...choices]}
        onValueChange={(next) => onChoose(choices.find((choice) => choice.value === next)?.value ?? null)}
      />
    </Menu>
  );
}
