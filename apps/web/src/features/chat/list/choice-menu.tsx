import { Menu, MenuChoice } from '@wardline/ui/menu/menu.tsx';
import type { ReactElement } from 'react';

interface ChoiceMenuProps {
  readonly label: string;
  /** What stands for no choice. */
  readonly none: string;
  readonly trigger: ReactElement;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string | null) => void;
}

/** The choices behind a filter's chip. */
export function ChoiceMenu({ label, none, trigger, choices, onChoose }: ChoiceMenuProps) {
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label={label}
        value=""
        onValueChange={(next) => onChoose(next === '' ? null : next)}
        choices={[{ value: '', label: none }, ...choices]}
      />
    </Menu>
  );
}
