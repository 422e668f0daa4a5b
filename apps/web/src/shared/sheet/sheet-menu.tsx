import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { FileDown, Printer } from 'lucide-react';
import type { ReactNode } from 'react';

interface SheetMenuProps {
  readonly onPrint: () => void;
  readonly onExport: () => void;
  /** While the file is on its way. */
  readonly isExporting: boolean;
  /** What else it leads to, at the end. */
  readonly children?: ReactNode;
}

/** How what was signed leaves Wardline: on paper, or for another system. */
export function SheetMenu({ onPrint, onExport, isExporting, children }: SheetMenuProps) {
  return (
    <Menu
      align="end"
      trigger={
        <Button
          variant="ghost"
          color="neutral"
          iconOnly
          icon={FileDown}
          label="Print or export"
          isLoading={isExporting}
        />
      }
    >
      <MenuItem icon={Printer} onSelect={onPrint}>
        Print or save as PDF
      </MenuItem>
      <MenuItem icon={FileDown} onSelect={onExport}>
        Export as FHIR
      </MenuItem>
      {children}
    </Menu>
  );
}
