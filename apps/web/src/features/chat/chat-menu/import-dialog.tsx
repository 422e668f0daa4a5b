import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { type ImportRow, importExaminations } from '@wardline/contract/examinations/imports.ts';
import { counted } from '@wardline/format/counts.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { FileImportDialog } from '#/shared/forms/dialogs/file-import-dialog.tsx';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';

type Report = ReplyOf<typeof importExaminations>;

const OUTCOME_LABELS: Readonly<Record<ImportRow['outcome'], string>> = {
  ...{ new: 'Imported', known: 'Here already', refused: 'Refused', left_out: 'Left out' },
};
const BUSY_LABELS = { try: 'Reading the file', apply: 'Importing the reports' };

function formatReport({ is_applied, counts }: Report): string {
  const { new: added, known, refused, left_out } = counts;
  const others = `${known > 0 ? ` ${counted(known, 'report')} here already.` : ''}${left_out > 0 ? ` Messages, pictures and findings without a report stay out: ${left_out}.` : ''}`;
  if (is_applied) return `${counted(added, 'report')} imported.${others}`;
  if (refused > 0) return `${counted(refused, 'report')} can’t be imported, so nothing was.`;
  if (added === 0) return `Everything in the file is in this chat already.`;
  return `${counted(added, 'report')} to import.${others} Nothing is stored yet.`;
}

interface ImportDialogProps {
  readonly chat: Chat;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** Reports of the chat’s patient from another system, or another chat: shown finding by finding before they are stored. */
export function ImportDialog({ chat, timeZone, onClose }: ImportDialogProps) {
  const call = useCall();
  const queries = useQueryClient();
  return (
    <FileImportDialog<ImportRow, Report>
      title="Import from FHIR"
      description="Reports about this patient, as Wardline exports them. They are marked as imported and keep their times. Nothing is stored until you confirm, and nothing here is changed."
      fileHelp="At most 5 MB"
      accept=".json,application/json,application/fhir+json"
      busyLabels={BUSY_LABELS}
      outcomeLabels={OUTCOME_LABELS}
      formatReport={formatReport}
      applyLabel={({ counts }) => (counts.new > 0 ? `Import ${counted(counts.new, 'report')}` : null)}
      isShown={() => true}
      columns={[
        { key: 'title', head: 'Finding', cell: ({ title }) => title },
        {
          key: 'value',
          head: 'Value',
          cell: ({ kind, value }) =>
            kind === 'report' && value !== '' ? momentIn(timeZone, Date.parse(value)) : value,
        },
      ]}
      send={(sending) => call(importExaminations, { params: { chat: chat.id }, ...sending })}
      onApplied={() => queries.invalidateQueries({ queryKey: ['examinations', chat.id] })}
      onClose={onClose}
    />
  );
}
