/** Where the choice is kept; the script that runs before the first paint reads the same key. */
export const COLOUR_MODE_KEY = 'wardline-color-mode';

export type ColourPreference = 'system' | 'light' | 'dark';
export type ColourMode = 'light' | 'dark';

export type ColourModeState = {
  /** What the person chose. */
  preference: ColourPreference;
  /** What a page forces, whatever was chosen. */
  forced: ColourMode | undefined;
  /** What is seen. */
  mode: ColourMode;
};

export type ColourModeController = {
  get: () => ColourModeState;
  /** Keeps the choice for this browser and shows it; a forced page stays as it is. */
  set: (preference: ColourPreference) => void;
  /** Calls back after every change; the answer ends it. */
  subscribe: (listener: () => void) => () => void;
  /** Forces a mode for one page; undefined gives the choice back. 'system' is refused with a warning. */
  force: (mode: ColourPreference | undefined) => void;
  /** Stops following the operating system and the other tabs. */
  stop: () => void;
};

export type ColourModeHost = {
  root: Pick<HTMLElement, 'dataset' | 'style'>;
  storage: () => Pick<Storage, 'getItem' | 'setItem'>;
  matchMedia?: ((query: string) => MediaQueryList) | undefined;
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  warn: (message: string) => void;
};

/** Anything that is not a known choice counts as 'system'. */
export function parsePreference(stored: string | null | undefined): ColourPreference {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** What is seen: the forced mode, else the choice, else the system's; light where the system says nothing. */
export function resolveMode(
  preference: ColourPreference,
  systemIsDark: boolean | undefined,
  forced?: ColourMode | undefined,
): ColourMode {
  if (forced !== undefined) return forced;
  if (preference !== 'system') return preference;
  return systemIsDark === true ? 'dark' : 'light';
}

/** Puts a mode on the root element: the attribute the roles hang on, and the browser's own colours. */
export function applyMode(root: ColourModeHost['root'], mode: ColourMode): void {
  root.dataset['mode'] = mode;
  root.style.colorScheme = mode;
}

/** The colour mode of one document: applied at once, kept in step with the system and with other tabs until `stop`. */
export function createColourMode(host: ColourModeHost): ColourModeController {
  const media = host.matchMedia?.('(prefers-color-scheme: dark)');
  const listeners = new Set<() => void>();
  let state = next(readPreference(host), undefined);
  applyMode(host.root, state.mode);

  function next(preference: ColourPreference, forced: ColourMode | undefined): ColourModeState {
    return { preference, forced, mode: resolveMode(preference, media?.matches, forced) };
  }

  function move(preference: ColourPreference, forced: ColourMode | undefined): void {
    const moved = next(preference, forced);
    if (moved.preference === state.preference && moved.forced === state.forced && moved.mode === state.mode) return;
    state = moved;
    applyMode(host.root, state.mode);
    for (const listener of listeners) listener();
  }

  const onSystemChange = () => move(state.preference, state.forced);
  const onStorage = (event: Event) => {
    const key = 'key' in event ? event.key : null;
    // A null key means that another tab emptied the whole storage.
    if (key === COLOUR_MODE_KEY || key === null) move(readPreference(host), state.forced);
  };
  media?.addEventListener('change', onSystemChange);
  host.events.addEventListener('storage', onStorage);

  return {
    get: () => state,
    set: (preference) => {
      try {
        host.storage().setItem(COLOUR_MODE_KEY, preference);
      } catch {
        // Storage is full or closed: the choice holds for this page.
      }
      move(preference, state.forced);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    force: (mode) => {
      if (mode === 'system') {
        host.warn('You cannot force the colorMode to system at the page level.');
        return;
      }
      move(state.preference, mode);
    },
    stop: () => {
      media?.removeEventListener('change', onSystemChange);
      host.events.removeEventListener('storage', onStorage);
      listeners.clear();
    },
  };
}

function readPreference(host: ColourModeHost): ColourPreference {
  try {
    return parsePreference(host.storage().getItem(COLOUR_MODE_KEY));
  } catch {
    return 'system';
  }
}

let shared: ColourModeController | undefined;

/** The page's own colour mode, made at the first call. Only in a browser. */
export function colourMode(): ColourModeController {
  shared ??= createColourMode({
    root: document.documentElement,
    storage: () => window.localStorage,
    matchMedia: typeof window.matchMedia === 'function' ? (query) => window.matchMedia(query) : undefined,
    events: window,
    // biome-ignore lint/suspicious/noConsole: the warning is for whoever writes the page
    warn: (message) => console.warn(message),
  });
  return shared;
}
