import type { AnyRouter } from '@tanstack/react-router';
import { type ConnectionState, createPreloadQueue, type PreloadQueue } from '@wardline/client/browser/preload-queue.ts';
import { createVisibilityWatch, type VisibilityWatch } from '@wardline/client/browser/when-visible.ts';

export interface PagePreload extends PreloadQueue, VisibilityWatch {}

const preloads = new WeakMap<AnyRouter, PagePreload>();

/** Fetches the code of pages ahead, one queue for all links of a router (PRE-1). Guards run, so a guarded page's code stays away. */
export function pagePreload(router: AnyRouter): PagePreload {
  const known = preloads.get(router);
  if (known) return known;
  const connection = (globalThis.navigator as { connection?: ConnectionState } | undefined)?.connection;
  const queue = createPreloadQueue({ connection, load: (path) => router.preloadRoute({ to: path }) });
  const made = { ...queue, ...createVisibilityWatch() };
  preloads.set(router, made);
  return made;
}
