/** Runs `work` once after `delayMs` milliseconds; the answer takes that back. */
export type Schedule = (work: () => void, delayMs: number) => () => void;

/** By the page's own timers. */
export const schedule: Schedule = (work, delayMs) => {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
};
