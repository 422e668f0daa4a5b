import { AppError } from './app-error.ts';

/** Lets only so many tasks run at once; a few more wait, the rest are turned away with 503. */
export interface Gate {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

export function createGate({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    if (queue.length >= waiting) throw new AppError('unavailable', { retryAfterS: 1 });
    // Whoever leaves hands over the place, so that nobody slips in between.
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else running--;
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
