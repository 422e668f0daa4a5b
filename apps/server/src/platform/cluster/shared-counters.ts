import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { type CreateCounter, counterOf } from '#/platform/http/rate-limit.ts';

/**
 * Counts for all servers together, in their Redis. While it does not answer each counts by itself: a limit may be as many times as
 * wide as there are servers, and is never gone. `prefix` stands before every key.
 */
export function createSharedCounters(redis: Redis, prefix: string): CreateCounter {
  return (name, { points, duration }) =>
    counterOf(
      new RateLimiterRedis({
        ...{ storeClient: redis, keyPrefix: `${prefix}:limit:${name}`, points, duration },
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      }),
    );
}
