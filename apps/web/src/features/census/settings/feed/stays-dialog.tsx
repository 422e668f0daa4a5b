import { importStays, type StayRow } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { FileImportDialog } from '#/shared/forms/dialogs/file-import-dialog.tsx';
import { useRefreshFeed } from './feed-queries.ts';

type Report = ReplyOf<typeof importStays>;

const OUTCOME_LABELS: Readonly<Record<StayRow['outcome'], string>> = {
  new: 'Brought in',
  known: 'Known already',
  refused: 'Refused',
};
const BUSY_LABELS = { try: 'Checking the lines of the file', apply: 'Bringing in the patients' };

function formatReport({ is_applied, counts }: Report): string {
  const { new: added, known, refused } = counts;
  const others = known > 0 ? ` ${known} known already.` : '';
  if (is_applied) return `${patients(added)} brought in.${others}`;
  if (refused > 0)
    return `${counted(refused, 'line')} refused, so nobody was brought in. Correct the file and choose it again.`;
  return added === 0
    ? `The patient system knows all of them already.`
    : `${patients(added)} to bring in.${others} Nothing is stored yet.`;
}

const patients = (count: number) => counted(count, 'patient');

/** A file of who is in. */
export function StaysDialog({ facility, onClose }: { readonly facility: Facility; readonly onClose: () => void }) {
  const call = useCall();
  const refresh = useRefreshFeed(facility.id);
  return (
    <FileImportDialog<StayRow, Report>
      title="Bring in who is in"
      description="CSV with the columns unit_code, bed, visit_number, admitted_at (2026-11-19 14:20) and population. A line for each patient. Nothing is stored until you confirm, and visit numbers are never kept."
      fileHelp="At most 1 MB and 2,000 lines"
      accept=".csv,text/csv"
      busyLabels={BUSY_LABELS}
      outcomeLabels={OUTCOME_LABELS}
      formatReport={formatReport}
      applyLabel={({ counts }) => (counts.new > 0 ? `Bring in ${patients(counts.new)}` : null)}
      isShown={({ outcome, problems }) => outcome !== 'known' || problems.length > 0}
      columns={[
        { key: 'unit', head: 'Unit', cell: ({ unit_code }) => unit_code ?? '–' },
        { key: 'bed', head: 'Bed', cell: ({ bed }) => bed ?? '–' },
      ]}
      send={(sending) => call(importStays, { params: { facility: facility.id }, ...sending })}
      onApplied={refresh}
      onClose={onClose}
    />
  );
}
