import { draftOf } from '#/features/census/report/engine/report-draft.ts';
import { columnsOf, lockedBecause, textAt } from './grid-columns.ts';
import { cellText, readRow } from './grid-entry.ts';
import type { Place, Size } from './grid-range.ts';
import type { CellEdit, GridRow } from './grid-state.ts';

/** A text meant for a cell. */
export interface CellText {
  readonly place: Place;
  readonly text: string;
}

export function sizeOf(rows: readonly GridRow[]): Size {
  return { rows: rows.length, columns: columnsOf(rows).length };
}

/** What stands in a cell; nothing outside the grid. */
export function textOfCell(rows: readonly GridRow[], place: Place): string {
  const [row, column] = [rows[place.row], columnsOf(rows)[place.column]];
  return row && column ? textAt(row, readRow(row.day, row.draft), column) : '';
}

/** Why a cell cannot be typed in; null where it can. */
export function lockOfCell(rows: readonly GridRow[], place: Place): string | null {
  const [row, column] = [rows[place.row], columnsOf(rows)[place.column]];
  return row && column ? lockedBecause(row, column) : 'There is no such cell.';
}

/** The changes that texts make, and how many cells they would have changed but may not. */
export function editsOf(rows: readonly GridRow[], texts: readonly CellText[]): { edits: CellEdit[]; left: number } {
  const open = texts.filter(({ place }) => lockOfCell(rows, place) === null);
  const edits = open.flatMap(({ place, text }): CellEdit[] => {
    const [row, column] = [rows[place.row], columnsOf(rows)[place.column]];
    return row && column && column.key !== 'closing' ? [{ key: row.key, field: column.key, text }] : [];
  });
  const closed = texts.filter((one) => !open.includes(one) && textOfCell(rows, one.place) !== one.text);
  return { edits, left: closed.length };
}

/** What is wrong at a cell: read here, refused there, or changed by somebody else. */
export function cellError(rows: readonly GridRow[], place: Place): string {
  const [row, column] = [rows[place.row], columnsOf(rows)[place.column]];
  if (!row || !column) return '';
  const read = readRow(row.day, row.draft);
  if (row.save.kind === 'conflict' && column.key !== 'closing' && row.save.fields.includes(column.key)) {
    const { theirs } = row.save;
    const written = cellText(theirs, draftOf(theirs), column.key) || 'nothing';
    return `Someone wrote ${written} in the meantime; you wrote ${textAt(row, read, column) || 'nothing'}.`;
  }
  const refused = row.save.kind === 'refused' ? row.save.errors[column.key] : undefined;
  return read.errors[column.key] ?? refused ?? '';
}
