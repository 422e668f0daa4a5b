import type { listAudit as endpoint } from '@wardline/contract/audit.ts';
import { actionsOfKind } from '@wardline/contract/audit-actions.ts';
import type { QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type AuditFilter, findAuditIds, readAuditRows } from './audit-queries.ts';
import { findChatsAbout } from './chat-queries.ts';
import { seeFacility, viewAudit } from './policy.ts';
import { decodeAuditCursor, encodeAuditCursor, toAuditEntry } from './to-audit-entry.ts';

const PAGE = 50;

/** Who did and read what in a facility. That somebody looks is noted too, and about whom. */
export async function listAudit(
  ctx: RequestContext,
  { params, query }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  requireAudit(ctx, params.facility);
  const filter = await toFilter(ctx, params.facility, query);
  const page = { before: decodeAuditCursor(query.cursor), limit: query.limit ?? PAGE };
  const { ids, next } = await findAuditIds(ctx.db, filter, page);
  const about =
    query.chat === undefined
      ? { objectType: 'facility', objectId: params.facility }
      : { objectType: 'chat', objectId: query.chat };
  await ctx.noteReads('audit.view', [{ facilityId: params.facility, ...about }]);
  return { data: (await readAuditRows(ctx.db, ids)).map(toAuditEntry), next_cursor: encodeAuditCursor(next) };
}

/** A stranger learns nothing (404); a member without the right is refused, on record (403). */
export function requireAudit({ actor }: Pick<RequestContext, 'actor'>, facilityId: string): void {
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, viewAudit, { facilityId });
}

type Query = Omit<QueryOf<typeof endpoint>, 'cursor' | 'limit'>;

/** A chat of elsewhere is answered like one that is not there. */
export async function toFilter(
  { db }: Pick<RequestContext, 'db'>,
  facilityId: string,
  { person, kind, outcome, from, to, chat }: Query,
): Promise<AuditFilter> {
  const chatIds = chat === undefined ? undefined : await findChatsAbout(db, facilityId, chat);
  if (chatIds?.length === 0) throw new AppError('not_found');
  return {
    ...{ facilityId, personId: person, outcome, from, to, chatIds },
    actions: kind === undefined ? undefined : actionsOfKind(kind),
  };
}
