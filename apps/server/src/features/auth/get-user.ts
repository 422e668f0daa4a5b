import type { User } from '@wardline/contract/auth.ts';
import type { RequestContext } from '#/platform/context.ts';

/** The identity as it was read for this request. */
export async function getUser({ actor }: Pick<RequestContext, 'actor'>): Promise<User> {
  return {
    id: actor.userId,
    name: actor.name,
    email: actor.email,
    email_verified_at: actor.emailVerifiedAt,
    avatar_url: null,
    is_operator: actor.isOperator,
    memberships: actor.memberships.map((membership) => ({
      facility_id: membership.facilityId,
      facility_name: membership.facilityName,
      title: membership.title,
      roles: [...membership.roles],
      permissions: [...membership.permissions].sort(),
    })),
  };
}
