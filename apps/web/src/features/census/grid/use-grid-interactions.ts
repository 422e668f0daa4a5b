import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useRef,
  useState,
} from 'react';
import { counted } from '#/features/census/core/format-figure.ts';
import { fromTabs } from '#/features/census/core/period/from-tabs.ts';
import { type CellText, cellError, editsOf, lockOfCell, sizeOf, textOfCell } from './grid-access.ts';
import { afterTyping, type CommitWay, type GridCommand, gridCommand } from './grid-keys.ts';
import { cornersOf, filledDown, type Place, pasteInto, placesOf, type Range, toTabs } from './grid-range.ts';
import type { Grid } from './use-census-grid.ts';
import { useClearOfEdges } from './use-clear-of-edges.ts';

interface Typing {
  readonly place: Place;
  readonly text: string;
}

/** What the hands do on the grid: choose, type, copy, paste, fill, take back. */
export interface GridHands {
  readonly ref: RefObject<HTMLTableElement | null>;
  readonly range: Range;
  readonly typing: Typing | null;
  /** What was just done, or what is wrong at the chosen cell. */
  readonly text: string;
  readonly mayFill: boolean;
  readonly fillDown: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly type: (text: string) => void;
  /** Ends the typing: the text stands, and the choice moves on; null keeps it where it is. */
  readonly commit: (way: CommitWay | null) => void;
  readonly cancel: () => void;
  readonly props: {
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerOver: (event: PointerEvent) => void;
    readonly onDoubleClick: (event: MouseEvent) => void;
    readonly onCopy: (event: ClipboardEvent) => void;
    readonly onPaste: (event: ClipboardEvent) => void;
  };
}

export function useGridHands(grid: Grid): GridHands {
  const { rows } = grid.state;
  const choice = useChoice();
  const { range, choose } = choice;
  const onFocus = useClearOfEdges(choice.ref);
  const [typing, setTyping] = useState<Typing | null>(null);
  const [done, setDone] = useState('');
  const textOf = (place: Place) => textOfCell(rows, place);
  /** Writes what may be written; what is left out is said. */
  const write = (texts: readonly CellText[], what: string, lost = 0) => {
    const { edits, left } = editsOf(rows, texts);
    grid.edit(edits);
    const out = left + lost;
    setDone(out === 0 ? what : `${what} ${counted(out, 'cell')} skipped: read only, or outside the grid.`);
  };
  const begin = (place: Place, text = textOf(place)) => {
    const lock = lockOfCell(rows, place);
    setDone(lock ?? '');
    if (lock === null) setTyping({ place, text });
  };
  const fillDown = () => write(filledDown(range, textOf), 'Filled down.');
  const undo = () => {
    if (grid.state.past.length > 0) setDone('Undone.');
    grid.undo();
  };
  const redo = () => {
    if (grid.state.future.length > 0) setDone('Redone.');
    grid.redo();
  };
  const go = (place: Place, isExtending = false) => {
    setDone('');
    choose(place, isExtending);
  };
  const run = (command: GridCommand) => {
    if (command.type === 'choose') go(command.place, command.isExtending);
    else if (command.type === 'begin') begin(range.focus, command.text ?? undefined);
    else if (command.type === 'clear')
      write(
        placesOf(range).map((place) => ({ place, text: '' })),
        'Cleared.',
      );
    else if (command.type === 'collapse') go(range.focus);
    else if (command.type === 'fill') fillDown();
    else if (command.type === 'undo') undo();
    else redo();
  };
  const commit = (way: CommitWay | null) => {
    if (!typing) return;
    setTyping(null);
    write([{ place: typing.place, text: typing.text.trim() }], '');
    if (way !== null) choose(afterTyping(typing.place, way, sizeOf(rows)));
  };
  const cancel = () => {
    setTyping(null);
    choose(range.focus);
  };
  return {
    ref: choice.ref,
    range,
    typing,
    text: done || cellError(rows, range.focus),
    mayFill: cornersOf(range).last.row > cornersOf(range).first.row,
    fillDown,
    undo,
    redo,
    type: (text) => setTyping((now) => now && { ...now, text }),
    commit,
    cancel,
    props: {
      onKeyDown: (event) => {
        const place = placeOf(event.target);
        const command = place && !typing ? gridCommand(event, place, sizeOf(rows)) : null;
        if (!command) return;
        event.preventDefault();
        run(command);
      },
      onFocus,
      ...pointerHands({ choice, go, begin, isTyping: typing !== null }),
      ...clipboardHands({ choice, textOf, write, say: setDone, isTyping: typing !== null, rows }),
    },
  };
}

