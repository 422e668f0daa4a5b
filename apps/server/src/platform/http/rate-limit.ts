import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RecentlyUsed } from '#/platform/recently-used.ts';
import { AppError } from './app-error.ts';
import type { Quota } from './context.ts';

export interface CounterOptions {
  /** How often a key may be taken within `duration`. */
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
  /** Keys that are remembered; the least recently used is forgotten first, so that counting costs no more memory. */
  readonly keys?: number;
}

/** Counts how often something was done under a key; taking one too many throws 429 with the seconds to wait. */
export interface Counter {
  take(key: string): Promise<Quota>;
  giveBack(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

export function createCounter({ points, duration, keys = 50_000 }: CounterOptions): Counter {
  const limiter = new RateLimiterMemory({ points, duration });
  const used = new RecentlyUsed<string, true>(keys, (key) => void limiter.delete(key));
  return {
    async take(key) {
      used.set(key, true);
      try {
        const { remainingPoints } = await limiter.consume(key);
        return { limit: points, remaining: remainingPoints };
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooMany(refusal.msBeforeNext, points);
        throw refusal;
      }
    },
    async giveBack(key) {
      await limiter.reward(key);
    },
    async forget(key) {
      used.delete(key);
      await limiter.delete(key);
    },
  };
}

/** 429 that says when to come back, and of how many it was one too many. */
export function tooMany(waitMs: number, limit?: number): AppError {
  const quota = limit === undefined ? {} : { quota: { limit, remaining: 0 } };
  return new AppError('too_many_requests', { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)), ...quota });
}
