/// <reference lib="webworker" />

import { BACK_END_ADDRESSES, type BackEndAddress, isOfBackEnd } from '@wardline/contract/back-end-addresses.ts';
import { addRoute, cleanupOutdatedCaches, createHandlerBoundToURL, precache } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import type { OpenWord } from './app/boot/follow-notifications.ts';
import { type CookieReader, noteDelivered } from './app/boot/note-delivered.ts';
import { calledFor, pushedNotification } from './app/boot/push-notification.ts';
import { pageFile, prerenderPaths } from './app/router/app-paths.ts';
import { isAppPath } from './app/router/is-app-path.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

/** Of Chromium alone, and not in TypeScript's library yet. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?(rules: readonly StaticRoute[]): Promise<void>;
}

interface StaticRoute {
  readonly condition: { readonly urlPattern: { readonly pathname: string }; readonly requestMethod?: string };
  readonly source: 'network';
}

interface PushSubscriptionChange extends ExtendableEvent {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}

const configPath = '/config.json';
const configCache = 'wardline-config';
const configTimeoutMs = 4000;

// Only files of the build are kept. Answers of the API are never cached here: they belong to a person, not to a device.
precache(self.__WB_MANIFEST);
cleanupOutdatedCaches();

// A page that was rendered ahead is shown as it was rendered; every other page of the app starts from the empty shell.
const shell = createHandlerBoundToURL('/shell.html');
const ahead = new Map(prerenderPaths.map((path) => [path, createHandlerBoundToURL(pageFile(path))]));
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && isAppPath(url.pathname),
  (options) => (ahead.get(options.url.pathname) ?? shell)(options),
);
// Any other page is the server's to answer. Without it the app says that it has no such page (NAV-8), not the browser.
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin && request.mode === 'navigate' && !isOfBackEnd(BACK_END_ADDRESSES, request.method, url.pathname),
  async (options) => {
    try {
      return await fetch(options.request as Request);
    } catch {
      const { body, headers } = await shell(options);
      return new Response(body, { status: 404, headers });
    }
  },
);
addRoute({ cleanURLs: false });

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === configPath,
  async ({ request }) => {
    const cache = await caches.open(configCache);
    // Where the browser knows of no network, nothing is waited for.
    const kept = navigator.onLine ? undefined : await cache.match(configPath);
    if (kept) return kept;
    try {
      const answer = await fetch(request, { signal: AbortSignal.timeout(configTimeoutMs) });
      if (answer.ok) await cache.put(configPath, answer.clone());
      return answer;
    } catch (cause) {
      const older = await cache.match(configPath);
      if (older) return older;
      throw cause;
    }
  },
);

self.addEventListener('install', (event: RoutingInstallEvent) => {
  // These requests go past the worker, running or not. Each that wakes it would make Chromium put an update off, for up
  // to five minutes in all. A browser that takes no such rules works without them.
  const passed: readonly BackEndAddress[] = [...BACK_END_ADDRESSES, { path: '/builds/latest.json', reach: 'only' }];
  const routes = event.addRoutes?.(passed.map(pastWorker));
  if (routes) event.waitUntil(routes.catch(() => undefined));
  // Without the network the app still has to know where it belongs.
  event.waitUntil(
    caches
      .open(configCache)
      .then((cache) => cache.add(configPath))
      .catch(() => undefined),
  );
});

self.addEventListener('message', (event) => {
  if ((event.data as { type?: unknown } | null)?.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
});

self.addEventListener('push', (event) => {
  event.waitUntil(showPushed(jsonOf(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = String((event.notification.data as { path?: unknown } | null)?.path ?? '/dashboard');
  event.waitUntil(openAt(path));
});

// The push service has replaced the subscription: one under the same terms takes its place.
self.addEventListener('pushsubscriptionchange', (event) => {
  const change = event as PushSubscriptionChange;
  const { oldSubscription, newSubscription } = change;
  change.waitUntil(replaceSubscription(newSubscription ?? oldSubscription));
});

/** Of whatever origin: the back end may be elsewhere. */
function pastWorker({ path, reach, method }: BackEndAddress): StaticRoute {
  const pathname = { only: path, with: `${path}{/*}?`, below: `${path}/*` }[reach];
  return { condition: { urlPattern: { pathname }, ...(method && { requestMethod: method }) }, source: 'network' };
}

/** Only a page knows who is signed in here: an open one tells the server now, otherwise the next one does. */
async function replaceSubscription(known: PushSubscription | null): Promise<void> {
  if (known) await self.registration.pushManager.subscribe(known.options);
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage({ type: 'push-changed' });
}

async function showPushed(payload: unknown): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const isPageSeen = windows.some(({ visibilityState }) => visibilityState === 'visible');
  const { title, options } = pushedNotification(payload, { isPageSeen });
  await self.registration.showNotification(title, options);
  const id = calledFor(payload);
  if (id !== null) await tellDelivered(id).catch(() => undefined);
}

async function tellDelivered(id: string): Promise<void> {
  const cookies = (self as { readonly cookieStore?: CookieReader }).cookieStore;
  await noteDelivered(id, { config: await readConfig(), cookies, fetch });
}

async function readConfig(): Promise<unknown> {
  const kept = await (await caches.open(configCache)).match(configPath);
  return (kept ?? (await fetch(configPath))).json();
}

async function openAt(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [first] = windows.toSorted((a, b) => Number(b.focused) - Number(a.focused));
  if (!first) {
    await self.clients.openWindow(path);
    return;
  }
  // One that the system does not let come to the front goes there all the same.
  await first.focus().catch(() => undefined);
  first.postMessage({ type: 'open', path } satisfies OpenWord);
}

function jsonOf(data: PushMessageData | null): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}
