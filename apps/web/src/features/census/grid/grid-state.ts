import type { Finding } from '@wardline/contract/census/census.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { differencesOf } from '#/features/census/report/engine/compare-drafts.ts';
import { draftOf, isSameDraft, type ReportDraft } from '#/features/census/report/engine/report-draft.ts';
import type { EditorState } from '#/features/census/report/engine/report-editor.ts';
import { type CellErrors, type CellPart, errorsAt, type GridField, typedFields } from './grid-entry.ts';

/** How a row stands with the server. */
export type RowSave =
  | { readonly kind: 'idle' | 'saving' }
  /** On this device alone until there is a network: what is typed, or the whole report, submitted. */
  | { readonly kind: 'waiting' | 'submitted' }
  | { readonly kind: 'saved'; readonly fields: readonly GridField[] }
  | { readonly kind: 'refused'; readonly message: string; readonly errors: CellErrors }
  /** Somebody else changed these cells; `theirs` is the report as it is now. */
  | { readonly kind: 'conflict'; readonly theirs: UnitDay; readonly fields: readonly GridField[] };

export interface GridRow {
  readonly key: string;
  /** The report as the server had it when the typing began. */
  readonly day: UnitDay;
  readonly draft: ReportDraft;
  readonly typed: readonly GridField[];
  readonly save: RowSave;
}

/** One cell that was changed, by typing, pasting, filling or clearing. */
export interface CellEdit {
  readonly key: string;
  readonly field: GridField;
  readonly text: string;
}

/** What was done to a cell, so that it can be taken back. */
export interface DoneEdit {
  readonly key: string;
  readonly field: GridField;
  readonly before: CellPart;
  readonly after: CellPart;
}

export interface GridState {
  readonly rows: readonly GridRow[];
  /** What was done, the last one last; what a paste changed is one. */
  readonly past: readonly (readonly DoneEdit[])[];
  readonly future: readonly (readonly DoneEdit[])[];
}

export const EMPTY_GRID: GridState = { rows: [], past: [], future: [] };

export function rowKey({ unit_id, population: name }: Pick<UnitDay, 'unit_id' | 'population'>): string {
  return `${unit_id}-${name}`;
}

/** A report that is being written, as a row of the grid; `sent` is what was typed when it was last sent. */
export function rowOf(state: EditorState, sent: readonly GridField[]): GridRow {
  const { base, day, draft, isConflicting } = state;
  const typed = typedFields(base, draft);
  // A conflict shows what mine stood on; all else, e.g. what one may, is as the server has it now.
  return { key: rowKey(day), day: isConflicting ? base : day, draft, typed, save: saveOf(state, sent) };
}

export function isDirty({ day, draft }: Pick<GridRow, 'day' | 'draft'>): boolean {
  return !isSameDraft(draft, draftOf(day));
}

function saveOf(state: EditorState, sent: readonly GridField[]): RowSave {
  const { unsent, waiting, refusal, refusals, saved, base, draft } = state;
  if (state.isConflicting) return { kind: 'conflict', theirs: state.day, fields: contestedFields(state) };
  if (unsent && unsent.state !== 'failed') return { kind: 'submitted' };
  if (unsent) return refusedOf(unsent.reason, refusals);
  if (refusal !== null || refusals.length > 0) return refusedOf(refusal, refusals);
  if (state.isSaving || waiting?.state === 'sending') return { kind: 'saving' };
  if (waiting) return { kind: 'waiting' };
  const isSaved = saved?.on === 'server' && !isDirty({ day: base, draft });
  return isSaved ? { kind: 'saved', fields: sent } : { kind: 'idle' };
}

function refusedOf(message: string | null, findings: readonly Finding[]): RowSave {
  const text = message ?? findings.map((finding) => finding.message).join(' ');
  return { kind: 'refused', message: text, errors: errorsAt(findings) };
}

/** The three sides of a report that two people changed. */
export function versionsOf({ base, day, draft }: Pick<EditorState, 'base' | 'day' | 'draft'>) {
  return { base: draftOf(base), mine: draft, theirs: draftOf(day) };
}

/** The cells that both changed, a unit's partners under their total. */
function contestedFields(state: EditorState): GridField[] {
  const fields = differencesOf(versionsOf(state)).flatMap(({ key, isContested }) =>
    isContested ? [key.startsWith('in ') ? 'transfers_in' : key.startsWith('out ') ? 'transfers_out' : key] : [],
  );
  return typedFields(state.base, state.draft).filter((field) => fields.includes(field));
}
