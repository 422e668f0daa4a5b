import { randomBytes } from 'node:crypto';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { createInvitation as endpoint } from '@wardline/contract/facilities/invitations.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { findPermissions } from '#/platform/http/find-permissions.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';
import { findRoles, getInvitation } from './queries.ts';
import { requireManager } from './require-manager.ts';
import { toInvitation } from './to-invitation.ts';

const LIFETIME_DAYS = 7;

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly body: BodyOf<typeof endpoint>;
}

/** Makes an invitation. This answer is the only place that ever shows its token. */
export async function createInvitation(
  ctx: Pick<RequestContext, 'actor' | 'write'>,
  { params, body }: Input,
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  requireManager(ctx.actor, facilityId);
  const token = randomBytes(32).toString('base64url');
  const id = newId();
  const roleIds = [...new Set(body.role_ids)];
  return ctx.write('invitation.create', async (tx) => {
    await requireGivable(tx, { facilityId, userId: ctx.actor.userId, roleIds });
    await insertInvitation(tx, {
      id,
      facilityId,
      tokenHash: hashSecret(token),
      createdBy: ctx.actor.userId,
      title: body.title ?? null,
      note: body.note ?? null,
      roleIds,
    });
    return {
      result: { invitation: toInvitation(await getInvitation(tx, id)), token },
      audit: { facilityId, objectType: 'invitation', objectId: id, detail: { role_ids: roleIds } },
    };
  });
}

/** Reads rights anew: they may have ended since the request began. */
async function requireGivable(
  tx: Transaction,
  { facilityId, userId, roleIds }: { facilityId: string; userId: string; roleIds: readonly string[] },
): Promise<void> {
  const own = await findPermissions(tx, { userId, facilityId });
  if (!own.includes('members.manage')) throw new AppError('forbidden');
  // Held until they are given: none is removed meanwhile.
  await tx.selectFrom('roles').select('id').where('facility_id', '=', facilityId).forKeyShare().execute();
  const roles = new Map((await findRoles(tx, facilityId)).map((role) => [role.id, role]));
  for (const roleId of roleIds) {
    const role = roles.get(roleId);
    if (!role) throw invalidField('role_ids', 'This role is not one of the facility.');
    if (!canGrant(own, role.permissions)) {
      throw invalidField('role_ids', `You can’t grant ${role.name}: it has permissions you don’t have.`);
    }
  }
}

interface NewInvitation {
  /** Made by a system administrator for who is to administer the facility. */
  readonly isForAdministrator?: boolean;
  readonly id: string;
  readonly facilityId: string;
  readonly tokenHash: Buffer;
  readonly createdBy: string;
  readonly title: string | null;
  readonly note: string | null;
  readonly roleIds: readonly string[];
}

export async function insertInvitation(tx: DatabaseTransaction, made: NewInvitation): Promise<void> {
  await tx
    .insertInto('invitations')
    .values({
      id: made.id,
      facility_id: made.facilityId,
      token_hash: made.tokenHash,
      title: made.title,
      note: made.note,
      created_by: made.createdBy,
      is_for_administrator: made.isForAdministrator ?? false,
      expires_at: sql`now() + make_interval(days => ${LIFETIME_DAYS})`,
    })
    .execute();
  if (made.roleIds.length === 0) return;
  const roles = made.roleIds.map((roleId) => ({
    invitation_id: made.id,
    role_id: roleId,
    facility_id: made.facilityId,
  }));
  await tx.insertInto('invitation_roles').values(roles).execute();
}
