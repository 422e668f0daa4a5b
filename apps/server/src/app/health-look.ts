import type { Log } from '#/platform/log.ts';

const GOOD_FOR_MS = 10_000;

interface HealthLook {
  /** Throws where it is not well. */
  readonly look: () => Promise<void>;
  /** For the log: when it fails first, and when it is well again. */
  readonly failing: string;
  readonly wellAgain: string;
}

/**
 * Whether something that the server stands on is well, as it was found last; nobody who asks waits for what does not answer. Asked often
 * it looks every ten seconds at most. The first answer is yes: the start has looked.
 */
export function createHealthLook({ look, failing, wellAgain }: HealthLook, log: Log): () => boolean {
  let isWell = true;
  let isLooking = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function lookNow(): Promise<void> {
    isLooking = true;
    lookedAt = performance.now();
    try {
      await look();
      if (!isWell) log.warn(wellAgain);
      isWell = true;
    } catch (error) {
      if (isWell) log.error({ err: error }, failing);
      isWell = false;
    } finally {
      isLooking = false;
    }
  }

  return () => {
    if (!isLooking && performance.now() - lookedAt >= GOOD_FOR_MS) void lookNow();
    return isWell;
  };
}
