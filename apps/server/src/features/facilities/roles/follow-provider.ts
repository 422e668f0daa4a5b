import { userChannel } from '@wardline/contract/chat/chat.ts';
import { type SqlBool, sql } from 'kysely';
import type { GivenRole } from '#/platform/config/oidc-settings.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { FacilityPerson } from '#/platform/http/authorization/find-permissions.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import { newId } from '#/platform/new-id.ts';
import { lockMembers, mustKeepSomebodyInCharge } from '../core/role-queries.ts';
import { endMembership, membershipRemoved } from '../members/remove-member.ts';
import { diffRoles } from './diff-roles.ts';

interface Wanted {
  readonly userId: string;
  readonly issuer: string;
  readonly roles: readonly GivenRole[];
}

/** The ids of the roles that are wanted, by facility; with every facility in which the provider gave something before. */
export async function findProvided(
  db: Database,
  { userId, issuer, roles }: Wanted,
): Promise<{ facilities: Map<string, string[]>; missing: GivenRole[] }> {
  const facilities = new Map<string, string[]>();
  const given = await db
    .selectFrom('memberships as m')
    .innerJoin('facilities as f', (join) => join.onRef('f.id', '=', 'm.facility_id').on('f.deactivated_at', 'is', null))
    .leftJoin('sso_memberships as s', (join) => join.onRef('s.membership_id', '=', 'm.id').on('s.issuer', '=', issuer))
    .leftJoin('sso_roles as r', (join) => join.onRef('r.membership_id', '=', 'm.id').on('r.issuer', '=', issuer))
    .select('m.facility_id')
    .distinct()
    .where('m.user_id', '=', userId)
    .where('m.ended_at', 'is', null)
    .where((where) => where.or([where('s.issuer', 'is not', null), where('r.issuer', 'is not', null)]))
    .execute();
  for (const { facility_id: facilityId } of given) facilities.set(facilityId, []);
  const known = await findRoles(db, roles);
  const missing = roles.filter(({ facility, role }) => {
    const found = known.find((row) => row.code === facility && row.name === role);
    if (!found) return true;
    facilities.set(found.facility_id, [...(facilities.get(found.facility_id) ?? []), found.id]);
    return false;
  });
  return { facilities, missing };
}

async function findRoles(db: Database, roles: readonly GivenRole[]) {
  if (roles.length === 0) return [];
  const codes = [...new Set(roles.map(({ facility }) => facility))];
  return db
    .selectFrom('roles as r')
    .innerJoin('facilities as f', 'f.id', 'r.facility_id')
    .select(['r.id', 'r.name', 'r.facility_id', 'f.code'])
    .where('f.code', 'in', codes)
    .where('f.deactivated_at', 'is', null)
    .execute();
}

interface Followed {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly membership: 'added' | 'changed' | 'removed';
  readonly changes: readonly Publication[];
}

/** One transaction at a time for a facility, as for changes by hand. Refuses what would leave nobody in charge. */
export async function follow(
  tx: DatabaseTransaction,
  { userId, issuer, facilityId }: FacilityPerson & { readonly issuer: string },
  wanted: readonly string[],
): Promise<Followed | null> {
  await lockMembers(tx, facilityId);
  const now = await findMember(tx, { userId, issuer, facilityId });
  const { add, remove, membership } = diffRoles({ wanted, ...now });
  if (add.length === 0 && remove.length === 0 && membership === 'keep') return null;
  const membershipId = now.id ?? (await addMembership(tx, { userId, issuer, facilityId }));
  if (add.length > 0) {
    const rows = add.map((role) => ({ membership_id: membershipId, role_id: role }));
    await tx
      .insertInto('membership_roles')
      .values(rows.map((row) => ({ ...row, facility_id: facilityId })))
      .execute();
    await tx
      .insertInto('sso_roles')
      .values(rows.map((row) => ({ ...row, issuer })))
      .execute();
  }
  if (remove.length > 0) {
    const taken = tx.deleteFrom('membership_roles').where('membership_id', '=', membershipId);
    await taken.where('role_id', 'in', remove).execute();
  }
  if (membership === 'end') await endMembership(tx, { facilityId, userId });
  if (await isAnyInCharge(tx, remove)) await mustKeepSomebodyInCharge(tx, facilityId);
  const added = { added: add, removed: remove };
  if (membership === 'end')
    return { ...added, membership: 'removed', changes: membershipRemoved({ facilityId, userId }) };
  const change = membership === 'add' ? 'added' : 'changed';
  const told = { facility_id: facilityId, chat_id: null, change } as const;
  return { ...added, membership: change, changes: [publication(userChannel, userId, ['MembershipChanged', told])] };
}

/** What ends of anybody else ends also where nobody is in charge. */
async function isAnyInCharge(tx: DatabaseTransaction, roleIds: readonly string[]): Promise<boolean> {
  if (roleIds.length === 0) return false;
  const inCharge = await tx
    .selectFrom('roles')
    .select('id')
    .where('id', 'in', roleIds)
    .where(sql<SqlBool>`'members.manage' = any(permissions)`)
    .executeTakeFirst();
  return inCharge !== undefined;
}

async function findMember(
  tx: DatabaseTransaction,
  { userId, issuer, facilityId }: FacilityPerson & { readonly issuer: string },
) {
  const member = await tx
    .selectFrom('memberships as m')
    .leftJoin('sso_memberships as s', 's.membership_id', 'm.id')
    .select(['m.id', 's.issuer'])
    .where('m.user_id', '=', userId)
    .where('m.facility_id', '=', facilityId)
    .where('m.ended_at', 'is', null)
    .executeTakeFirst();
  if (!member) return { id: null, membership: 'none', held: [], provided: [] } as const;
  const roles = await tx
    .selectFrom('membership_roles as h')
    .leftJoin('sso_roles as s', (join) =>
      join.onRef('s.membership_id', '=', 'h.membership_id').onRef('s.role_id', '=', 'h.role_id'),
    )
    .select(['h.role_id', 's.issuer'])
    .where('h.membership_id', '=', member.id)
    .execute();
  return {
    id: member.id,
    membership: member.issuer === issuer ? ('provided' as const) : ('by_hand' as const),
    held: roles.map((row) => row.role_id),
    provided: roles.filter((row) => row.issuer === issuer).map((row) => row.role_id),
  };
}

async function addMembership(
  tx: DatabaseTransaction,
  { userId, issuer, facilityId }: FacilityPerson & { readonly issuer: string },
): Promise<string> {
  const id = newId();
  await tx.insertInto('memberships').values({ id, facility_id: facilityId, user_id: userId }).execute();
  await tx.insertInto('sso_memberships').values({ membership_id: id, issuer }).execute();
  return id;
}
