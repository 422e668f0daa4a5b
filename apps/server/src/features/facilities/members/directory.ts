import { userChannel } from '@wardline/contract/chat/chat.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type FacilityPerson, findGrantedPermissions } from '#/platform/http/authorization/find-permissions.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import { newId } from '#/platform/new-id.ts';
import { findRole, lockAndFindOwn, mustKeepSomebodyInCharge } from '../core/role-queries.ts';
import { endMembership, membershipRemoved } from './remove-member.ts';
import { storeTitle } from './set-member-title.ts';

/** Who changes the members of a facility for a directory, held by the lock of the facility. */
export interface Holder {
  readonly facilityId: string;
  /** What whoever made the directory's token may there, now. */
  readonly permissions: readonly string[];
}

interface TitledMember {
  readonly userId: string;
  readonly title: string | null;
}

interface RoleOf {
  readonly userId: string;
  readonly roleId: string;
}

/** What a directory may change of the members, by the rules of changes by hand. Each is told apart from whether it changed anything. */
export interface MemberDirectory {
  /** One at a time for a facility. Refuses where whoever made the token may not manage its members any more. */
  hold(tx: DatabaseTransaction, maker: FacilityPerson): Promise<Holder>;
  admit(tx: DatabaseTransaction, holder: Holder, member: TitledMember): Promise<Publication[]>;
  /** What a member is there; null takes it away. */
  setTitle(tx: DatabaseTransaction, holder: Holder, member: TitledMember): Promise<Publication[]>;
  /** Refuses for who may more than the maker of the token, and for the last person in charge. */
  remove(tx: DatabaseTransaction, holder: Holder, userId: string): Promise<Publication[]>;
  /** Gives or takes a role, if it is one that the maker of the token could give. */
  setRole(tx: DatabaseTransaction, holder: Holder, role: RoleOf & { readonly isHeld: boolean }): Promise<Publication[]>;
}

export const memberDirectory: MemberDirectory = {
  async hold(tx, maker) {
    return { facilityId: maker.facilityId, permissions: await lockAndFindOwn(tx, maker) };
  },
  async admit(tx, { facilityId }, { userId, title }) {
    const row = { id: newId(), facility_id: facilityId, user_id: userId, title };
    await tx.insertInto('memberships').values(row).execute();
    return [changed(facilityId, userId, 'added')];
  },
  async setTitle(tx, { facilityId }, { userId, title }) {
    await storeTitle(tx, { facilityId, userId, title });
    return [changed(facilityId, userId, 'changed')];
  },
  async remove(tx, { facilityId, permissions }, userId) {
    const theirs = await findGrantedPermissions(tx, { facilityId, userId });
    if (!canGrant(permissions, theirs)) throw notTheirs('remove someone who');
    if (!(await endMembership(tx, { facilityId, userId }))) return [];
    await mustKeepSomebodyInCharge(tx, facilityId);
    return membershipRemoved({ facilityId, userId });
  },
  async setRole(tx, { facilityId, permissions }, { userId, roleId, isHeld }) {
    const role = await findRole(tx, { facilityId, roleId });
    if (!role) throw new AppError('not_found');
    if (!canGrant(permissions, role.permissions)) throw notTheirs('give or take a role that');
    const hasChanged = isHeld
      ? await giveRole(tx, { facilityId, userId, roleId })
      : await takeRole(tx, { facilityId, userId, roleId });
    return hasChanged ? [changed(facilityId, userId, 'changed')] : [];
  },
};

function notTheirs(what: string): AppError {
  return new AppError('forbidden', {
    message: `This token can't ${what} has permissions that its maker does not have.`,
  });
}

function changed(facilityId: string, userId: string, change: 'added' | 'changed'): Publication {
  return publication(userChannel, userId, ['MembershipChanged', { facility_id: facilityId, chat_id: null, change }]);
}

async function giveRole(
  tx: DatabaseTransaction,
  { facilityId, userId, roleId }: FacilityPerson & RoleOf,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('membership_roles')
    .columns(['membership_id', 'role_id', 'facility_id'])
    .expression(({ selectFrom, val }) =>
      selectFrom('memberships')
        .select(({ ref }) => [
          'id as membership_id',
          val(roleId).$castTo<string>().as('role_id'),
          ref('facility_id').as('facility_id'),
        ])
        .where('facility_id', '=', facilityId)
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The role is one of the facility, so who holds it is as well. */
async function takeRole(
  tx: DatabaseTransaction,
  { facilityId, userId, roleId }: FacilityPerson & RoleOf,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('membership_roles')
    .where('role_id', '=', roleId)
    .where('membership_id', 'in', ({ selectFrom }) =>
      selectFrom('memberships').select('id').where('user_id', '=', userId).where('ended_at', 'is', null),
    )
    .executeTakeFirst();
  if (numDeletedRows > 0n) await mustKeepSomebodyInCharge(tx, facilityId);
  return numDeletedRows > 0n;
}
