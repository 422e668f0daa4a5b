export const FIRST_DELAY_MS = 1000;
export const DELAY_FACTOR = 1.5;
export const LONGEST_DELAY_MS = 60_000;

/** The one pace at which everything of ours tries again by itself (RTA-6). */
export interface Backoff {
  /** The next delay in milliseconds: from 1 s by 1.5 up to 60 s, each between half and the whole of its step. */
  next(): number;
  /** After a success or a fresh reason to believe in one: begins at 1 s again. */
  reset(): void;
}

/** Makes a backoff. `random` answers in [0, 1). */
export function createBackoff(random: () => number = Math.random): Backoff {
  let step = FIRST_DELAY_MS;
  return {
    next() {
      const delay = step * (0.5 + random() / 2);
      step = Math.min(step * DELAY_FACTOR, LONGEST_DELAY_MS);
      return Math.round(delay);
    },
    reset() {
      step = FIRST_DELAY_MS;
    },
  };
}
