const seenForMs = 600;

export interface ReadWatch {
  /** Starts or stops watching the element that shows the message of this seq. */
  watch(element: Element, seq: number): () => void;
  stop(): void;
}

interface Watched {
  readonly seq: number;
  isVisible: boolean;
  timer: ReturnType<typeof setTimeout> | null;
}

/**
 * Calls `onRead` with the seq of a message once it was visible for 600 ms in a focused tab. A glance while the tab is
 * behind another, or a row that only flies by, is not reading.
 */
export function createReadWatch(root: Element, onRead: (seq: number) => void): ReadWatch {
  const watched = new Map<Element, Watched>();
  let readUpTo = 0;

  const isFocused = () => document.visibilityState === 'visible' && document.hasFocus();
  const halt = (entry: Watched) => {
    if (entry.timer !== null) clearTimeout(entry.timer);
    entry.timer = null;
  };
  const settle = (entry: Watched) => {
    if (!entry.isVisible || !isFocused()) return halt(entry);
    if (entry.timer !== null || entry.seq <= readUpTo) return;
    entry.timer = setTimeout(() => {
      entry.timer = null;
      if (entry.seq <= readUpTo) return;
      readUpTo = entry.seq;
      onRead(entry.seq);
    }, seenForMs);
  };
  const settleAll = () => {
    for (const entry of watched.values()) settle(entry);
  };

  const observer = new IntersectionObserver(
    (changes) => {
      for (const change of changes) {
        const entry = watched.get(change.target);
        if (!entry) continue;
        const fills = change.intersectionRect.height >= (change.rootBounds?.height ?? Number.POSITIVE_INFINITY) / 2;
        entry.isVisible = change.isIntersecting && (change.intersectionRatio >= 0.5 || fills);
        settle(entry);
      }
    },
    { root, threshold: [0, 0.25, 0.5, 0.75, 1] },
  );
  const events = ['focus', 'blur'] as const;
  for (const name of events) window.addEventListener(name, settleAll);
  document.addEventListener('visibilitychange', settleAll);

  return {
    watch(element, seq) {
      const entry: Watched = { seq, isVisible: false, timer: null };
      watched.set(element, entry);
      observer.observe(element);
      return () => {
        halt(entry);
        observer.unobserve(element);
        if (watched.get(element) === entry) watched.delete(element);
      };
    },
    stop() {
      for (const entry of watched.values()) halt(entry);
      watched.clear();
      observer.disconnect();
      for (const name of events) window.removeEventListener(name, settleAll);
      document.removeEventListener('visibilitychange', settleAll);
    },
  };
}
