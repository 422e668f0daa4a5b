import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '../actor.ts';
import { type Action, authorize } from './authorize.ts';
import { findPermissions } from './find-permissions.ts';

/** The person with what they may in the facility as this transaction finds it, to ask again after waiting for a lock. */
export async function actorNow(tx: DatabaseTransaction, actor: Actor, facilityId: string): Promise<Actor> {
  const permissions = new Set(await findPermissions(tx, { facilityId, userId: actor.userId }));
  const memberships = actor.memberships.map((held) =>
    held.facilityId === facilityId ? { ...held, permissions } : held,
  );
  return { ...actor, memberships };
}

/** Asks again after waiting for a lock: refuses with 403 whom the roles that they hold now do not let do this. */
export async function authorizeNow<Thing extends { readonly facilityId: string }>(
  tx: DatabaseTransaction,
  actor: Actor,
  wanted: Action<Thing>,
  thing: Thing,
): Promise<void> {
  authorize(await actorNow(tx, actor, thing.facilityId), wanted, thing);
}
