import type { AnyRouter } from '@tanstack/react-router';

/** After a navigation to another page the focus goes to its heading, so that a screen reader says where one is. */
export function followFocus(router: Pick<AnyRouter, 'subscribe'>): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged, toLocation }) => {
    if (!fromLocation || !pathChanged || toLocation.hash) return;
    const heading = document.querySelector<HTMLElement>('main h1, h1');
    // A page may have put the focus where one writes; that is better than its heading.
    if (!heading || document.activeElement instanceof HTMLTextAreaElement) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
}
