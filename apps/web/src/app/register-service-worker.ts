interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

/** Whether new content waits, and the one way to take it. */
export interface UpdateWatch {
  subscribe(listener: () => void): () => void;
  isWaiting(): boolean;
  apply(): void;
}

export interface ServiceWorkerPlace {
  readonly container: ServiceWorkerContainer;
  readonly trustedTypes: TrustedTypes | undefined;
  reload(): void;
  onVisible(listener: () => void): void;
}

const workerUrl = '/sw.js';
const checkEveryMs = 60 * 60 * 1000;

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

/** Registers /sw.js and watches for a newer one. A tab reloads only when it had shown the notice, and once. */
export function registerServiceWorker(place: ServiceWorkerPlace): UpdateWatch {
  const { container } = place;
  const listeners = new Set<() => void>();
  let registration: ServiceWorkerRegistration | null = null;
  let isWaiting = false;
  let hasReloaded = false;

  const noteWaiting = () => {
    // Without a controller this is the first install, which replaces nothing.
    if (isWaiting || !registration?.waiting || !container.controller) return;
    isWaiting = true;
    for (const listener of listeners) listener();
  };
  const watchInstalling = () => registration?.installing?.addEventListener('statechange', noteWaiting);

  container.addEventListener('controllerchange', () => {
    if (!isWaiting || hasReloaded) return;
    hasReloaded = true;
    place.reload();
  });

  void container.register(trusted(place.trustedTypes), { scope: '/' }).then(
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
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isWaiting: () => isWaiting,
    apply: () => registration?.waiting?.postMessage({ type: 'SKIP_WAITING' }),
  };
}

function checkNowAndThen(registered: ServiceWorkerRegistration, place: ServiceWorkerPlace): void {
  let checkedAt = Date.now();
  const check = () => {
    checkedAt = Date.now();
    void registered.update().catch(() => undefined);
  };
  setInterval(check, checkEveryMs);
  place.onVisible(() => {
    if (Date.now() - checkedAt > checkEveryMs) check();
  });
}

/** The only Trusted Types policy of the product: it lets through one address. */
function trusted(trustedTypes: TrustedTypes | undefined): string {
  if (!trustedTypes) return workerUrl;
  const policy = trustedTypes.createPolicy('app-sw', {
    createScriptURL(url) {
      if (url !== workerUrl) throw new TypeError('Not the service worker of this app.');
      return url;
    },
  });
  return policy.createScriptURL(workerUrl);
}
