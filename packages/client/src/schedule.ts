/** Runs `work` once after `delayMs` milliseconds; the answer takes that back. */
export type Schedule = (work: () => void, delayMs: number) => () => void;

/** By the page's own timers. */
export const schedule: Schedule = (work, delayMs) => {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
};

/** One timer of an engine: set anew, the time before is forgotten. */
export interface Timer {
  set(delayMs: number): void;
  clear(): void;
}

export function createTimer(onDue: () => void): Timer {
  let clear: () => void = () => undefined;
  return {
    set(delayMs) {
      clear();
      clear = schedule(onDue, delayMs);
    },
    clear: () => clear(),
  };
}
