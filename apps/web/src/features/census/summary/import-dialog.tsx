import { type ImportRow, importCensus } from '@wardline/contract/census/exchange.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { FileImportDialog } from '#/shared/forms/dialogs/file-import-dialog.tsx';
import { useQueryClient } from '#/shared/queries/use-query.ts';

type Report = ReplyOf<typeof importCensus>;

const OUTCOME_LABELS: Readonly<Record<ImportRow['outcome'], string>> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Refused',
};
const BUSY_LABELS = { try: 'Checking the lines of the file', apply: 'Storing the reports' };

function formatReport({ is_applied, counts }: Report): string {
  const changes = counts.new + counts.changed;
  if (is_applied) return `${lines(changes)} stored, ${counts.unchanged} unchanged.`;
  if (counts.refused > 0) {
    return `${lines(counts.refused)} refused, so nothing was imported. Correct the file and choose it again.`;
  }
  if (changes === 0) return 'Everything in the file is stored already.';
  return `${lines(counts.new)} new, ${counts.changed} changed, ${counts.unchanged} unchanged. Nothing is stored yet.`;
}

function applyLabel({ counts }: Report): string | null {
  const changes = counts.new + counts.changed;
  if (changes === 0) return null;
  return changes === 1 ? 'Import 1 report' : `Import ${changes} reports`;
}

const lines = (count: number) => counted(count, 'line');

interface ImportDialogProps {
  readonly facility: Facility;
  readonly onClose: () => void;
}

/** A file of unit reports. */
export function ImportDialog({ facility, onClose }: ImportDialogProps) {
  const call = useCall();
  const queryClient = useQueryClient();
  return (
    <FileImportDialog<ImportRow, Report>
      title={`Import into ${facility.name}`}
      description="CSV or XLSX with the columns of an export. Nothing is stored until you confirm."
      fileHelp="At most 5 MB and 2,000 lines"
      accept=".csv,.xlsx,text/csv"
      busyLabels={BUSY_LABELS}
      outcomeLabels={OUTCOME_LABELS}
      formatReport={formatReport}
      applyLabel={applyLabel}
      isShown={({ outcome }) => outcome !== 'unchanged'}
      columns={[
        { key: 'unit', head: 'Unit', cell: ({ unit_code }) => unit_code ?? '–' },
        { key: 'date', head: 'Date', cell: ({ census_date }) => <span className="nowrap">{census_date ?? '–'}</span> },
      ]}
      send={({ query, ...rest }) => call(importCensus, { query: { facility: facility.id, ...query }, ...rest })}
      onApplied={() => queryClient.invalidateQueries()}
      onClose={onClose}
    />
  );
}
