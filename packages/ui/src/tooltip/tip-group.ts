const SKIP_WINDOW_MS = 300;

export type TipGroup = {
  /** Whether a tip is open or was until a moment ago: the next one then opens at once. */
  isWarm: () => boolean;
  /** A tip opens: the one that was open closes. */
  opens: (close: () => void) => void;
  closes: (close: () => void) => void;
};

/** What the tips of a page know of each other: one is open at a time, and the second one does not make anybody wait. */
export function createTipGroup(): TipGroup {
  let isWarm = false;
  let current: (() => void) | undefined;
  let cooling: ReturnType<typeof setTimeout> | undefined;
  return {
    isWarm: () => isWarm,
    opens: (close) => {
      if (current !== close) current?.();
      clearTimeout(cooling);
      isWarm = true;
      current = close;
    },
    closes: (close) => {
      if (current !== close) return;
      current = undefined;
      clearTimeout(cooling);
      cooling = setTimeout(() => {
        isWarm = false;
      }, SKIP_WINDOW_MS);
    },
  };
}
