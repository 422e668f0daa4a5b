import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import type { revokeInvitation as endpoint } from '@wardline/contract/invitations.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findPermissions, revoke } from './queries.ts';
import { requireManager } from './require-manager.ts';

/** Makes an invitation useless, also one that somebody signed up with and has not joined by yet. */
export async function revokeInvitation(
  ctx: Pick<RequestContext, 'actor' | 'write'>,
  { params }: { params: ParamsOf<typeof endpoint> },
): Promise<undefined> {
  const { facility: facilityId, invitation: id } = params;
  requireManager(ctx.actor, facilityId);
  await ctx.write('invitation.revoke', async (tx) => {
    const own = await findPermissions(tx, { userId: ctx.actor.userId, facilityId });
    if (!own.includes('members.manage')) throw new AppError('forbidden');
    const outcome = await revoke(tx, { facilityId, id });
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
