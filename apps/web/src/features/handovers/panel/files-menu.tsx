import { exportHandover, type Handover } from '@wardline/contract/examinations/handovers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { ClipboardCheck, FileDown, Printer } from 'lucide-react';
import { useDownload } from '#/shared/forms/use-download.ts';

interface FilesMenuProps {
  readonly handover: Handover;
  readonly onPrint: () => void;
}

/** How a hand-over leaves Wardline, on paper or for another system; and the way to the list that it stands on. */
export function FilesMenu({ handover, onPrint }: FilesMenuProps) {
  const { download, isBusy } = useDownload();
  const take = () =>
    download(
      exportHandover,
      { params: { handover: handover.id } },
      { fileName: `handover-${handover.id}.json`, failed: 'The file was not made' },
    );
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" color="neutral" iconOnly icon={FileDown} label="Print or export" isLoading={isBusy} />
      }
    >
      <MenuItem icon={Printer} onSelect={onPrint}>
        Print or save as PDF
      </MenuItem>
      <MenuItem icon={FileDown} onSelect={() => void take()}>
        Export as FHIR
      </MenuItem>
      <MenuItem icon={ClipboardCheck} href={`/handovers?facility=${handover.facility_id}`}>
        Hand-over list
      </MenuItem>
    </Menu>
  );
}
