import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { getChatRecord as endpoint } from '@wardline/contract/chat/records.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { manageRecords } from '#/features/chat/core/policy.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { holdsOfChat } from './hold-queries.ts';
import { loadRule } from './retention-rules.ts';

type Endpoint = typeof endpoint;

/** What is said of the chat as a record; nothing of what was said in it. */
export async function getChatRecord(
  { actor, db }: RequestContext,
  { params }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const chat = await requireChatOfRecords(db, { actor, chatId: params.chat });
  const { facilityId, exportedAt } = chat;
  return {
    holds: await inOwnFacilities(() => holdsOfChat(db, { facilityId, chatId: chat.id })),
    rule: await loadRule(db, facilityId, chat.kind),
    exported: exportedAt && { at: exportedAt.toISOString(), seq: chat.exportedSeq },
  };
}

/** A chat of a facility whose record one answers for, also where one is not in it. For anybody else it is not there (404). */
export async function requireChatOfRecords(
  db: Database | DatabaseTransaction,
  { actor, chatId }: { readonly actor: Actor; readonly chatId: string },
) {
  const query = db
    .selectFrom('chats')
    .select(['id', 'facility_id', 'kind', 'exported_at', 'exported_seq'])
    .where('id', '=', chatId)
    .$narrowType<{ kind: Chat['kind'] }>();
  const found = await inOwnFacilities(() => query.executeTakeFirst());
  if (!found) throw new AppError('not_found');
  authorizeToKnow(actor, manageRecords, { facilityId: found.facility_id });
  const { id, facility_id: facilityId, kind, exported_at: exportedAt, exported_seq: exportedSeq } = found;
  return { id, facilityId, kind, exportedAt, exportedSeq };
}
