import { downloadFile } from '@wardline/client/http/download.ts';
import { exportCensusLog } from '@wardline/contract/census-logs.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem, MenuLabel } from '@wardline/ui/menu/menu.tsx';
import { ChevronDown, CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/page/call-context.ts';
import { failureWords } from '#/page/failure-words.ts';
import { saveFile } from '#/page/save-file.ts';
import { showToast } from '#/page/show-toast.ts';
import { isNarrowed, type LogView, logQuery } from './log-address.ts';

type Format = 'csv' | 'jsonl';

/** Takes the log as it is narrowed now as a file, with its hashes; the log keeps that it was taken. */
export function ExportMenu({ facilityId, view }: { facilityId: string; view: LogView }) {
  const call = useCall();
  const [isBusy, setIsBusy] = useState(false);
  const take = async (format: Format) => {
    setIsBusy(true);
    try {
      const input = { params: { facility: facilityId }, query: { ...logQuery(view), format } };
      saveFile(await downloadFile(call, exportCensusLog, input), `census-log.${format}`);
    } catch (error) {
      const toast = { title: 'The log was not exported', description: failureWords(error), icon: CircleAlert };
      await showToast({ ...toast, colour: 'error' });
    } finally {
      setIsBusy(false);
    }
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
