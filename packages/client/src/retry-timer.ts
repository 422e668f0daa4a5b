import { createBackoff } from './backoff.ts';

/** One pending repeat of some work. */
export interface RetryTimer {
  /** Plans the next try; `atLeastMs` is what a server asked for by Retry-After. A planned one stays as it is. */
  plan(atLeastMs?: number | null): void;
  /** Success: nothing is planned, and the pace begins anew. */
  succeed(): void;
  /** Nothing is planned any more; the pace stays. */
  cancel(): void;
}

/** Makes a timer that runs `work` at the pace of RTA-6. */
export function createRetryTimer(work: () => void, random?: () => number): RetryTimer {
  const backoff = createBackoff(random);
  let timer: ReturnType<typeof setTimeout> | null = null;
  const cancel = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    plan(atLeastMs = 0) {
      if (timer !== null) return;
      timer = setTimeout(
        () => {
          timer = null;
          work();
        },
        Math.max(backoff.next(), atLeastMs ?? 0),
      );
    },
    succeed() {
      cancel();
      backoff.reset();
    },
    cancel,
  };
}
