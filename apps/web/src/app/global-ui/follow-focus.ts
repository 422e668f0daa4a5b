import type { AnyRouter } from '@tanstack/react-router';

/** What comes later than this after a navigation takes the focus no more. */
export const LEADS_FOR_MS = 10_000;

/**
 * After a navigation to another page the focus goes to its heading, so that a screen reader says where one is; of a chat and what
 * stands beside it, to that of the pane that was opened.
 */
export function followFocus(router: Pick<AnyRouter, 'subscribe'>): () => void {
  let end = (): void => undefined;
  const stop = router.subscribe('onRendered', ({ fromLocation, pathChanged, toLocation }) => {
    if (!fromLocation || !pathChanged) return;
    end();
    if (!toLocation.hash) end = leadFocus();
  });
  return () => {
    stop();
    end();
  };
}

/** As soon as the heading is there, and again where it is drawn anew with what was loaded; until somebody or the page puts the focus elsewhere. */
function leadFocus(): () => void {
  let held = document.activeElement;
  const lead = (): void => {
    const { activeElement, body } = document;
    const isElsewhere = activeElement !== held && activeElement !== body;
    // A page may have put the focus where one writes; that is better than its heading.
    if (isElsewhere || activeElement instanceof HTMLTextAreaElement) {
      stop();
      return;
    }
    const heading = findHeading();
    if (!heading || heading === activeElement) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    held = document.activeElement;
  };
  const observer = new MutationObserver(lead);
  const timer = setTimeout(() => observer.disconnect(), LEADS_FOR_MS);
  const stop = (): void => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  lead();
  return stop;
}

function findHeading(): HTMLElement | null {
  const pane = document.querySelector<HTMLElement>('main[data-active]')?.dataset['active'];
  const isBeside = pane === 'chat' || pane === 'detail';
  return document.querySelector<HTMLElement>(isBeside ? `main .pane-${pane} h2` : 'main h1, h1');
}
