import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import type { revokeInvitation as endpoint } from '@wardline/contract/facilities/invitations.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { manageInvitations } from './core/policy.ts';
import { requireManager } from './core/require-manager.ts';

/** Makes an invitation useless, also one that somebody signed up with and has not joined by yet. */
export async function revokeInvitation(
  ctx: Pick<RequestContext, 'actor' | 'write'>,
  { params }: { params: ParamsOf<typeof endpoint> },
): Promise<undefined> {
  const { facility: facilityId, invitation: id } = params;
  requireManager(ctx.actor, facilityId);
  await ctx.write('invitation.revoke', async (tx) => {
    const outcome = await revoke(tx, { facilityId, id });
    // The invitation is held by now, which may have been waited for.
    await authorizeNow(tx, ctx.actor, manageInvitations, { facilityId });
    if (outcome === 'unknown') throw new AppError('not_found');
    if (outcome === 'used') {
      throw new AppError('conflict', { message: 'Someone has already joined with this invitation.' });
    }
    return {
      result: undefined,
      audit: outcome === 'done' ? { facilityId, objectType: 'invitation', objectId: id } : null,
    };
  });
}

/** What revoking found: nothing of this facility, a use that cannot be undone, nothing left to do, or it is done. */
type Revocation = 'unknown' | 'used' | 'repeated' | 'done';

async function revoke(
  tx: DatabaseTransaction,
  { facilityId, id }: { facilityId: string; id: string },
): Promise<Revocation> {
  const invitation = await tx
    .selectFrom('invitations')
    .select(['revoked_at', 'used_at'])
    .where('id', '=', id)
    .where('facility_id', '=', facilityId)
    .forUpdate()
    .executeTakeFirst();
  if (!invitation) return 'unknown';
  if (invitation.revoked_at) return 'repeated';
  if (invitation.used_at) return 'used';
  await tx.updateTable('invitations').set({ revoked_at: sql`now()` }).where('id', '=', id).execute();
  return 'done';
}
