import { exportHandover, type Handover } from '@wardline/contract/examinations/handovers.ts';
import { MenuItem } from '@wardline/ui/menu/menu.tsx';
import { ClipboardCheck } from 'lucide-react';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { SheetMenu } from '#/shared/sheet/sheet-menu.tsx';

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
    <SheetMenu onPrint={onPrint} onExport={() => void take()} isExporting={isBusy}>
      <MenuItem icon={ClipboardCheck} href={`/handovers?facility=${handover.facility_id}`}>
        Hand-over list
      </MenuItem>
    </SheetMenu>
  );
}
