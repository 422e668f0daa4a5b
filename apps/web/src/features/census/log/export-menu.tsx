import { exportCensusLog } from '@wardline/contract/census-logs.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem, MenuLabel } from '@wardline/ui/menu/menu.tsx';
import { ChevronDown, Download } from 'lucide-react';
import { useDownload } from '#/shared/forms/use-download.ts';
import { isNarrowed, type LogView, logQuery } from './log-address.ts';

type Format = 'csv' | 'jsonl';

/** Takes the log as it is narrowed now as a file, with its hashes; the log keeps that it was taken. */
export function ExportMenu({ facilityId, view }: { facilityId: string; view: LogView }) {
  const { download, isBusy } = useDownload();
  const take = (format: Format) => {
    const input = { params: { facility: facilityId }, query: { ...logQuery(view), format } };
    return download(exportCensusLog, input, { fileName: `census-log.${format}`, failed: 'The log was not exported' });
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="outline" color="neutral" icon={Download} trailingIcon={ChevronDown} isLoading={isBusy}>
          Export
        </Button>
      }
    >
      <MenuLabel>{isNarrowed(view) ? 'What the filters show' : 'The whole log'}</MenuLabel>
      <MenuItem onSelect={() => void take('csv')}>CSV, for a spreadsheet</MenuItem>
      <MenuItem onSelect={() => void take('jsonl')}>JSON lines, to check the hashes</MenuItem>
    </Menu>
  );
}
