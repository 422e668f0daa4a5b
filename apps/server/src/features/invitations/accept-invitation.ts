import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import type { acceptInvitation as endpoint } from '@wardline/contract/facilities/invitations.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import { hold, join } from './core/queries.ts';
import { membershipAdded } from './membership-changes.ts';

export interface AcceptInvitationDeps {
  readonly looks: Counter;
  /** Makes the new right hold at once in this process. */
  readonly rightsChanged: (userId: string) => void | Promise<void>;
}

/** Joins as who is signed in. For somebody who is a member already the invitation keeps its use. */
export function acceptInvitation({ looks, rightsChanged }: AcceptInvitationDeps) {
  return async (
    ctx: Pick<RequestContext, 'actor' | 'http' | 'write'>,
    { params }: { params: ParamsOf<typeof endpoint> },
  ): Promise<undefined> => {
    await looks.take(placeOf(ctx.http.ip));
    const { userId } = ctx.actor;
    // Of a facility to which they do not belong yet: the link is their right.
    await asSystem('membership', () =>
      ctx.write('invitation.accept', async (tx) => {
        const held = await hold(tx, { token: params.token });
        if (!held) throw new AppError('not_found');
        const joined = await join(tx, { invitationId: held.id, userId });
        if (!joined) throw invalidField('invitation', 'You are a member of this facility already.');
        const facilityId = joined.facility_id;
        return {
          result: undefined,
          audit: { facilityId, objectType: 'invitation', objectId: held.id },
          publish: membershipAdded(userId, facilityId),
          afterCommit: () => rightsChanged(userId),
        };
      }),
    );
  };
}
