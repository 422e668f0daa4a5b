import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { createInvitation as endpoint } from '@wardline/contract/facilities/invitations.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';
import { readGiving } from './core/givable-roles.ts';
import { insertInvitation, newSecret } from './core/insert-invitation.ts';
import { getInvitation } from './core/queries.ts';
import { requireManager } from './core/require-manager.ts';
import { toInvitation } from './to-invitation.ts';

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
  const token = newSecret();
  const id = newId();
  const roleIds = [...new Set(body.role_ids)];
  return ctx.write('invitation.create', async (tx) => {
    const giving = await readGiving(tx, { facilityId, userId: ctx.actor.userId });
    if (!giving.mayInvite) throw new AppError('forbidden');
    const refusal = giving.refusalOf(roleIds);
    if (refusal !== null) throw invalidField('role_ids', refusal);
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
