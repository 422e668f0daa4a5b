import { ownScriptUrl, type TrustedTypes } from '#/browser/own-script-url.ts';
import { createSource, type Observable } from '#/observable.ts';

const WORKER_URL = '/sw.js';
const CHECK_EVERY_MS = 60 * 60 * 1000;
/** What is to be kept before a reload gets this long; a hook that hangs must not keep the old version alive. */
const LONGEST_HOOK_MS = 2000;

export interface UpdateState {
  /** New content waits; true for as long as it does (PWA-1). */
  readonly needRefresh: boolean;
  /** Whether to ask for it: false once that was answered with cancel, for this page's life (PWA-2). */
  readonly isPrompting: boolean;
}

/** Whether new content waits, and the one way to take it. */
export interface UpdateWatch extends Observable<UpdateState> {
  /** Lets the waiting worker take over; the reload follows from that. */
  apply(): void;
  /** Asks no more on this page; the banner stays. */
  cancelPrompt(): void;
  /** Looks for a newer worker now. Never rejects. */
  checkNow(): Promise<void>;
  /** Calls `hook` before a reload, which waits for it for up to 2 s; answers the undo. */
  beforeReload(hook: () => unknown): () => void;
}

export interface ServiceWorkerPlace {
  readonly container: ServiceWorkerContainer;
  readonly trustedTypes: TrustedTypes | undefined;
  reload(): void;
  onVisible(listener: () => void): void;
}

/** The page's own place; null where there is no worker (plain HTTP, private windows of some browsers). */
export function thisPage(): ServiceWorkerPlace | null {
  if (!('serviceWorker' in navigator)) return null;
  return {
    container: navigator.serviceWorker,
    trustedTypes: (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes,
    reload: () => location.reload(),
    onVisible: (listener) => {
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') listener();
      });
    },
  };
}

/** Registers /sw.js and watches for a newer one. A tab reloads only when it had shown the notice, and once (PWA-4). */
export function registerServiceWorker(place: ServiceWorkerPlace): UpdateWatch {
  const { container } = place;
  const state = createSource<UpdateState>({ needRefresh: false, isPrompting: false });
  const hooks = new Set<() => unknown>();
  let registration: ServiceWorkerRegistration | null = null;
  let hasReloaded = false;

  const noteWaiting = (): void => {
    // Without one at work already this is the first install, which replaces nothing.
    const isUpdate = registration?.waiting && (registration.active ?? container.controller);
    if (isUpdate && !state.get().needRefresh) state.set({ needRefresh: true, isPrompting: true });
  };
  const watchInstalling = () => registration?.installing?.addEventListener('statechange', noteWaiting);

  const reload = (): void => {
    if (!state.get().needRefresh || hasReloaded) return;
    hasReloaded = true;
    void runHooks(hooks).then(() => place.reload());
  };
  container.addEventListener('controllerchange', reload);

  void container.register(ownScriptUrl(WORKER_URL, place.trustedTypes), { scope: '/' }).then(
    (registered: ServiceWorkerRegistration | undefined) => {
      // A browser with workers switched off may answer with nothing.
      if (!registered) return;
      registration = registered;
      noteWaiting();
      watchInstalling();
      registered.addEventListener('updatefound', watchInstalling);
      checkNowAndThen(registered, place);
    },
    () => undefined,
  );

  return {
    get: state.get,
    subscribe: state.subscribe,
    apply() {
      const waiting = registration?.waiting;
      if (!waiting) {
        // The browser let it take over by itself, as when the page before this one left nobody behind.
        reload();
        return;
      }
      // A page that no worker controls (its first visit, a forced reload) is not told of a change of control.
      waiting.addEventListener('statechange', () => {
        if (waiting.state === 'activated') reload();
      });
      waiting.postMessage({ type: 'SKIP_WAITING' });
    },
    cancelPrompt: () => state.set({ ...state.get(), isPrompting: false }),
    checkNow: () => check(registration),
    beforeReload(hook) {
      hooks.add(hook);
      return () => {
        hooks.delete(hook);
      };
    },
  };
}

/** Runs all hooks, whatever becomes of each. */
async function runHooks(hooks: Iterable<() => unknown>): Promise<void> {
  const runs = [...hooks].map(async (hook) => await hook());
  await Promise.race([
    Promise.allSettled(runs),
    new Promise((resolve) => {
      setTimeout(resolve, LONGEST_HOOK_MS);
    }),
  ]);
}

async function check(registration: ServiceWorkerRegistration | null): Promise<void> {
  try {
    await registration?.update();
  } catch {
    // Offline, or the worker's script is away for the moment: the next look finds it.
  }
}

function checkNowAndThen(registered: ServiceWorkerRegistration, place: ServiceWorkerPlace): void {
  let checkedAt = Date.now();
  const look = (): void => {
    checkedAt = Date.now();
    void check(registered);
  };
  setInterval(look, CHECK_EVERY_MS);
  place.onVisible(() => {
    if (Date.now() - checkedAt > CHECK_EVERY_MS) look();
  });
}
