import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react';

export type GridPlace = { readonly row: number; readonly column: number };

/** What a grid needs to be walked. */
export type GridKeys<Grid extends HTMLElement = HTMLTableElement> = {
  readonly ref: RefObject<Grid | null>;
  /** The cell that Tab leads to. */
  readonly at: GridPlace;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
};

type GridSize = {
  readonly rows: number;
  readonly columns: number;
  /** A row goes on in the next one, as the weeks of a calendar do: left and right arrows cross its ends. */
  readonly goesOn?: boolean;
};

/**
 * One stop of Tab for a whole grid (ARIA's grid pattern): arrows go from cell to cell, Home and End to the ends of the row,
 * with Ctrl to those of the grid; Enter, Space or a click opens. Cells carry `data-cell="row:column"`; places without a cell
 * are stepped over.
 */
export function useGridKeys<Grid extends HTMLElement = HTMLTableElement>(
  { rows, columns, goesOn = false }: GridSize,
  start: GridPlace,
  onOpen?: (place: GridPlace) => void,
): GridKeys<Grid> {
  const ref = useRef<Grid>(null);
  const [wanted, setWanted] = useState(start);
  const at = { row: clamp(wanted.row, rows), column: clamp(wanted.column, columns) };
  const cellAt = (place: GridPlace) =>
    ref.current?.querySelector<HTMLElement>(`[data-cell="${place.row}:${place.column}"]`);
  const go = (next: GridPlace) => {
    setWanted(next);
    cellAt(next)?.focus();
  };
  return {
    ref,
    at,
    onKeyDown: (event) => {
      const from = placeOf(event.target);
      if (from === null) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        onOpen?.(from);
        return;
      }
      const way = wayOf(event);
      if (way === null) return;
      event.preventDefault();
      const last = { row: rows - 1, column: columns - 1 };
      const next = way({ from, last, goesOn, isCell: (place) => !!cellAt(place) });
      if (next) go(next);
    },
    onClick: (event) => {
      const place = placeOf(event.target);
      if (place === null) return;
      setWanted(place);
      onOpen?.(place);
    },
  };
}

type Walk = {
  readonly from: GridPlace;
  readonly last: GridPlace;
  readonly goesOn: boolean;
  readonly isCell: (place: GridPlace) => boolean;
};
type Way = (walk: Walk) => GridPlace | null;

const WAYS: Readonly<Record<string, Way>> = {
  ArrowRight: (walk) => step(walk, walk.from, { row: 0, column: 1 }) ?? goOn(walk, 1),
  ArrowLeft: (walk) => step(walk, walk.from, { row: 0, column: -1 }) ?? goOn(walk, -1),
  ArrowDown: (walk) => step(walk, walk.from, { row: 1, column: 0 }),
  ArrowUp: (walk) => step(walk, walk.from, { row: -1, column: 0 }),
  Home: (walk) => step(walk, { row: walk.from.row, column: -1 }, { row: 0, column: 1 }),
  End: (walk) => step(walk, { row: walk.from.row, column: walk.last.column + 1 }, { row: 0, column: -1 }),
  'Ctrl+Home': (walk) => step(walk, { row: 0, column: -1 }, { row: 0, column: 1 }),
  'Ctrl+End': (walk) => step(walk, { row: walk.last.row, column: walk.last.column + 1 }, { row: 0, column: -1 }),
};

function wayOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): Way | null {
  if (altKey) return null;
  return WAYS[ctrlKey || metaKey ? `Ctrl+${key}` : key] ?? null;
}

/** The next cell in this direction, or null at the edge. */
function step({ last, isCell }: Walk, from: GridPlace, by: GridPlace): GridPlace | null {
  let next = from;
  do {
    next = { row: next.row + by.row, column: next.column + by.column };
    if (next.row < 0 || next.row > last.row || next.column < 0 || next.column > last.column) return null;
  } while (!isCell(next));
  return next;
}

/** The first cell of the row after it, or the last one of the row before. */
function goOn(walk: Walk, by: 1 | -1): GridPlace | null {
  const row = walk.from.row + by;
  if (!walk.goesOn || row < 0 || row > walk.last.row) return null;
  return step(walk, { row, column: by > 0 ? -1 : walk.last.column + 1 }, { row: 0, column: by });
}

function placeOf(target: EventTarget): GridPlace | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
  const [row, column] = cell?.dataset['cell']?.split(':').map(Number) ?? [];
  return row === undefined || column === undefined ? null : { row, column };
}

const clamp = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1));
