import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listRoles as endpoint } from '@wardline/contract/facilities/invitations.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findRoles } from './core/queries.ts';
import { requireManager } from './core/require-manager.ts';

/** The roles of a facility with what each allows, for those who decide about its members. */
export async function listRoles(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params }: { params: ParamsOf<typeof endpoint> },
): Promise<ReplyOf<typeof endpoint>> {
  requireManager(actor, params.facility);
  return { data: await findRoles(db, params.facility) };
}
