import type { Finding, UnitDay } from '@wardline/contract/census.ts';
import { type GridField, storedText, type Troubles, type Typed, troublesAt } from './grid-entry.ts';

/** How a row stands with the server. */
export type RowSave =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving'; readonly sent: Typed }
  | { readonly kind: 'saved'; readonly fields: readonly GridField[] }
  | { readonly kind: 'refused'; readonly message: string; readonly troubles: Troubles }
  /** Somebody else changed these cells; `theirs` is the report as it is now. */
  | { readonly kind: 'conflict'; readonly theirs: UnitDay; readonly fields: readonly GridField[] };

export interface GridRow {
  readonly key: string;
  /** The report as the server had it when it was last heard of. */
  readonly day: UnitDay;
  readonly typed: Typed;
  readonly save: RowSave;
}

/** One cell that was changed, by typing, pasting, filling or clearing. */
export interface CellEdit {
  readonly key: string;
  readonly field: GridField;
  readonly text: string;
}

interface DoneEdit extends CellEdit {
  readonly before: string;
}

export interface GridState {
  readonly rows: readonly GridRow[];
  /** What was done, the last one last; what a paste changed is one. */
  readonly past: readonly (readonly DoneEdit[])[];
  readonly future: readonly (readonly DoneEdit[])[];
}

export type GridAction =
  | { readonly type: 'heard'; readonly days: readonly UnitDay[] }
  | { readonly type: 'edit'; readonly edits: readonly CellEdit[] }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'saving'; readonly key: string }
  | { readonly type: 'saved'; readonly key: string; readonly day: UnitDay }
  | { readonly type: 'refused'; readonly key: string; readonly message: string; readonly findings: readonly Refusal[] }
  | { readonly type: 'conflict'; readonly key: string; readonly theirs: UnitDay }
  | { readonly type: 'retry'; readonly key: string }
  | { readonly type: 'keep-mine'; readonly key: string }
  | { readonly type: 'take-theirs'; readonly key: string };

type Refusal = Pick<Finding, 'field' | 'message'>;

export const EMPTY_GRID: GridState = { rows: [], past: [], future: [] };

export function rowKey({ unit_id, class: name }: Pick<UnitDay, 'unit_id' | 'class'>): string {
  return `${unit_id}-${name}`;
}

/** What becomes of the grid; what somebody typed is only ever lost by their own doing. */
export function gridReducer(state: GridState, action: GridAction): GridState {
  switch (action.type) {
    case 'heard':
      return { ...state, rows: action.days.map((day) => heard(state.rows, day)) };
    case 'edit':
      return edited(state, action.edits);
    case 'undo':
      return stepped(state, 'past');
    case 'redo':
      return stepped(state, 'future');
    default:
      return { ...state, rows: state.rows.map((row) => (row.key === action.key ? rowAfter(row, action) : row)) };
  }
}

/** News of a report; a row somebody types in keeps its base, so that what differs is found when it is saved. */
function heard(rows: readonly GridRow[], day: UnitDay): GridRow {
  const key = rowKey(day);
  const row = rows.find((known) => known.key === key);
  if (!row) return { key, day, typed: {}, save: { kind: 'idle' } };
  if (isDirty(row) || row.save.kind === 'saving' || day.version < row.day.version) {
    return row.day.version === day.version ? { ...row, day } : row;
  }
  return { ...row, day };
}

export function isDirty({ typed }: GridRow): boolean {
  return Object.keys(typed).length > 0;
}

function edited(state: GridState, edits: readonly CellEdit[]): GridState {
  const done = edits.flatMap((edit): DoneEdit[] => {
    const row = state.rows.find(({ key }) => key === edit.key);
    const before = row && (row.typed[edit.field] ?? storedText(row.day, edit.field));
    return before === undefined || before === edit.text ? [] : [{ ...edit, before }];
  });
  if (done.length === 0) return state;
  return { rows: write(state.rows, done), past: [...state.past, done], future: [] };
}

function stepped(state: GridState, from: 'past' | 'future'): GridState {
  const done = state[from].at(-1);
  if (!done) return state;
  const back = from === 'past';
  const rows = write(state.rows, back ? done.map((edit) => ({ ...edit, text: edit.before })) : done);
  return back
    ? { rows, past: state.past.slice(0, -1), future: [...state.future, done] }
    : { rows, past: [...state.past, done], future: state.future.slice(0, -1) };
}

function write(rows: readonly GridRow[], edits: readonly CellEdit[]): GridRow[] {
  return rows.map((row) => {
    const own = edits.filter(({ key }) => key === row.key);
    if (own.length === 0) return row;
    const typed: Partial<Record<GridField, string>> = { ...row.typed };
    for (const { field, text } of own) {
      // While a save is under way what it sends counts as stored: taking it back is a change again.
      if (text === storedText(row.day, field) && row.save.kind !== 'saving') delete typed[field];
      else typed[field] = text;
    }
    return {
      ...row,
      typed,
      save: row.save.kind === 'saving' || row.save.kind === 'conflict' ? row.save : { kind: 'idle' },
    };
  });
}

type RowAction = Extract<GridAction, { readonly key: string }>;

function rowAfter(row: GridRow, action: RowAction): GridRow {
  switch (action.type) {
    case 'saving':
      return { ...row, save: { kind: 'saving', sent: row.typed } };
    case 'saved':
      return { ...row, day: action.day, typed: stillTyped(row, action.day), save: savedOf(row) };
    case 'refused':
      return { ...row, save: { kind: 'refused', message: action.message, troubles: troublesAt(action.findings) } };
    case 'conflict':
      return met(row, action.theirs);
    case 'retry':
      return row.save.kind === 'refused' ? { ...row, save: { kind: 'idle' } } : row;
    case 'keep-mine':
      return row.save.kind === 'conflict' ? { ...row, day: row.save.theirs, save: { kind: 'idle' } } : row;
    case 'take-theirs':
      return row.save.kind === 'conflict' ? { ...row, day: row.save.theirs, typed: {}, save: { kind: 'idle' } } : row;
  }
}

/** What was typed since the save left. */
function stillTyped({ typed, save }: GridRow, day: UnitDay): Typed {
  const sent = save.kind === 'saving' ? save.sent : {};
  return entriesOf(typed, (field, text) => sent[field] !== text && storedText(day, field) !== text);
}

function savedOf({ save }: GridRow): RowSave {
  return { kind: 'saved', fields: save.kind === 'saving' ? (Object.keys(save.sent) as GridField[]) : [] };
}

/** Where both changed the same cell the person decides; else mine goes on top of theirs by itself. */
function met(row: GridRow, theirs: UnitDay): GridRow {
  const typed = entriesOf(row.typed, (field, text) => storedText(theirs, field) !== text);
  const fields = (Object.keys(typed) as GridField[]).filter(
    (field) => storedText(theirs, field) !== storedText(row.day, field),
  );
  if (fields.length === 0) return { ...row, day: theirs, typed, save: { kind: 'idle' } };
  return { ...row, typed, save: { kind: 'conflict', theirs, fields } };
}

function entriesOf(typed: Typed, isKept: (field: GridField, text: string) => boolean): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([field, text]) => isKept(field as GridField, text)));
}
