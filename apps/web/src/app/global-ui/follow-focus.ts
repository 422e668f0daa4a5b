import type { AnyRouter } from '@tanstack/react-router';

/** What comes later than this after a navigation takes the focus no more. */
export const LEADS_FOR_MS = 10_000;
/** For so long whoever took away what had the focus may say where it goes. */
export const KEPT_AFTER_MS = 100;

/**
 * After a navigation to another page the focus goes to its heading, so that a screen reader says where one is; of a chat and what
 * stands beside it, to that of the pane that was opened. Where what has it is taken away, it goes to the heading around that.
 */
export function followFocus(router: Pick<AnyRouter, 'subscribe'>): () => void {
  let leading: Leading | null = null;
  const stops = [
    router.subscribe('onRendered', ({ fromLocation, pathChanged, toLocation }) => {
      if (!fromLocation || !pathChanged) return;
      leading?.stop();
      leading = toLocation.hash ? null : leadFocus();
    }),
    keepFocus(() => leading?.isLeading() === true),
    () => leading?.stop(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

interface Leading {
  isLeading(): boolean;
  stop(): void;
}

/** As soon as the heading is there, and again where it is drawn anew with what was loaded; until somebody or the page puts the focus elsewhere. */
function leadFocus(): Leading {
  let held = document.activeElement;
  let isLeading = true;
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
    give(heading);
    held = document.activeElement;
  };
  const observer = new MutationObserver(lead);
  const stop = (): void => {
    isLeading = false;
    clearTimeout(timer);
    observer.disconnect();
  };
  const timer = setTimeout(stop, LEADS_FOR_MS);
  observer.observe(document.body, { childList: true, subtree: true });
  lead();
  return { isLeading: () => isLeading, stop };
}

function findHeading(): HTMLElement | null {
  const pane = findPane();
  return document.querySelector<HTMLElement>(pane ? `${pane} h2` : 'main h1, h1');
}

/** Where somebody is in a chat, as a selector; null on other pages. */
function findPane(): string | null {
  const pane = document.querySelector<HTMLElement>('main[data-active]')?.dataset['active'];
  return pane === 'chat' || pane === 'detail' ? `main .pane-${pane}` : null;
}

/** A button that does away with itself leaves the focus nowhere, and the keyboard at the top of the page. */
function keepFocus(isLed: () => boolean): () => void {
  let around: readonly Element[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = ({ target }: FocusEvent): void => {
    around = target instanceof Element ? ancestorsOf(target) : [];
  };
  const giveBack = (): void => {
    const left = around.find(({ isConnected }) => isConnected);
    around = [];
    if (isLed() || (document.activeElement !== null && document.activeElement !== document.body)) return;
    // A menu stands beside the page that it is of.
    const place =
      left?.closest<HTMLElement>('.pane, [role="dialog"], main') ??
      document.querySelector<HTMLElement>(findPane() ?? 'main');
    if (place) give(place.matches('[role="dialog"]') ? place : (place.querySelector<HTMLElement>('h1, h2') ?? place));
  };
  const observer = new MutationObserver(() => {
    if (!around[0] || around[0].isConnected) return;
    clearTimeout(timer);
    timer = setTimeout(giveBack, KEPT_AFTER_MS);
  });
  document.addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    clearTimeout(timer);
    document.removeEventListener('focusin', note);
    observer.disconnect();
  };
}

function ancestorsOf(element: Element): Element[] {
  const all: Element[] = [];
  for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) all.push(at);
  return all;
}

function give(place: HTMLElement): void {
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
