/** What the entry of an overlay keeps in its state, beside the state of the page it lies over. */
export interface OverlayMark {
  /** The page's own id for as long as it stands. */
  readonly page: string;
  /** How many overlays are open on this entry; 0 is the page itself. */
  readonly depth: number;
}

const KEY = 'wardlineOverlay';

export function markOf(state: unknown): OverlayMark | null {
  const mark = isRecord(state) ? state[KEY] : null;
  return isRecord(mark) && typeof mark['page'] === 'string' && typeof mark['depth'] === 'number'
    ? { page: mark['page'], depth: mark['depth'] }
    : null;
}

export function withMark(state: unknown, mark: OverlayMark): unknown {
  return { ...(isRecord(state) ? state : {}), [KEY]: mark };
}

/** The page's own state. A router that hands on the state of one page to the next hands on no mark. */
export function withoutMark(state: unknown): unknown {
  if (!isRecord(state) || !(KEY in state)) return state;
  const { [KEY]: _mark, ...own } = state;
  return own;
}

export function isSameState(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
