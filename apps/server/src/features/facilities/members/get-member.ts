import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { getMember as endpoint } from '@wardline/contract/facilities/members.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { seeFacility } from '../core/policy.ts';
import { membersOf, toMember } from './list-members.ts';

/** One person of a facility, for its members. */
export async function getMember(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params }: { params: ParamsOf<typeof endpoint> },
): Promise<ReplyOf<typeof endpoint>> {
  authorizeToKnow(actor, seeFacility, { facilityId: params.facility });
  const row = await membersOf(db, params.facility).where('m.user_id', '=', params.user).executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return toMember(actor, params.facility, row);
}
