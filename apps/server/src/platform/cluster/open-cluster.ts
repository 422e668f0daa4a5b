import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { deriveKey } from '#/platform/config/derive-key.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';
import type { Log } from '#/platform/log.ts';
import { reasonOf } from '#/platform/reason-of.ts';
import type { Bus } from './bus.ts';
import { createRedisBus } from './redis-bus.ts';
import { createSharedCounters } from './shared-counters.ts';

/** What the servers of an installation have in common besides the database. */
export interface Cluster {
  readonly bus: Bus;
  readonly createCounter: CreateCounter;
  close(): Promise<void>;
}

/** Nobody waits longer for a limit to be counted. */
const COUNTED_WITHIN_MS = 500;
const MOST_WAIT_MS = 1_000;

/** Over a Redis (`redis:` or `rediss:`), in which nothing is kept that must last. `realtimeSecret` is that of all servers. */
export function openCluster(url: string, { realtimeSecret, log }: { realtimeSecret: string; log: Log }): Cluster {
  const key = deriveKey(Buffer.from(realtimeSecret), 'server bus');
  // Installations that share a Redis do not hear each other's noise.
  const prefix = `wardline:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  // Three connections are tried again and again: each reason is said once until one of them is through.
  let said = '';
  const sayWhy = (error: unknown) => {
    const reason = reasonOf(error);
    if (reason !== said) log.error({ reason }, 'Redis cannot be used: the servers do not hear each other');
    said = reason;
  };
  const connect = (more: { readonly autoResubscribe?: false; readonly commandTimeout?: number }) =>
    new Redis(url, {
      retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, MOST_WAIT_MS),
      // What was told or counted while Redis was away is too late afterwards.
      enableOfflineQueue: false,
      connectTimeout: 5_000,
      keepAlive: 5_000,
      ...more,
    })
      .on('error', sayWhy)
      .on('ready', () => {
        said = '';
      });
  const [teller, listener] = [connect({}), connect({ autoResubscribe: false })];
  const counting = connect({ commandTimeout: COUNTED_WITHIN_MS });
  const bus = createRedisBus({ teller, listener, subject: prefix, key, log });
  return {
    bus,
    createCounter: createSharedCounters(counting, prefix),
    async close() {
      bus.close();
      for (const redis of [teller, listener, counting]) redis.disconnect();
    },
  };
}
