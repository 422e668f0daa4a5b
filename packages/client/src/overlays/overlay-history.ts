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
  const pushState = history.pushState.bind(history);
  const replaceState = history.replaceState.bind(history);
  const listeners = new Set<(depth: number) => void>();
  const first = markOf(history.state);

  /** The page that is shown, as the router knows it, and how many entries lie over it where the browser stands. */
  let place = { id: first?.page ?? null, state: withoutMark(history.state), href: location.href };
  let depth = first?.depth ?? 0;
  let wanted = 0;
  let isPlanned = false;
  /** The step of ours that is under way, and the depth it leads to. */
  let step: { readonly to: number; readonly cancelTimer: () => void } | null = null;
  let held: (() => void)[] = [];

  const allow = (most: number): void => {
    if (wanted <= most) return;
    wanted = most;
    for (const listener of [...listeners]) listener(most);
  };
  const stateAt = (at: number): unknown =>
    place.id === null || at === 0 ? place.state : withMark(place.state, { page: place.id, depth: at });

  const stepTo = (to: number): void => {
    const giveUp = (): void => {
      step = null;
      depth = to;
      adjust();
    };
    step = { to, cancelTimer: schedule(giveUp, LONGEST_STEP_MS) };
    history.go(to - depth);
  };

  /** Brings the history into line: first what is too much goes, then the router writes, then what is missing comes. */
  const adjust = (): void => {
    isPlanned = false;
    if (step !== null) return;
    if (depth > wanted) {
      stepTo(wanted);
      return;
    }
    const writes = held;
    held = [];
    for (const write of writes) write();
    if (depth === wanted) return;
    place = { ...place, id: place.id ?? crypto.getRandomValues(new Uint32Array(2)).join('-') };
    // So that the page's own entry is known when somebody comes back to it.
    if (depth === 0) replaceState(withMark(place.state, { page: String(place.id), depth: 0 }), '');
    for (; depth < wanted; depth += 1) pushState(stateAt(depth + 1), '');
  };
  const write = (work: () => void): void => {
    held.push(work);
    adjust();
  };

  history.pushState = (data, unused, url) => {
    allow(0);
    write(() => {
      pushState(withoutMark(data), unused, url);
      place = { id: null, state: withoutMark(data), href: location.href };
    });
  };
  history.replaceState = (data, unused, url) => {
    if (new URL(url ?? '', location.href).pathname !== new URL(location.href).pathname) allow(0);
    write(() => {
      place = { ...place, state: withoutMark(data) };
      replaceState(stateAt(depth), unused, url);
      place = { ...place, href: location.href };
    });
  };

  /** Brings an entry of the page that is shown up to date with what was written since. */
  const refresh = (): void => {
    const state = stateAt(depth);
    if (location.href !== place.href || !isSameState(history.state, state)) replaceState(state, '', place.href);
  };
  const isOfThisPage = (mark: OverlayMark | null): boolean =>
    (mark !== null && mark.page === place.id) ||
    (location.href === place.href && isSameState(withoutMark(history.state), place.state));

  page.addEventListener(
    'popstate',
    (event) => {
      const expected = step?.to;
      step?.cancelTimer();
      step = null;
      const mark = markOf(history.state);
      depth = mark?.depth ?? 0;
      if (isOfThisPage(mark)) {
        event.stopImmediatePropagation();
        if (mark !== null) place = { ...place, id: mark.page };
        // A step of ours closes nothing: what is open now was opened since.
        if (depth !== expected) allow(depth);
        refresh();
      } else {
        allow(0);
        if (depth > 0) event.stopImmediatePropagation();
        else {
          place = { id: mark?.page ?? null, state: withoutMark(history.state), href: location.href };
          refresh();
        }
      }
      adjust();
    },
    { capture: true },
  );
  if (depth > 0) adjust();

  return {
    setDepth(open) {
      wanted = open;
      if (!isPlanned) queueMicrotask(adjust);
      isPlanned = true;
    },
    onBack(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
