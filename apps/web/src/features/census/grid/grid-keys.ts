import { moved, type Place, type Size, tabbed } from './grid-range.ts';

/** What a key asks for while no cell is being typed in. */
export type GridCommand =
  | { readonly type: 'choose'; readonly place: Place; readonly isExtending: boolean }
  /** Types in the chosen cell: over it, or on from what stands there (null). */
  | { readonly type: 'begin'; readonly text: string | null }
  | { readonly type: 'clear' | 'collapse' | 'undo' | 'redo' | 'fill' };

interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** The keys of a spreadsheet; null for what is none of the grid's business, Tab past its ends included. */
export function gridCommand(press: Press, place: Place, size: Size): GridCommand | null {
  const { key, shiftKey, altKey } = press;
  const isCtrl = press.ctrlKey || press.metaKey;
  if (altKey) return null;
  if (key === 'Tab') {
    const next = tabbed(place, shiftKey, size);
    return next && { type: 'choose', place: next, isExtending: false };
  }
  const to = moved(place, { key, isCtrl }, size);
  if (to) return { type: 'choose', place: to, isExtending: shiftKey };
  return isCtrl ? withCtrl(key.toLowerCase(), shiftKey) : alone(key);
}

function withCtrl(key: string, isShift: boolean): GridCommand | null {
  if (key === 'z') return { type: isShift ? 'redo' : 'undo' };
  if (key === 'y') return { type: 'redo' };
  return key === 'd' ? { type: 'fill' } : null;
}

function alone(key: string): GridCommand | null {
  if (key === 'Enter' || key === 'F2') return { type: 'begin', text: null };
  if (key === 'Delete' || key === 'Backspace') return { type: 'clear' };
  if (key === 'Escape') return { type: 'collapse' };
  return [...key].length === 1 ? { type: 'begin', text: key } : null;
}

export type CommitWay = 'down' | 'up' | 'right' | 'left';

/** Where the choice goes once a cell is typed; it stays at the edges. */
export function afterTyping(place: Place, way: CommitWay, size: Size): Place {
  if (way === 'left' || way === 'right') return tabbed(place, way === 'left', size) ?? place;
  return moved(place, { key: way === 'up' ? 'ArrowUp' : 'ArrowDown', isCtrl: false }, size) ?? place;
}