interface Choice {
  readonly ref: RefObject<HTMLTableElement | null>;
  readonly range: Range;
  readonly setRange: (range: Range) => void;
  readonly choose: (place: Place, isExtending?: boolean) => void;
  readonly isChosen: (place: Place) => boolean;
}

/** The chosen block; its moving corner is the one stop of Tab, and has the focus. */
function useChoice(): Choice {
  const ref = useRef<HTMLTableElement>(null);
  const first = { row: 0, column: 1 };
  const [range, setRange] = useState<Range>({ anchor: first, focus: first });
  const cellAt = ({ row, column }: Place) => ref.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
  return {
    ref,
    range,
    setRange,
    choose: (focus, isExtending = false) => {
      setRange({ anchor: isExtending ? range.anchor : focus, focus });
      cellAt(focus)?.focus();
    },
    isChosen: (place) => document.activeElement !== null && document.activeElement === cellAt(place),
  };
}

interface PointerWays {
  readonly choice: Choice;
  readonly go: (place: Place, isExtending: boolean) => void;
  readonly begin: (place: Place) => void;
  readonly isTyping: boolean;
}

function pointerHands({ choice, go, begin, isTyping }: PointerWays) {
  return {
    onPointerDown: (event: PointerEvent) => {
      const place = placeOf(event.target);
      if (place === null || event.target instanceof HTMLInputElement) return;
      // A finger has no double click worth the name: the second touch of a cell types in it.
      if (event.pointerType === 'touch' && choice.isChosen(place)) begin(place);
      else go(place, event.shiftKey);
    },
    onPointerOver: (event: PointerEvent) => {
      const place = placeOf(event.target);
      const isDragging = event.pointerType === 'mouse' && event.buttons === 1 && !isTyping;
      if (place && isDragging) choice.setRange({ ...choice.range, focus: place });
    },
    onDoubleClick: (event: MouseEvent) => {
      const place = placeOf(event.target);
      if (place && !(event.target instanceof HTMLInputElement)) begin(place);
    },
  };
}

interface ClipboardWays {
  readonly choice: Choice;
  readonly textOf: (place: Place) => string;
  readonly write: (texts: readonly CellText[], what: string, lost: number) => void;
  readonly say: (text: string) => void;
  readonly isTyping: boolean;
  readonly rows: Grid['state']['rows'];
}

function clipboardHands({ choice: { range, setRange }, textOf, write, say, isTyping, rows }: ClipboardWays) {
  return {
    onCopy: (event: ClipboardEvent) => {
      if (isTyping) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', toTabs(range, textOf));
      say(`${counted(placesOf(range).length, 'cell')} copied.`);
    },
    onPaste: (event: ClipboardEvent) => {
      if (isTyping) return;
      event.preventDefault();
      const { texts, lost } = pasteInto(range, fromTabs(event.clipboardData.getData('text/plain')), sizeOf(rows));
      write(texts, 'Pasted.', lost);
      const last = texts.at(-1)?.place;
      if (last) setRange({ anchor: cornersOf(range).first, focus: last });
    },
  };
}

function placeOf(target: EventTarget): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
  const [row, column] = cell?.dataset['cell']?.split(':').map(Number) ?? [];
  return row === undefined || column === undefined ? null : { row, column };
}
