import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listInvitations as endpoint } from '@wardline/contract/facilities/invitations.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import { findInvitations } from './core/queries.ts';
import { requireManager } from './core/require-manager.ts';
import { toInvitation } from './to-invitation.ts';

const PAGE = 50;

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly query: QueryOf<typeof endpoint>;
}

/** The invitations of a facility, the newest first, a page at a time. The cursor is the id of the last. */
export async function listInvitations(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Input,
): Promise<ReplyOf<typeof endpoint>> {
  requireManager(actor, params.facility);
  const before = query.cursor === undefined ? null : idCursor(query.cursor);
  const limit = query.limit ?? PAGE;
  const rows = await findInvitations(db, { facilityId: params.facility, before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { data: page.map(toInvitation), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
