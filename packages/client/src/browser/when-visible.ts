/** The parts of the page that are needed to see what is on the screen. */
interface VisibilityHost {
  /** Undefined where the browser cannot tell; nothing is ever seen then. */
  readonly Observer?: typeof IntersectionObserver | undefined;
  /** Runs `work` when the page has nothing better to do. */
  readonly whenIdle?: (work: () => void) => void;
}

/** Runs work the first time an element is on the screen. */
export interface VisibilityWatch {
  /** Answers the undo, for an element that goes before it was seen. */
  watch(element: Element, onVisible: () => void): () => void;
}

/** Makes a watch, one observer for all its elements. It begins to look when the page is idle, after the first paint. */
export function createVisibilityWatch({
  Observer = globalThis.IntersectionObserver,
  whenIdle = pageIdle,
}: VisibilityHost = {}): VisibilityWatch {
  const waiting = new Map<Element, () => void>();
  let observer: IntersectionObserver | null = null;
  let hasAsked = false;

  const see = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) {
      const work = isIntersecting ? waiting.get(target) : undefined;
      if (work === undefined) continue;
      forget(target);
      work();
    }
  };
  const forget = (element: Element): void => {
    waiting.delete(element);
    observer?.unobserve(element);
  };
  const begin = (): void => {
    observer = new Observer(see);
    for (const element of waiting.keys()) observer.observe(element);
  };

  return {
    watch(element, onVisible) {
      if (Observer === undefined) return () => undefined;
      waiting.set(element, onVisible);
      observer?.observe(element);
      if (!hasAsked) whenIdle(begin);
      hasAsked = true;
      return () => forget(element);
    },
  };
}

function pageIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work);
  else setTimeout(work, 1);
}
