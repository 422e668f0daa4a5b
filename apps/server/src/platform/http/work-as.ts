import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { asActor, asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type Actor, closedFacilities } from './actor.ts';

/** Runs what is done for a person, or for somebody who is not signed in: the database gives it what is theirs. */
export function workAs<Result>(actor: Actor | null, run: () => Promise<Result>): Promise<Result> {
  return actor === null ? asSystem('guest', run) : asActor(actor.userId, closedFacilities(actor), run);
}

const seen = typedRows<{ is_seen: boolean }>({ is_seen: 'boolean' });

/**
 * Why none of these ids was found, where a session that is let into its closed facilities would see one: what is not shown is not there
 * for the verb, which could not tell. As authorize says it of what was found.
 */
export async function reasonUnseen(
  db: Database,
  actor: Actor,
  given: readonly unknown[],
): Promise<'second_factor_needed' | 'facility_closed' | null> {
  const ids = given.filter((value) => Id.safeParse(value).success);
  const closed = actor.closedMemberships ?? [];
  if (closed.length === 0 || ids.length === 0) return null;
  const isSeen = async () => (await seen.first(db, sql`select wall_sees(${ids}::uuid[]) as is_seen`))?.is_seen === true;
  const isSeenWithout = (facilities: string[]) => asActor(actor.userId, facilities, isSeen);
  if ((await isSeenWithout(closedFacilities(actor))) || !(await isSeenWithout([]))) return null;
  const deactivated = closed.filter(({ isDeactivated }) => isDeactivated);
  const isFactorEnough = await isSeenWithout(closedFacilities({ closedMemberships: deactivated }));
  return isFactorEnough ? 'second_factor_needed' : 'facility_closed';
}
