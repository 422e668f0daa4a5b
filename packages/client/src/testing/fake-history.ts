import type { HistoryPage } from '#/overlays/overlay-history.ts';

interface FakeEntry {
  readonly state: unknown;
  readonly href: string;
}

/** A window with a history as browsers keep it: writes are done at once, a step takes a turn of the clock. */
export interface FakeHistoryPage extends HistoryPage {
  readonly history: HistoryPage['history'] & { readonly length: number; back(): void; forward(): void };
  readonly location: {
    readonly href: string;
    readonly pathname: string;
    readonly search: string;
    readonly hash: string;
  };
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** The paths of all entries; the one where the browser stands is in brackets. */
  readonly trail: () => string;
}

/** Makes one that stands at `path`. Steps need the timers of the test to move on. */
export function createFakeHistory(path = '/', state: unknown = null): FakeHistoryPage {
  const events = new EventTarget();
  const origin = 'https://ward.test';
  let entries: FakeEntry[] = [{ state, href: origin + path }];
  let index = 0;

  const here = (): FakeEntry => entries[index] ?? { state: null, href: origin };
  const entry = (data: unknown, url?: string | URL | null): FakeEntry => ({
    state: structuredClone(data ?? null),
    href: new URL(url ?? '', here().href).href,
  });
  const go = (delta: number): void => {
    setTimeout(() => {
      if (entries[index + delta] === undefined || delta === 0) return;
      index += delta;
      events.dispatchEvent(new Event('popstate'));
    }, 5);
  };
  const url = () => new URL(here().href);
  return {
    history: {
      get state() {
        return here().state;
      },
      get length() {
        return entries.length;
      },
      pushState(data, _unused, to) {
        entries = [...entries.slice(0, index + 1), entry(data, to)];
        index += 1;
      },
      replaceState(data, _unused, to) {
        entries[index] = entry(data, to);
      },
      go: (delta = 0) => go(delta),
      back: () => go(-1),
      forward: () => go(1),
    },
    location: {
      get href() {
        return here().href;
      },
      get pathname() {
        return url().pathname;
      },
      get search() {
        return url().search;
      },
      get hash() {
        return url().hash;
      },
    },
    addEventListener: (type, listener, options) => events.addEventListener(type, listener, options),
    removeEventListener: (type, listener) => events.removeEventListener(type, listener),
    trail: () =>
      entries
        .map(({ href }, at) => (at === index ? `[${href.slice(origin.length)}]` : href.slice(origin.length)))
        .join(' '),
  };
}
