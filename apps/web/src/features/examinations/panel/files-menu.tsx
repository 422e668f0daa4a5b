import { type Examination, exportExamination } from '@wardline/contract/examinations/examinations.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { SheetMenu } from '#/shared/sheet/sheet-menu.tsx';

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
  return <SheetMenu onPrint={onPrint} onExport={() => void take()} isExporting={isBusy} />;
}
