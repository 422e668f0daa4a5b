import { type ComponentType, lazy } from 'react';

/**
 * A part that may as well be missing, whose code comes when it is first shown. For pages that one sees signed out: a
 * `lazyPart` brings what only signed-in pages have.
 */
export function lazyOrNothing<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (Part) => ({ default: Part }),
      () => ({ default: () => null }),
    ),
  );
}
