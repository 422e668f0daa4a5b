import { isZone } from '@wardline/format/zone.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { invalidField } from './app-error.ts';

/** Refuses (422 at `time_zone`) a zone that one of both clocks does not know by this name, ours or the database's. */
export async function requireZone(db: Database | DatabaseTransaction, zone: string): Promise<void> {
  if (isZone(zone)) {
    const known = await sql`select 1 from pg_timezone_names where name = ${zone}`.execute(db);
    if (known.rows.length > 0) return;
  }
  throw invalidField('time_zone', 'This is not a time zone.');
}
