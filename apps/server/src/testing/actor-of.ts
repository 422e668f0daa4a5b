import { randomBytes } from 'node:crypto';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor, ActorMembership } from '#/platform/http/actor.ts';

interface Somebody {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** A person as the rules see them who is signed in, with what they may in each of their facilities. */
export async function actorOf(db: Database | DatabaseTransaction, user: Somebody): Promise<Actor> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('facilities as f', 'f.id', 'm.facility_id')
    .leftJoin('membership_roles as mr', 'mr.membership_id', 'm.id')
    .leftJoin('roles as r', 'r.id', 'mr.role_id')
    .select(['m.id', 'm.facility_id', 'm.title', 'f.name', 'r.permissions'])
    .where('m.user_id', '=', user.id)
    .where('m.ended_at', 'is', null)
    .execute();
  const byId = new Map<string, ActorMembership & { readonly permissions: Set<string> }>();
  for (const { id, facility_id: facilityId, name: facilityName, title, permissions } of rows) {
    const standing = byId.get(id) ?? { id, facilityId, facilityName, title, roles: [], permissions: new Set() };
    for (const permission of permissions ?? []) standing.permissions.add(permission);
    byId.set(id, standing);
  }
  const credential = { kind: 'session', key: randomBytes(32).toString('hex'), abilities: ['*'] } as const;
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    emailVerifiedAt: null,
    isOperator: false,
    avatarKey: null,
    memberships: [...byId.values()],
    credential,
  };
}
