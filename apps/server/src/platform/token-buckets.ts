import { RecentlyUsed } from './recently-used.ts';

export interface BucketRate {
  /** So many at once, after a pause. */
  readonly burst: number;
  readonly perMinute: number;
}

const KEYS = 50_000;

/** Counts under keys. The memory is bounded: who was not seen for longest is forgotten, with a full bucket. */
export class TokenBuckets {
  /** When a bucket will be full again. */
  readonly #fullAt = new RecentlyUsed<string, number>(KEYS);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes one and answers 0; where there is none, how many milliseconds until there is. */
  take(key: string, { burst, perMinute }: BucketRate): number {
    const oneMs = 60_000 / perMinute;
    const at = this.#now();
    const full = Math.max(this.#fullAt.get(key) ?? 0, at);
    const waitMs = full - at - (burst - 1) * oneMs;
    // Less than a millionth of a second is what adding up has rounded.
    if (waitMs > 0.001) return waitMs;
    this.#fullAt.set(key, full + oneMs);
    return 0;
  }
}
