import { type BucketRate, TokenBuckets } from '#/platform/token-buckets.ts';
import { type ShareNumbers, shareWithNobody, tooMany } from './rate-limit.ts';

/** What is limited apart, so that a person who sends many messages can still hand in a report. */
export type LimitKind =
  | 'message'
  | 'opening'
  | 'write'
  | 'background'
  | 'search'
  | 'upload'
  | 'feed'
  | 'export'
  | 'import';

interface Rate extends BucketRate {
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
    /** With every few letters that are typed; what is typed on leaves the question before under way. */
    search: { burst: 12 * writesPerSecond, perMinute, atOnce: part(0.8) },
    /** Parts of files; those of several at once, each of some seconds. */
    upload: { burst: 60 * writesPerSecond, perMinute, atOnce: part(1.2) },
    /** A patient system is one account, and speaks for a hospital. */
    feed: { burst: 600 * writesPerSecond, perMinute: 40 * perMinute },
    export: { burst: part(1.2), perMinute: part(1.2), atOnce: part(0.4) },
    import: { burst: part(2), perMinute: part(2), atOnce: part(0.4) },
  };
}

const WAIT_FOR_A_PLACE_MS = 5_000;

/** Limits what one person does. */
export interface PersonLimits {
  /**
   * Counts one; throws 429 with the seconds to wait where it is one too many. The function that it returns is called when
   * the work has ended, the sending of its answer included.
   */
  begin(kind: LimitKind, userId: string): () => void;
}

interface PersonLimitOptions {
  /** Left out, this server counts by itself. What is under way at the same time is counted for each server. */
  readonly share?: ShareNumbers;
  readonly now?: () => number;
}

export function createPersonLimits(rates: Rates, options: PersonLimitOptions = {}): PersonLimits {
  const { share = shareWithNobody, now = () => performance.now() } = options;
  const buckets = new TokenBuckets(now, (hear) => share('what people do', hear));
  const underWay = new Map<string, number>();

  return {
    begin(kind, userId) {
      const key = `${kind} ${userId}`;
      const rate = rates[kind];
      const running = underWay.get(key) ?? 0;
      if (rate.atOnce !== undefined && running >= rate.atOnce) throw tooMany(WAIT_FOR_A_PLACE_MS);
      const waitMs = buckets.take(key, rate);
      if (waitMs > 0) throw tooMany(waitMs);
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
