import type { CensusDeps } from '#/features/census/core/deps.ts';
import { tick } from './tick.ts';

/** What the census does by itself. */
export interface CensusClock {
  /** Looks at once and then every minute. */
  start(): void;
  /** Begins nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;

/** One tick after the other: a slow one is not overtaken by the next. */
export function createClock(deps: CensusDeps): CensusClock {
  let every: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;

  const look = () => {
    underWay ??= tick(deps, new Date())
      .catch((error: unknown) => deps.log.error({ err: error }, 'the clock of the census stopped at an error'))
      .finally(() => {
        underWay = null;
      });
  };

  return {
    start() {
      if (every) return;
      every = setInterval(look, EVERY_MS).unref();
      look();
    },
    async stop() {
      clearInterval(every);
      await underWay;
    },
  };
}
