import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { type ImportRow, importCensus } from '@wardline/contract/census-exchange.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { FileDrop } from '@wardline/ui/input/file-drop.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Progress } from '@wardline/ui/progress/progress.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';

const OUTCOME_LABELS: Readonly<Record<ImportRow['outcome'], string>> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Refused',
};

/** What a file comes to, in a sentence or two. */
function formatImport({ is_applied, counts }: ReplyOf<typeof importCensus>): string {
  const changes = counts.new + counts.changed;
  if (is_applied) return `${lines(changes)} stored, ${counts.unchanged} unchanged.`;
  if (counts.refused > 0) {
    return `${lines(counts.refused)} refused, so nothing was imported. Correct them and choose the file again.`;
  }
  if (changes === 0) return 'Everything in the file is stored already.';
  return `${lines(counts.new)} new, ${counts.changed} changed, ${counts.unchanged} unchanged. Nothing is stored yet.`;
}

function lines(number: number): string {
  return number === 1 ? '1 line' : `${number} lines`;
}

type Step = 'try' | 'apply';

const BUSY_LABELS: Readonly<Record<Step, string>> = {
  try: 'Checking the lines of the file',
  apply: 'Storing the reports',
};

/** The server takes back what it has begun; what it had just finished, the next try shows. */
const CANCELLED: Readonly<Record<Step, string>> = {
  try: 'Cancelled. Nothing was stored.',
  apply: 'Cancelled. Choose the file again to see whether it was stored.',
};

function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'cancelled';
}

function formatEnd(error: unknown, step: Step): string {
  return isCancelled(error) ? CANCELLED[step] : formatFailure(error);
}

/** A large file is some seconds' work. */
const PATIENCE_MS = 120_000;

type Report = ReplyOf<typeof importCensus>;

interface ImportDialogProps {
  readonly facility: Facility;
  readonly onClose: () => void;
}

/** A file of unit reports: tried first, with what each line would become; then stored whole, or not at all. */
export function ImportDialog({ facility, onClose }: ImportDialogProps) {
  const { file, report, failure, busyWith, run, cancel } = useImport(facility);
  const isBusy = busyWith !== null;
  const canApply = report !== null && !report.is_applied && report.counts.refused === 0 && changesOf(report) > 0;
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={`Import into ${facility.name}`}
      description="CSV or XLSX with the columns of an export. Nothing is stored until you confirm."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            {report?.is_applied ? 'Close' : 'Cancel'}
          </Button>
          {canApply && (
            <Button isLoading={isBusy} onClick={() => file && run(file, true)}>
              {`Import ${count(changesOf(report), 'report')}`}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {!report?.is_applied && (
          <FileDrop
            label={file ? file.name : 'Drop the file here'}
            help="At most 5 MB and 2,000 lines"
            accept=".csv,.xlsx,text/csv"
            buttonLabel={file ? 'Choose another file' : 'Choose a file'}
            isDisabled={isBusy}
            error={failure}
            onFiles={([chosen]) => chosen && run(chosen, false)}
          />
        )}
        {isBusy && <Progress label={BUSY_LABELS[busyWith]} value={null} onCancel={cancel} />}
        {report && <Outcome report={report} />}
      </div>
    </Dialog>
  );
}

function useImport({ id }: Facility) {
  const call = useCall();
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busyWith, setBusyWith] = useState<Step | null>(null);
  const ending = useRef<AbortController | null>(null);
  // Who closes the dialog has not waited for the end: the server gives up what nobody waits for.
  useEffect(() => () => ending.current?.abort(), []);
  const ask = async (chosen: File, isApplying: boolean) => {
    setFile(chosen);
    const step = isApplying ? 'apply' : 'try';
    setBusyWith(step);
    const controller = new AbortController();
    ending.current = controller;
    setFailure(null);
    if (!isApplying) setReport(null);
    try {
      const query = { facility: id, apply: isApplying ? 'true' : 'false' } as const;
      const form = new FormData();
      form.append('file', chosen);
      const answer = await call(importCensus, { query, form, signal: controller.signal, timeoutMs: PATIENCE_MS });
      setReport(answer);
      if (answer.is_applied) await queryClient.invalidateQueries();
    } catch (error) {
      setFailure(formatEnd(error, step));
      // What it was about to become is old where it may have been stored.
      if (isCancelled(error)) setReport(null);
    } finally {
      setBusyWith(null);
    }
  };
  return {
    file,
    report,
    failure,
    busyWith,
    run: (chosen: File, isApplying: boolean) => void ask(chosen, isApplying),
    cancel: () => ending.current?.abort(),
  };
}

function Outcome({ report }: { report: Report }) {
  const hasRefused = report.counts.refused > 0;
  const lines = report.rows.filter(({ outcome }) => outcome !== 'unchanged');
  return (
    <>
      <Banner tone={hasRefused ? 'error' : 'success'} icon={hasRefused ? CircleAlert : CircleCheck}>
        {formatImport(report)}
      </Banner>
      {lines.length > 0 && (
        <Table<ImportRow>
          caption="Result of each line"
          isDense
          hasStickyHead
          onPhone="stack"
          rows={lines}
          rowKey={({ line }) => String(line)}
          columns={[
            { key: 'line', head: 'Line', cell: ({ line }) => line, isNumeric: true, isRowHead: false },
            { key: 'unit', head: 'Unit', cell: ({ unit_code }) => unit_code ?? '–', isRowHead: true },
            { key: 'date', head: 'Date', cell: ({ census_date }) => census_date ?? '–' },
            { key: 'outcome', head: 'Becomes', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
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

function OutcomeBadge({ outcome }: Pick<ImportRow, 'outcome'>) {
  return <Badge tone={outcome === 'refused' ? 'error' : 'neutral'}>{OUTCOME_LABELS[outcome]}</Badge>;
}

function changesOf({ counts }: Report): number {
  return counts.new + counts.changed;
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}
