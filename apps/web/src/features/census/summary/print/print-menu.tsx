import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { ChevronDown, Printer } from 'lucide-react';
import type { Period } from '#/features/census/core/period.ts';
import { PRINT_TITLES, type PrintKind, printKindsFor } from './print-kinds.ts';

interface PrintMenuProps {
  readonly period: Period;
  readonly onChoose: (kind: PrintKind) => void;
}

/** The sheets that this period can be put on. */
export function PrintMenu({ period, onChoose }: PrintMenuProps) {
  return (
    <span className="only-desk">
      <Menu
        align="end"
        trigger={
          <Button variant="outline" color="neutral" icon={Printer} trailingIcon={ChevronDown}>
            Print or save as PDF
          </Button>
        }
      >
        {printKindsFor(period.kind).map((kind) => (
          <MenuItem key={kind} onSelect={() => onChoose(kind)}>
            {PRINT_TITLES[kind]}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}
