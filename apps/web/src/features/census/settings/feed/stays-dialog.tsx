import { importStays, type StayRow } from '@wardline/contract/census-feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { FileDrop } from '@wardline/ui/input/file-drop.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useRefreshFeed } from './feed-queries.ts';

type Report = ReplyOf<typeof importStays>;

const OUTCOME_LABELS: Readonly<Record<StayRow['outcome'], string>> = {
  new: 'Brought in',
  known: 'Known already',
  refused: 'Refused',
};
/** A large file is some seconds' work. */
const PATIENCE_MS = 120_000;

function formatReport({ is_applied, counts }: Report): string {
  const { new: added, known, refused } = counts;
  const others = known > 0 ? ` ${known} known already.` : '';
  if (is_applied) return `${patients(added)} brought in.${others}`;
  if (refused > 0)
    return `${refused === 1 ? '1 line' : `${refused} lines`} refused, so nobody was brought in. Correct them and choose the file again.`;
  return added === 0
    ? `The patient system knows all of them already.`
    : `${patients(added)} to bring in.${others} Nothing is stored yet.`;
}

function patients(count: number): string {
  return count === 1 ? '1 patient' : `${count} patients`;
}

/** A file of who is in: tried first, with what each line would become; then stored whole, or not at all. */
export function StaysDialog({ facility, onClose }: { readonly facility: Facility; readonly onClose: () => void }) {
  const { file, report, failure, isBusy, run } = useStayFile(facility.id);
  const canApply = report !== null && !report.is_applied && report.counts.refused === 0 && report.counts.new > 0;
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title="Bring in who is in"
      description="CSV with the columns unit_code, bed, visit_number, admitted_at (2026-11-19 14:20) and class. A line for each patient. Nothing is stored until you confirm, and visit numbers are never kept."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            {report?.is_applied ? 'Close' : 'Cancel'}
          </Button>
          {canApply && (
            <Button isLoading={isBusy} onClick={() => file && run(file, true)}>
              {`Bring in ${patients(report.counts.new)}`}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {!report?.is_applied && (
          <FileDrop
            label={file ? file.name : 'Drop the file here'}
            help="At most 1 MB and 2,000 lines"
            accept=".csv,text/csv"
            buttonLabel={file ? 'Choose another file' : 'Choose a file'}
            isDisabled={isBusy}
            error={failure}
            onFiles={([chosen]) => chosen && run(chosen, false)}
          />
        )}
        {report && <Outcome report={report} />}
      </div>
    </Dialog>
  );
}

function useStayFile(facilityId: string) {
  const call = useCall();
  const refresh = useRefreshFeed(facilityId);
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const ask = async (chosen: File, isApplying: boolean) => {
    setFile(chosen);
    setIsBusy(true);
    setFailure(null);
    if (!isApplying) setReport(null);
    try {
      const form = new FormData();
      form.append('file', chosen);
      const query = { apply: isApplying ? 'true' : 'false' } as const;
      const params = { facility: facilityId };
      const answer = await call(importStays, { params, query, form, timeoutMs: PATIENCE_MS });
      setReport(answer);
      if (answer.is_applied) await refresh();
    } catch (error) {
      setFailure(formatFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { file, report, failure, isBusy, run: (chosen: File, isApplying: boolean) => void ask(chosen, isApplying) };
}

function Outcome({ report }: { report: Report }) {
  const hasRefused = report.counts.refused > 0;
  const rows = report.rows.filter(({ outcome, problems }) => outcome !== 'known' || problems.length > 0);
  return (
    <>
      <Banner tone={hasRefused ? 'error' : 'success'} icon={hasRefused ? CircleAlert : CircleCheck}>
        {formatReport(report)}
      </Banner>
      {rows.length > 0 && (
        <Table<StayRow>
          caption="Result of each line"
          isDense
          hasStickyHead
          onPhone="stack"
          rows={rows}
          rowKey={({ line }) => String(line)}
          columns={[
            { key: 'line', head: 'Line', cell: ({ line }) => line, isNumeric: true, isRowHead: false },
            { key: 'unit', head: 'Unit', cell: ({ unit_code }) => unit_code ?? '–', isRowHead: true },
            { key: 'bed', head: 'Bed', cell: ({ bed }) => bed ?? '–' },
            {
              key: 'outcome',
              head: 'Becomes',
              cell: ({ outcome }) => (
                <Badge tone={outcome === 'refused' ? 'error' : 'neutral'}>{OUTCOME_LABELS[outcome]}</Badge>
              ),
            },
            {
              key: 'why',
              head: 'Why',
              cell: ({ problems }) =>
                problems.map(({ column, code, message }) => (
                  <p key={`${column} ${code}`}>
                    {column && <code>{column}</code>} {message}
                  </p>
                )),
            },
          ]}
        />
      )}
    </>
  );
}
