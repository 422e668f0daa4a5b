import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
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

/** Makes a counter, which its name tells from the others. */
export type CreateCounter = (name: string, options: CounterOptions) => Counter;

export type TellNumber = (key: string, number: number) => void;

/**
 * Lets the servers of an installation tell each other numbers under a name, without waiting for each other: `hear` takes those of the
 * others, and what is answered tells them one.
 */
export type ShareNumbers = (name: string, hear: TellNumber) => TellNumber;

/** Of one server alone. */
export const shareWithNobody: ShareNumbers = () => () => undefined;

/** Counts in this process. */
export const createCounter: CreateCounter = (_name, { points, duration, keys = 50_000 }) => {
  const limiter = new RateLimiterMemory({ points, duration });
  const used = new RecentlyUsed<string, true>(keys, (key) => void limiter.delete(key));
  const counter = counterOf(limiter);
  return {
    ...counter,
    take(key) {
      used.set(key, true);
      return counter.take(key);
    },
    async forget(key) {
      used.delete(key);
      await counter.forget(key);
    },
  };
};

/** A counter that keeps its numbers in this limiter. */
export function counterOf(limiter: RateLimiterAbstract): Counter {
  const { points } = limiter;
  return {
    async take(key) {
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
      await limiter.delete(key);
    },
  };
}

/** 429 that says when to come back, and of how many it was one too many. */
export function tooMany(waitMs: number, limit?: number): AppError {
  const quota = limit === undefined ? {} : { quota: { limit, remaining: 0 } };
  return new AppError('too_many_requests', { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)), ...quota });
}
