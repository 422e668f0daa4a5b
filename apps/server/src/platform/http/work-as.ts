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
 * Whether one of these ids, which was not found, would be with a second factor: what the session is shown nothing of is not there for the
 * verb, which could not tell.
 */
export async function isBehindFactor(db: Database, actor: Actor, given: readonly unknown[]): Promise<boolean> {
  const ids = given.filter((value) => Id.safeParse(value).success);
  if (closedFacilities(actor).length === 0 || ids.length === 0) return false;
  const isSeen = async () => (await seen.first(db, sql`select wall_sees(${ids}::uuid[]) as is_seen`))?.is_seen === true;
  return !(await workAs(actor, isSeen)) && (await asActor(actor.userId, [], isSeen));
}
