import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

const found = typedRows<{ identifier: string; ids: string[] }>({ identifier: 'string', ids: 'array' });

/**
 * The ids of the case chats of a facility that carry these numbers, and nothing of them, by the system: no query that a policy narrows is
 * served by the index of numbers (docs/decisions/057).
 */
export async function findChatsOfPatients(
  db: Database | DatabaseTransaction,
  facilityId: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (identifiers.length === 0) return new Map();
  const query = sql`
    select asked.identifier, array(
      select c.id from chats as c
      where c.facility_id = ${facilityId} and c.kind = 'case' and lower(c.patient_identifier) = lower(asked.identifier)) as ids
    from unnest(${identifiers}::text[]) as asked (identifier)`;
  const rows = await asSystem('index', () => found.read(db, query));
  return new Map(rows.map(({ identifier, ids }) => [identifier, ids]));
}
