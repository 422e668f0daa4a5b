import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { CircleAlert } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { showToast } from '#/shared/contexts/show-toast.ts';
import { isFocusFree } from '#/shared/navigation/is-focus-free.ts';
import { createReportEditor, type ReportEditor } from './report-editor.ts';
import { findingsOf } from './report-findings.ts';
import { reportOutbox } from './report-outbox.ts';
import { focusFirst, focusOn, inputId, isOnPage, type ReportView } from './report-view.ts';
import { answerKey, type UnusualTyped, unusualIn } from './unusual.ts';
import { placeOf, useTellReports } from './use-reports.ts';

/** Runs the editor of one report and says when which sentence is due. The caller is keyed by the report. */
export function useReportView(day: UnitDay): ReportView {
  const editor = useReportEditor(day);
  const state = useSyncExternalStore(editor.subscribe, editor.get);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [asked, setAsked] = useState<readonly UnusualTyped[] | null>(null);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());

  const isEditable = state.day.may.edit && (state.unsent === null || state.unsent.state === 'failed');
  const findings = isEditable ? findingsOf(state.draft, state.day, isTried) : [];
  const said = [...state.refusals, ...findings.filter(({ field }) => isTried || (field !== null && left.has(field)))];
  const errorOf = (field: string) => said.find((finding) => finding.field === field)?.message;

  const submit = async (isConfirmed: boolean) => {
    if (isBusy || !isEditable) return;
    const { draft, day: shown } = editor.get();
    const unusual = unusualIn(draft, shown);
    const isNew = unusual.some((count) => !answered.has(answerKey(count)));
    // What cannot be submitted is said first.
    if (!isConfirmed && isNew && findingsOf(draft, shown, true).length === 0) {
      setAsked(unusual);
      return;
    }
    setAsked(null);
    if (isConfirmed) setAnswered(new Set([...answered, ...unusual.map(answerKey)]));
    setIsBusy(true);
    setIsTried(true);
    try {
      const confirmed = isConfirmed || !isNew ? unusual.map(({ field }) => field) : [];
      const wrong = await editor.submit(confirmed);
      if (wrong.length === 0) setIsTried(false);
      else focusFirst(wrong);
    } catch {
      sayNotKept();
    } finally {
      setIsBusy(false);
    }
  };
  return {
    state,
    editor,
    isEditable,
    errorOf,
    leave: (field) => setLeft((before) => (before.has(field) ? before : new Set([...before, field]))),
    general: said.filter(({ field }) => field === null || !isOnPage(field)),
    submit: () => void submit(false),
    isBusy,
    unusual: asked,
    confirm: () => void submit(true),
    change() {
      const [first] = asked ?? [];
      setAsked(null);
      // Once the dialog has given the focus back.
      if (first) setTimeout(() => focusOn(inputId(first.field)));
    },
  };
}

function sayNotKept(): void {
  showToast({
    title: 'This device could not keep the report',
    description: 'It is still here; try again.',
    colour: 'error',
    icon: CircleAlert,
  }).catch(() => undefined);
}

function useReportEditor(day: UnitDay): ReportEditor {
  const call = useCall();
  const { store, outbox } = useDevice();
  const { refresh, took } = useTellReports(day.facility_id);
  const first = useRef(day);
  const tell = useRef({ refresh, took });
  useEffect(() => {
    tell.current = { refresh, took };
  });
  const editor = useMemo(() => {
    const reports = reportOutbox(outbox, call);
    const place = placeOf(first.current);
    return createReportEditor({ day: first.current, store, call, reports, refresh: () => tell.current.refresh(place) });
  }, [store, outbox, call]);
  useRunning(editor, tell);
  useEffect(() => editor.take(day), [editor, day]);
  return editor;
}

function useRunning(editor: ReportEditor, tell: RefObject<{ took: (day: UnitDay) => void }>): void {
  const stopping = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(stopping.current);
    let receipt = editor.get().receipt;
    const undo = editor.subscribe(() => {
      const next = editor.get().receipt;
      if (next && next !== receipt) tell.current.took(next);
      receipt = next;
    });
    void editor.open().then(focusOnFirstEmpty);
    return () => {
      undo();
      // Not at once: in strict mode React unmounts and mounts again in one go.
      stopping.current = setTimeout(editor.stop);
    };
  }, [editor, tell]);
}

/** Who comes to write begins to write; somebody who has gone elsewhere on the page meanwhile is left there. */
function focusOnFirstEmpty(): void {
  if (!isFocusFree()) return;
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[data-step]:not(:disabled)')];
  fields.find(({ value }) => value === '')?.focus();
}
