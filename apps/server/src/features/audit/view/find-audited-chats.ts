import type { findAuditedChats as endpoint } from '@wardline/contract/audit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findChatsByText } from './chat-queries.ts';
import { requireAudit } from './list-audit.ts';

/** Whose readers can be listed. It names patients to somebody who is in none of their chats, which is noted. */
export async function findAuditedChats(
  ctx: RequestContext,
  { params, query }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  requireAudit(ctx, facilityId);
  const data = await findChatsByText(ctx.db, facilityId, query.q);
  await ctx.noteReads(
    'audit.patient_search',
    data.map(({ id }) => ({ facilityId, objectType: 'chat', objectId: id })),
  );
  return { data };
}
