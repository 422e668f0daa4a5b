import { type Examination, exportExamination } from '@wardline/contract/examinations/examinations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { FileDown, Printer } from 'lucide-react';
import { useDownload } from '#/shared/forms/use-download.ts';

interface FilesMenuProps {
  readonly examination: Examination;
  readonly onPrint: () => void;
}

/** How an examination leaves Wardline: on paper, or for another system. */
export function FilesMenu({ examination, onPrint }: FilesMenuProps) {
  const { download, isBusy } = useDownload();
  const take = () =>
    download(
      exportExamination,
      { params: { examination: examination.id } },
      { fileName: `examination-${examination.id}.json`, failed: 'The file was not made' },
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
    </Menu>
  );
}
