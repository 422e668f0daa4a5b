import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { SummedField } from '@wardline/contract/census/census.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { differencesOf, firstChoice, mergeDrafts } from '#/features/census/report/engine/compare-drafts.ts';
import { draftOf, withReasonKept } from '#/features/census/report/engine/report-draft.ts';
import type { EditorState, ReportEditor } from '#/features/census/report/engine/report-editor.ts';
import { cellText, type GridField, partOf, partOfText, typedFields, withPart } from './grid-entry.ts';
import { type CellEdit, type DoneEdit, EMPTY_GRID, type GridState, rowKey, rowOf, versionsOf } from './grid-state.ts';

export type RowAct = 'retry' | 'keep-mine' | 'take-theirs' | 'keep-reason';

/** All reports of a grid while somebody writes them: each is kept and sent as its own page keeps and sends it. */
export interface GridEditor extends Observable<GridState> {
  /** The reports as the server, or this device, last told them. */
  take(days: readonly UnitDay[]): void;
  edit(edits: readonly CellEdit[]): void;
  undo(): void;
  redo(): void;
  /** Hands a row in, with what the person was asked about and confirmed. */
  submit(key: string, confirmed?: readonly SummedField[]): void;
  act(key: string, act: RowAct): void;
  stop(): void;
}

interface Line {
  readonly editor: ReportEditor;
  readonly end: () => void;
  /** What was typed when the row was last sent. */
  sent: readonly GridField[];
}

/** How far back one can undo. */
const MOST_STEPS = 500;

/** Makes a grid of report editors, one for each row. */
export function createGridEditor(open: (day: UnitDay) => ReportEditor): GridEditor {
  const state = createSource<GridState>(EMPTY_GRID);
  const publish = (part: Partial<GridState> = {}): void => {
    state.set({ ...state.get(), ...part, rows: lines.rows() });
  };
  const lines = createLines(open, publish);

  return {
    get: state.get,
    subscribe: state.subscribe,
    take: lines.take,
    edit(edits) {
      const done = edits.flatMap(({ key, field, text }): DoneEdit[] => {
        const { day, draft } = lines.editorOf(key)?.get() ?? {};
        if (!day || !draft || cellText(day, draft, field) === text) return [];
        return [{ key, field, before: partOf(draft, field), after: partOfText(day, draft, { field, text }) }];
      });
      if (done.length === 0) return;
      lines.apply(done, 'after');
      publish({ past: [...state.get().past, done].slice(-MOST_STEPS), future: [] });
    },
    undo() {
      const { past, future } = state.get();
      const done = past.at(-1);
      if (!done) return;
      lines.apply(done, 'before');
      publish({ past: past.slice(0, -1), future: [...future, done] });
    },
    redo() {
      const { past, future } = state.get();
      const done = future.at(-1);
      if (!done) return;
      lines.apply(done, 'after');
      publish({ past: [...past, done], future: future.slice(0, -1) });
    },
    submit: (key, confirmed) => void lines.editorOf(key)?.submit(confirmed),
    act(key, act) {
      const editor = lines.editorOf(key);
      if (!editor) return;
      if (act === 'retry') void editor.retry();
      else if (act === 'keep-reason') editor.change((draft) => withReasonKept(draft, editor.get().day));
      else editor.resolve(act === 'keep-mine' ? mineOver(editor.get()) : draftOf(editor.get().day));
    },
    stop: lines.stop,
  };
}

/** The report editors of the rows; `onChange` is told whenever one of them, or which there are, has changed. */
function createLines(open: (day: UnitDay) => ReportEditor, onChange: () => void) {
  let lines = new Map<string, Line>();

  const follow = (key: string, before: EditorState): EditorState => {
    const line = lines.get(key);
    if (!line) return before;
    const now = line.editor.get();
    const isSent = (now.isSaving && !before.isSaving) || (now.waiting !== null && now.waiting !== before.waiting);
    if (isSent) line.sent = typedFields(now.base, now.draft);
    if (now.isConflicting && !before.isConflicting) join(line.editor);
    onChange();
    return now;
  };
  const openLine = (key: string, day: UnitDay): Line => {
    const editor = open(day);
    let before = editor.get();
    const end = editor.subscribe(() => {
      before = follow(key, before);
    });
    void editor.open();
    return { editor, end, sent: [] };
  };
  const close = ({ editor, end }: Line): void => {
    end();
    editor.stop();
  };

  return {
    rows: () => [...lines.values()].map(({ editor, sent }) => rowOf(editor.get(), sent)),
    editorOf: (key: string) => lines.get(key)?.editor,
    take(days: readonly UnitDay[]): void {
      const next = new Map<string, Line>();
      for (const day of days) {
        const key = rowKey(day);
        const known = lines.get(key);
        known?.editor.take(day);
        next.set(key, known ?? openLine(key, day));
      }
      for (const [key, line] of lines) if (!next.has(key)) close(line);
      lines = next;
      onChange();
    },
    apply(edits: readonly DoneEdit[], side: 'before' | 'after'): void {
      for (const [key, { editor }] of lines) {
        const own = edits.filter((edit) => edit.key === key);
        if (own.length > 0)
          editor.change((draft) => own.reduce((done, edit) => withPart(done, edit.field, edit[side]), draft));
      }
    },
    stop(): void {
      for (const line of lines.values()) close(line);
      lines = new Map();
    },
  };
}

/** Where nobody else changed the same cell, mine goes on top of theirs by itself; else the person decides. */
function join(editor: ReportEditor): void {
  const state = editor.get();
  const isContested = differencesOf(versionsOf(state)).some((difference) => difference.isContested);
  if (!isContested && state.day.may.edit) editor.resolve(mineOver(state));
}

function mineOver(state: EditorState) {
  const versions = versionsOf(state);
  const choices = differencesOf(versions).map((difference) => [difference.key, firstChoice(difference)] as const);
  return mergeDrafts(versions, Object.fromEntries(choices));
}
