import type { Bus } from '#/platform/cluster/bus.ts';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { Log } from '#/platform/log.ts';
import { countServers } from './claim-database.ts';

interface WatchDeps {
  readonly db: Database;
  readonly bus: Pick<Bus, 'isHearing' | 'others'>;
  readonly log: Log;
  readonly everyMs?: number;
}

const EVERY_MS = 30_000;

/**
 * Compares who works on the database with who is heard: a server by another Redis hears itself, and takes its silence for being alone.
 * Told where two looks in a row find it, since one that starts is not heard yet. Gives the function that ends it.
 */
export function watchServers({ db, bus, log, everyMs = EVERY_MS }: WatchDeps): () => void {
  let before = 0;
  const look = async () => {
    const others = (await asSystem('readiness', () => countServers(db))) - 1;
    const unheard = bus.isHearing() ? Math.max(0, others - bus.others()) : 0;
    if (unheard > 0 && before > 0)
      log.error({ unheard }, 'other servers of this database are not heard by Redis: give all the same REDIS_URL');
    before = unheard;
  };
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  return () => clearInterval(timer);
}
