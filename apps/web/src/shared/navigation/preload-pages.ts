import type { AnyRouter } from '@tanstack/react-router';
import { type ConnectionFacts, createPreloadQueue, type PreloadQueue } from '@wardline/client/browser/preload-queue.ts';
import { createVisibilityWatch, type VisibilityWatch } from '@wardline/client/browser/when-visible.ts';

interface PagePreload extends PreloadQueue, VisibilityWatch {}

const ofRouter = new WeakMap<AnyRouter, PagePreload>();

/** Fetches the code of pages ahead, one queue for all links of a router (PRE-1). Guards run, so a guarded page's code stays away. */
export function preloadOf(router: AnyRouter): PagePreload {
  const known = ofRouter.get(router);
  if (known) return known;
  const connection = (globalThis.navigator as { connection?: ConnectionFacts } | undefined)?.connection;
  const queue = createPreloadQueue({ connection, load: (path) => router.preloadRoute({ to: path }) });
  const made = { ...queue, ...createVisibilityWatch() };
  ofRouter.set(router, made);
  return made;
}
