import { AppError } from './app-error.ts';

/** Lets only so many tasks run at once; others wait, the rest are turned away with 503. */
export interface Gate {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

export interface GateOptions {
  readonly atOnce: number;
  /** So many may wait. */
  readonly waiting?: number;
  /** Whoever has waited for longer is turned away, and meanwhile nobody else begins to wait. */
  readonly longestWaitMs?: number;
}

interface Waiting {
  readonly since: number;
  readonly goOn: () => void;
  readonly giveUp: () => void;
}

export function createGate(
  { atOnce, waiting = Number.POSITIVE_INFINITY, longestWaitMs = Number.POSITIVE_INFINITY }: GateOptions,
  now: () => number = () => performance.now(),
): Gate {
  const queue: Waiting[] = [];
  let running = 0;

  const isTooLate = ({ since }: Waiting) => now() - since > longestWaitMs;

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    const [first] = queue;
    if (queue.length >= waiting || (first !== undefined && isTooLate(first))) throw busy();
    await new Promise<void>((resolve, reject) => {
      queue.push({ since: now(), goOn: resolve, giveUp: () => reject(busy()) });
    });
  }

  function leave(): void {
    running--;
    while (queue.length > 0 && running < atOnce) {
      const next = queue.shift();
      if (next === undefined) return;
      if (isTooLate(next)) next.giveUp();
      else {
        // The place is taken for them here, so that nobody slips in between.
        running++;
        next.goOn();
      }
    }
  }

  return {
    async run(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}

function busy(): AppError {
  return new AppError('unavailable', { retryAfterS: 1 });
}
