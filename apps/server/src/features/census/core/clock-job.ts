import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Write } from '#/platform/http/context.ts';
import type { LogAuthor } from './append-log.ts';
import type { CensusDeps } from './deps.ts';

/** What every duty of the clock is given. */
export interface ClockDeps extends CensusDeps {
  /** Nobody asks for what the clock does: its audit entries name the clock. */
  readonly write: Write;
  readonly author: LogAuthor;
  readonly now: Date;
}

/** Does one thing after the other; one that fails is logged and keeps none of the others from being done. */
export async function eachByItself<Item>(
  { log }: Pick<ClockDeps, 'log'>,
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      log.error({ err: error, item }, 'the clock of the census failed at one of its things');
    }
  }
}

/** Holds the census of a facility for the clock until the commit; false while somebody changes it: the next tick comes soon. */
export async function holdFacility(tx: DatabaseTransaction, facilityNo: number): Promise<boolean> {
  return (await holdFacilities(tx, [facilityNo])).has(facilityNo);
}

/** The same for several; those that are free, and were not deactivated. */
export async function holdFacilities(tx: DatabaseTransaction, facilities: readonly number[]): Promise<Set<number>> {
  const held = await sql<{ facility_no: number }>`
    select h.facility_no from census_log_heads h
    join census_facilities c on c.facility_no = h.facility_no
    join facilities f on f.id = c.facility_id and f.deactivated_at is null
    where h.facility_no = any(${[...facilities]}::integer[])
    order by h.facility_no for update of h skip locked`.execute(tx);
  return new Set(held.rows.map(({ facility_no }) => facility_no));
}
