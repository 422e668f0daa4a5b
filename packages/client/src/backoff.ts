export const FIRST_DELAY_MS = 1000;
export const DELAY_FACTOR = 1.5;
export const LONGEST_DELAY_MS = 60_000;

/** The delay of a step in milliseconds: between half and the whole of it. `random` is in [0, 1). */
export function backoffDelay(stepMs: number, random: number): number {
  return Math.round(stepMs * (0.5 + random / 2));
}

/** The step after this one: longer by 1.5, up to 60 s. */
export function nextBackoffStep(stepMs: number): number {
  return Math.min(stepMs * DELAY_FACTOR, LONGEST_DELAY_MS);
}

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
      const delay = backoffDelay(step, random());
      step = nextBackoffStep(step);
      return delay;
    },
    reset() {
      step = FIRST_DELAY_MS;
    },
  };
}

/** Repeated tries as a reducer keeps them: the step of the next delay, and whether a try is planned. */
export interface RetryState {
  readonly stepMs: number;
  readonly isPlanned: boolean;
}

export const FIRST_RETRY: RetryState = { stepMs: FIRST_DELAY_MS, isPlanned: false };

/** Plans a try, no sooner than `atLeastMs`; null where one is planned already, which stays as it is. */
export function planRetry(
  retry: RetryState,
  random: number,
  atLeastMs = 0,
): { readonly retry: RetryState; readonly delayMs: number } | null {
  if (retry.isPlanned) return null;
  const delayMs = Math.max(backoffDelay(retry.stepMs, random), atLeastMs);
  return { retry: { stepMs: nextBackoffStep(retry.stepMs), isPlanned: true }, delayMs };
}
