import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listPresence as endpoint } from '@wardline/contract/facilities/presence.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findPresences } from './presence-queries.ts';
import { requireMember } from './queries.ts';

/** Who of these is there, for the members of their facility. */
export async function listPresence(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Pick<InputOf<typeof endpoint>, 'params' | 'query'>,
): Promise<ReplyOf<typeof endpoint>> {
  requireMember(actor, params.facility);
  return { data: await findPresences(db, { facilityId: params.facility, userIds: query.people }) };
}
