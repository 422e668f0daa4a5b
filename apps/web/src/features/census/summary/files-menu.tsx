import { type ExportKind, exportCensus } from '@wardline/contract/census/exchange.ts';
import type { SummaryStep } from '@wardline/contract/census/summary.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import { ChevronDown, FolderSync } from 'lucide-react';
import { useState } from 'react';
import { stepOf } from '#/features/census/core/changes/summary-queries.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

const ImportDialog = lazyPart(async () => (await import('./import-dialog.tsx')).ImportDialog, {
  onMissing: closeMissing,
});

interface FilesMenuProps {
  readonly facility: Facility;
  readonly from: string;
  readonly to: string;
  /** The range in words. */
  readonly formatRange: string;
  /** The sheets that the range can be put on. */
  readonly sheets: ReadonlyArray<{ readonly title: string; readonly onOpen: () => void }>;
}

type Format = 'csv' | 'xlsx';

/** What goes out of the census and into it as files. */
export function FilesMenu({ facility, from, to, formatRange, sheets }: FilesMenuProps) {
  const { download, isBusy } = useDownload();
  const [isImporting, setIsImporting] = useState(false);
  // The whole range first, then its days, or of more than a year its months.
  const by = from === to ? 'total' : stepOf({ from, to });
  const take = (kind: ExportKind, format?: Format, rest: { by?: SummaryStep } = {}) => {
    const query = { facility: facility.id, from, to, ...(format && { format }), ...rest };
    const text = { fileName: `census-${kind}`, failed: 'The file was not made' };
    return download(exportCensus, { params: { kind }, query }, text);
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button
            variant="outline"
            color="neutral"
            icon={FolderSync}
            trailingIcon={ChevronDown}
            label="Files"
            isLoading={isBusy}
          >
            <span className="only-desk">Files</span>
          </Button>
        }
      >
        <MenuLabel>{`Export ${formatRange}`}</MenuLabel>
        <MenuItem onSelect={() => void take('measures', 'xlsx', { by })}>Measures, XLSX</MenuItem>
        <MenuItem onSelect={() => void take('measures', 'csv', { by })}>Measures, CSV</MenuItem>
        <MenuItem onSelect={() => void take('unit-days', 'xlsx')}>Unit reports, XLSX</MenuItem>
        <MenuItem onSelect={() => void take('unit-days', 'csv')}>Unit reports, CSV</MenuItem>
        {sheets.map(({ title, onOpen }) => (
          <MenuItem key={title} onSelect={onOpen}>
            {title}, PDF
          </MenuItem>
        ))}
        <MenuItem onSelect={() => void take('saner-measure-report')}>FHIR MeasureReport, SANER</MenuItem>
        <MenuItem onSelect={() => void take('safr-measure-report')}>FHIR MeasureReport, US SAFR</MenuItem>
        <MenuItem onSelect={() => void take('saner-csv')}>Bed capacity, SANER CSV</MenuItem>
        <MenuItem onSelect={() => void take('nhsn-csv')}>Bed capacity, NHSN CSV</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => void take('template', 'xlsx')}>Template of reports due, XLSX</MenuItem>
        <MenuItem onSelect={() => setIsImporting(true)}>Import a file</MenuItem>
      </Menu>
      {isImporting && <ImportDialog facility={facility} onClose={() => setIsImporting(false)} />}
    </>
  );
}
