import { RecentlyUsed } from './recently-used.ts';

export interface BucketRate {
  /** So many at once, after a pause. */
  readonly burst: number;
  readonly perMinute: number;
}

const KEYS = 50_000;

/** Tells the other servers what is taken here, and `hear` what is taken there: milliseconds until a bucket is as full as before. */
type ShareTaken = (hear: (key: string, ms: number) => void) => (key: string, ms: number) => void;

/**
 * Counts under keys, for all servers together where they tell each other. The memory is bounded: who was not seen for longest is
 * forgotten, with a full bucket.
 */
export class TokenBuckets {
  /** When a bucket will be full again. */
  readonly #fullAt = new RecentlyUsed<string, number>(KEYS);
  readonly #now: () => number;
  readonly #tell: (key: string, ms: number) => void;

  constructor(now: () => number, share: ShareTaken = () => () => undefined) {
    this.#now = now;
    this.#tell = share((key, ms) => this.#fullAt.set(key, this.#fullFrom(key) + ms));
  }

  /** Takes one and answers 0; where there is none, how many milliseconds until there is. */
  take(key: string, { burst, perMinute }: BucketRate): number {
    const oneMs = 60_000 / perMinute;
    const full = this.#fullFrom(key);
    const waitMs = full - this.#now() - (burst - 1) * oneMs;
    // Less than a millionth of a second is what adding up has rounded.
    if (waitMs > 0.001) return waitMs;
    this.#fullAt.set(key, full + oneMs);
    this.#tell(key, oneMs);
    return 0;
  }

  #fullFrom(key: string): number {
    return Math.max(this.#fullAt.get(key) ?? 0, this.#now());
  }
}
