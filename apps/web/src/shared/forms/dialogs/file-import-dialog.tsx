import { ApiError } from '@wardline/client/http/api-error.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { FileDrop } from '@wardline/ui/input/file-drop.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Progress } from '@wardline/ui/progress/progress.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { CircleAlert, CircleCheck, Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { saveFile } from './use-download.ts';

/** What the server says of a file. */
interface ImportReport<Row> {
  readonly is_applied: boolean;
  readonly counts: { readonly refused: number };
  readonly rows: readonly Row[];
}

interface ImportedRow {
  readonly line: number;
  readonly outcome: string;
  readonly problems: readonly { readonly column: string | null; readonly code: string; readonly message: string }[];
}

interface LineColumn<Row> {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
}

interface NameColumn<Row> extends LineColumn<Row> {
  readonly cell: (row: Row) => string;
}

type Step = 'try' | 'apply';

interface Sending {
  readonly query: { readonly apply: 'true' | 'false' };
  readonly form: FormData;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

interface FileImportProps<Row extends ImportedRow, Report extends ImportReport<Row>> {
  readonly title: string;
  readonly description: string;
  readonly fileHelp: string;
  readonly accept: string;
  /** What lines may look like, where they can be pasted as well. */
  readonly pasteExample?: string;
  readonly busyLabels: Readonly<Record<Step, string>>;
  readonly outcomeLabels: Readonly<Record<Row['outcome'], string>>;
  /** What the file comes to, in a sentence or two. */
  readonly formatReport: (report: Report) => string;
  /** What the button that stores it says; null where there is nothing to store. */
  readonly applyLabel: (report: Report) => string | null;
  readonly isShown: (row: Row) => boolean;
  /** What names a line, between its number and what it becomes: the first stands as its head. */
  readonly columns: readonly [NameColumn<Row>, LineColumn<Row>];
  /** A file to fill in, where one is given. */
  readonly template?: { readonly fileName: string; readonly text: string };
  readonly send: (sending: Sending) => Promise<Report>;
  readonly onApplied: () => Promise<void>;
  readonly onClose: () => void;
}

/** A file of lines: tried first, with what each line would become; then stored whole, or not at all. */
export function FileImportDialog<Row extends ImportedRow, Report extends ImportReport<Row>>(
  props: FileImportProps<Row, Report>,
) {
  const { title, description, fileHelp, accept, busyLabels, formatReport, applyLabel, onClose, template } = props;
  const { file, report, failure, busyWith, run, cancel } = useFileImport(props.send, props.onApplied);
  const isBusy = busyWith !== null;
  const canApply = report !== null && !report.is_applied && report.counts.refused === 0;
  const apply = canApply ? applyLabel(report) : null;
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            {report?.is_applied ? 'Close' : 'Cancel'}
          </Button>
          {apply !== null && (
            <Button isLoading={isBusy} onClick={() => file && run(file, 'apply')}>
              {apply}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {!report?.is_applied && (
          <FileDrop
            label={file ? file.name : 'Drop the file here'}
            help={fileHelp}
            accept={accept}
            buttonLabel={file ? 'Choose another file' : 'Choose a file'}
            isDisabled={isBusy}
            error={failure}
            onFiles={([chosen]) => chosen && run(chosen, 'try')}
          />
        )}
        {template && report === null && (
          <p>
            <Button variant="link" icon={Download} onClick={() => saveTemplate(template)}>
              Download a template
            </Button>
          </p>
        )}
        {!report?.is_applied && props.pasteExample !== undefined && (
          <PasteBox example={props.pasteExample} isDisabled={isBusy} onFile={(pasted) => run(pasted, 'try')} />
        )}
        {isBusy && <Progress label={busyLabels[busyWith]} value={null} onCancel={cancel} />}
        {report && <Outcome {...props} report={report} sentence={formatReport(report)} />}
      </div>
    </Dialog>
  );
}

function saveTemplate({ fileName, text }: { readonly fileName: string; readonly text: string }): void {
  saveFile({ blob: new Blob([text], { type: 'text/csv' }), fileName: null }, fileName);
}

interface PasteBoxProps {
  readonly example: string;
  readonly isDisabled: boolean;
  readonly onFile: (file: File) => void;
}

/** The lines themselves, as they come from a spreadsheet. */
function PasteBox({ example, isDisabled, onFile }: PasteBoxProps) {
  const [text, setText] = useState('');
  return (
    <>
      <Textarea
        label="Or paste the lines"
        rows={4}
        spellCheck={false}
        autoComplete="off"
        placeholder={example}
        value={text}
        disabled={isDisabled}
        onChange={(event) => setText(event.target.value)}
      />
      <p>
        <Button
          variant="outline"
          color="neutral"
          disabled={isDisabled || text.trim() === ''}
          onClick={() => onFile(new File([text], 'Pasted lines', { type: 'text/csv' }))}
        >
          Check the lines
        </Button>
      </p>
    </>
  );
}

/** The server takes back what it has begun; what it had just finished, the next try shows. */
const CANCELLED: Readonly<Record<Step, string>> = {
  try: 'Cancelled. Nothing was stored.',
  apply: 'Cancelled. Choose the file again to see whether it was stored.',
};

function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'cancelled';
}

/** A large file is some seconds' work. */
const PATIENCE_MS = 120_000;

function useFileImport<Report extends { readonly is_applied: boolean }>(
  send: (sending: Sending) => Promise<Report>,
  onApplied: () => Promise<void>,
) {
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busyWith, setBusyWith] = useState<Step | null>(null);
  const ending = useRef<AbortController | null>(null);
  // Who closes the dialog has not waited for the end: the server gives up what nobody waits for.
  useEffect(() => () => ending.current?.abort(), []);
  const ask = async (chosen: File, step: Step) => {
    setFile(chosen);
    setBusyWith(step);
    const controller = new AbortController();
    ending.current = controller;
    setFailure(null);
    if (step === 'try') setReport(null);
    try {
      const form = new FormData();
      form.append('file', chosen);
      const query = { apply: step === 'apply' ? 'true' : 'false' } as const;
      const answer = await send({ query, form, signal: controller.signal, timeoutMs: PATIENCE_MS });
      setReport(answer);
      if (answer.is_applied) await onApplied();
    } catch (error) {
      setFailure(isCancelled(error) ? CANCELLED[step] : formatFailure(error));
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
    run: (chosen: File, step: Step) => void ask(chosen, step),
    cancel: () => ending.current?.abort(),
  };
}

type OutcomeProps<Row extends ImportedRow> = Pick<
  FileImportProps<Row, ImportReport<Row>>,
  'outcomeLabels' | 'isShown' | 'columns'
> & { readonly report: ImportReport<Row>; readonly sentence: string };

function Outcome<Row extends ImportedRow>({ report, sentence, outcomeLabels, isShown, columns }: OutcomeProps<Row>) {
  const hasRefused = report.counts.refused > 0;
  const rows = report.rows.filter(isShown);
  const [named, detail] = columns;
  return (
    <>
      <Banner tone={hasRefused ? 'error' : 'success'} icon={hasRefused ? CircleAlert : CircleCheck}>
        {sentence}
      </Banner>
      {rows.length > 0 && (
        <Table<Row>
          caption="Result of each line"
          isDense
          hasStickyHead
          onPhone="stack"
          rows={rows}
          rowKey={(row) => `${row.line} ${named.cell(row)}`}
          columns={[
            { key: 'line', head: 'Line', cell: ({ line }) => line, isNumeric: true, isRowHead: false },
            { ...named, isRowHead: true },
            detail,
            {
              key: 'outcome',
              head: 'Becomes',
              cell: ({ outcome }) => (
                <Badge tone={outcome === 'refused' ? 'error' : 'neutral'}>
                  {outcomeLabels[outcome as Row['outcome']]}
                </Badge>
              ),
            },
            {
              key: 'why',
              head: 'Why',
              cell: ({ problems }) =>
                problems.map(({ column: name, code, message }) => (
                  <p key={`${name} ${code} ${message}`}>
                    {name && <code>{name}</code>} {message}
                  </p>
                )),
            },
          ]}
        />
      )}
    </>
  );
}
