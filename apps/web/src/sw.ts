/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { isAppPath } from './app/app-paths.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const configPath = '/config.json';
const configCache = 'wardline-config';
const configTimeoutMs = 4000;

// Only files of the build are kept. Answers of the API are never cached here: they belong to a person, not to a device.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

registerRoute(({ request, url, sameOrigin }) => {
  return sameOrigin && request.mode === 'navigate' && isAppPath(url.pathname);
}, createHandlerBoundToURL('/index.html'));

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === configPath,
  async ({ request }) => {
    const cache = await caches.open(configCache);
    try {
      const answer = await fetch(request, { signal: AbortSignal.timeout(configTimeoutMs) });
      if (answer.ok) await cache.put(configPath, answer.clone());
      return answer;
    } catch (cause) {
      const kept = await cache.match(configPath);
      if (kept) return kept;
      throw cause;
    }
  },
);

self.addEventListener('install', (event) => {
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
