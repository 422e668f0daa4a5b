import { schedule as pageSchedule, type Schedule } from '#/schedule.ts';

/** What the entry of an overlay keeps in its state, beside the state of the page it lies over. */
interface OverlayMark {
  /** The page's own id for as long as it stands. */
  readonly page: string;
  /** How many overlays are open on this entry; 0 is the page itself. */
  readonly depth: number;
}

const KEY = 'wardlineOverlay';

function markOf(state: unknown): OverlayMark | null {
  const mark = isRecord(state) ? state[KEY] : null;
  return isRecord(mark) && typeof mark['page'] === 'string' && typeof mark['depth'] === 'number'
    ? { page: mark['page'], depth: mark['depth'] }
    : null;
}

function withMark(state: unknown, mark: OverlayMark): unknown {
  return { ...(isRecord(state) ? state : {}), [KEY]: mark };
}

/** The page's own state. A router that hands on the state of one page to the next hands on no mark. */
function withoutMark(state: unknown): unknown {
  if (!isRecord(state) || !(KEY in state)) return state;
  const { [KEY]: _mark, ...own } = state;
  return own;
}

function isSameState(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** How overlays take part in the browser's history, so that Back closes the top one. */
export interface OverlayHistory {
  /** How many overlays are open: so many entries lie over that of the page. Said after every change. */
  setDepth(depth: number): void;
  /** Tells how many overlays may stay open: a person went back over entries, or the page was left. Answers the undo. */
  onBack(listener: (depth: number) => void): () => void;
}

/** The part of `window` that is needed. */
export interface HistoryPage {
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>;
  readonly location: Pick<Location, 'href'>;
  addEventListener(type: 'popstate', listener: (event: Event) => void, options: { capture: true }): void;
}

/** A step through the history that never arrives does not hold up a navigation for longer than this. */
const LONGEST_STEP_MS = 1000;

/**
 * Puts overlays into the history of a page. To be made before the router, which shares that history:
 *
 * - An overlay's entry is a copy of its page's, address and router state included, with a mark. The router is not told of
 *   it, nor of a step between entries of one page: it would load the page again and ask its blockers.
 * - A new page, or another path in the place of this one, closes the overlays. What the router writes waits until their
 *   entries are gone: a step back takes a moment, and would undo what was written meanwhile.
 * - Forward, and a jump in the list of the history, can lead to an entry whose overlay is closed long since. The page
 *   goes on to the entry beneath it, and the router is told of that one only.
 */
export function createOverlayHistory(page: HistoryPage = window, schedule: Schedule = pageSchedule): OverlayHistory {
  const { history, location } = page;
  const listeners = new Set<(depth: number) => void>();
  const first = markOf(history.state);
  const at: Position = {
    place: { id: first?.page ?? null, state: withoutMark(history.state), href: location.href },
    depth: first?.depth ?? 0,
    wanted: 0,
    step: null,
    held: [],
  };
  let isPlanned = false;
  const allow = (most: number): void => {
    if (at.wanted <= most) return;
    at.wanted = most;
    for (const listener of [...listeners]) listener(most);
  };
  const native = { push: history.pushState.bind(history), replace: history.replaceState.bind(history) };
  const adjust = createAdjust(at, { history, native, schedule });

  holdRouterWrites(at, { page, native, allow, adjust });
  followSteps(at, { page, native, allow, adjust });
  if (at.depth > 0) adjust();

  return {
    setDepth(open) {
      at.wanted = open;
      if (isPlanned) return;
      isPlanned = true;
      queueMicrotask(() => {
        isPlanned = false;
        adjust();
      });
    },
    onBack(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Where the browser stands in the history, and what is still to be done there. */
interface Position {
  /** The page that is shown, as the router knows it. */
  place: { readonly id: string | null; readonly state: unknown; readonly href: string };
  /** How many entries lie over it where the browser stands. */
  depth: number;
  /** How many overlays are open, and so how many entries there should be. */
  wanted: number;
  /** The step of ours that is under way, and the depth it leads to. */
  step: { readonly to: number; readonly cancelTimer: () => void } | null;
  /** What the router writes once our entries are gone. */
  held: (() => void)[];
}

/** What the browser itself does, whatever stands in its place. */
interface NativeHistory {
  readonly push: History['pushState'];
  readonly replace: History['replaceState'];
}

interface Resources {
  readonly page: HistoryPage;
  readonly native: NativeHistory;
  readonly allow: (most: number) => void;
  readonly adjust: () => void;
}

function stateAt({ place }: Position, depth: number): unknown {
  return place.id === null || depth === 0 ? place.state : withMark(place.state, { page: place.id, depth });
}

interface AdjustDeps {
  readonly history: HistoryPage['history'];
  readonly native: NativeHistory;
  readonly schedule: Schedule;
}

/** Brings the history into line: first what is too much goes, then the router writes, then what is missing comes. */
function createAdjust(at: Position, { history, native, schedule }: AdjustDeps): () => void {
  const stepTo = (to: number): void => {
    const giveUp = (): void => {
      at.step = null;
      at.depth = to;
      adjust();
    };
    at.step = { to, cancelTimer: schedule(giveUp, LONGEST_STEP_MS) };
    history.go(to - at.depth);
  };
  const adjust = (): void => {
    if (at.step !== null) return;
    if (at.depth > at.wanted) {
      stepTo(at.wanted);
      return;
    }
    const writes = at.held;
    at.held = [];
    for (const write of writes) write();
    if (at.depth === at.wanted) return;
    const id = at.place.id ?? crypto.getRandomValues(new Uint32Array(2)).join('-');
    at.place = { ...at.place, id };
    // So that the page's own entry is known when somebody comes back to it.
    if (at.depth === 0) native.replace(withMark(at.place.state, { page: id, depth: 0 }), '');
    for (; at.depth < at.wanted; at.depth += 1) native.push(stateAt(at, at.depth + 1), '');
  };
  return adjust;
}

/** What the router writes waits until the entries of overlays are gone; a new page or path closes them. */
function holdRouterWrites(at: Position, { page: { history, location }, native, allow, adjust }: Resources): void {
  const write = (work: () => void): void => {
    at.held.push(work);
    adjust();
  };
  history.pushState = (data, unused, url) => {
    allow(0);
    write(() => {
      native.push(withoutMark(data), unused, url);
      at.place = { id: null, state: withoutMark(data), href: location.href };
    });
  };
  history.replaceState = (data, unused, url) => {
    if (new URL(url ?? '', location.href).pathname !== new URL(location.href).pathname) allow(0);
    write(() => {
      at.place = { ...at.place, state: withoutMark(data) };
      native.replace(stateAt(at, at.depth), unused, url);
      at.place = { ...at.place, href: location.href };
    });
  };
}

/** Follows the steps of a person and our own; the router is told of those to another page only. */
function followSteps(at: Position, { page, native, allow, adjust }: Resources): void {
  const { history, location } = page;
  /** Brings an entry of the page that is shown up to date with what was written since. */
  const refresh = (): void => {
    const state = stateAt(at, at.depth);
    if (location.href !== at.place.href || !isSameState(history.state, state)) native.replace(state, '', at.place.href);
  };
  const isOfThisPage = (mark: OverlayMark | null): boolean =>
    (mark !== null && mark.page === at.place.id) ||
    (location.href === at.place.href && isSameState(withoutMark(history.state), at.place.state));

  page.addEventListener(
    'popstate',
    (event) => {
      const expected = at.step?.to;
      at.step?.cancelTimer();
      at.step = null;
      const mark = markOf(history.state);
      at.depth = mark?.depth ?? 0;
      if (isOfThisPage(mark)) {
        event.stopImmediatePropagation();
        if (mark !== null) at.place = { ...at.place, id: mark.page };
        // A step of ours closes nothing: what is open now was opened since.
        if (at.depth !== expected) allow(at.depth);
        refresh();
      } else {
        allow(0);
        if (at.depth > 0) event.stopImmediatePropagation();
        else {
          at.place = { id: mark?.page ?? null, state: withoutMark(history.state), href: location.href };
          refresh();
        }
      }
      adjust();
    },
    { capture: true },
  );
}
