import { RecentlyUsed } from '#/platform/recently-used.ts';
import { tooMany } from './rate-limit.ts';

/** What is limited apart, so that a person who sends many messages can still hand in a report. */
export type LimitKind = 'message' | 'opening' | 'write' | 'background' | 'feed' | 'export' | 'import';

interface Rate {
  /** So many at once, after a pause. */
  readonly burst: number;
  readonly perMinute: number;
  /** So many under way at the same time. */
  readonly atOnce?: number;
}

export type Rates = Readonly<Record<LimitKind, Rate>>;

/** The rates of a setting that says how many writes a second one person may make for long. */
export function ratesFor(writesPerSecond: number): Rates {
  const perMinute = 60 * writesPerSecond;
  const part = (share: number) => Math.ceil(share * writesPerSecond);
  return {
    message: { burst: 6 * writesPerSecond, perMinute },
    /** Opens a chat or adds somebody: each tells several people. */
    opening: { burst: 4 * writesPerSecond, perMinute: 6 * writesPerSecond },
    write: { burst: 12 * writesPerSecond, perMinute },
    /** What a page does by itself: joining channels after a reconnect, marking as read. */
    background: { burst: 60 * writesPerSecond, perMinute: 4 * perMinute },
    /** A patient system is one account, and speaks for a hospital. */
    feed: { burst: 600 * writesPerSecond, perMinute: 40 * perMinute },
    export: { burst: part(1.2), perMinute: part(1.2), atOnce: part(0.4) },
    import: { burst: part(2), perMinute: part(2), atOnce: part(0.4) },
  };
}

const KEYS = 50_000;
const WAIT_FOR_A_PLACE_MS = 5_000;

/** Limits what one person does. */
export interface PersonLimits {
  /**
   * Counts one; throws 429 with the seconds to wait where it is one too many. The function that it returns is called when
   * the work has ended, the sending of its answer included.
   */
  begin(kind: LimitKind, userId: string): () => void;
}

/** Token buckets. The memory is bounded: who was not seen for longest is forgotten, with a full bucket. */
export function createPersonLimits(rates: Rates, now: () => number = () => performance.now()): PersonLimits {
  /** When a bucket will be full again. */
  const fullAt = new RecentlyUsed<string, number>(KEYS);
  const underWay = new Map<string, number>();

  function take(key: string, { burst, perMinute }: Rate): void {
    const oneMs = 60_000 / perMinute;
    const at = now();
    const full = Math.max(fullAt.get(key) ?? 0, at);
    const waitMs = full - at - (burst - 1) * oneMs;
    // Less than a millionth of a second is what adding up has rounded.
    if (waitMs > 0.001) throw tooMany(waitMs);
    fullAt.set(key, full + oneMs);
  }

  return {
    begin(kind, userId) {
      const key = `${kind} ${userId}`;
      const rate = rates[kind];
      const running = underWay.get(key) ?? 0;
      if (rate.atOnce !== undefined && running >= rate.atOnce) throw tooMany(WAIT_FOR_A_PLACE_MS);
      take(key, rate);
      if (rate.atOnce === undefined) return () => undefined;
      underWay.set(key, running + 1);
      return once(() => {
        const left = (underWay.get(key) ?? 1) - 1;
        if (left > 0) underWay.set(key, left);
        else underWay.delete(key);
      });
    },
  };
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}
