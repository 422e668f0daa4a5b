import type { openNotification as endpoint } from '@wardline/contract/chat/notifications.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

export interface NotificationDeps {
  /** Whether somebody may read a chat, asked now. */
  readonly mayRead: (db: Database, actor: Actor, chatId: string) => Promise<boolean>;
}

/** Which message a notification is about, for whom it was sent to, while they may read it. */
export function openNotification(deps: NotificationDeps) {
  return async (
    { actor, db }: RequestContext,
    { params }: InputOf<typeof endpoint>,
  ): Promise<ReplyOf<typeof endpoint>> => {
    const { facility_id, chat_id, seq, read_seq, joined_seq } = await requireNotification(db, actor, params, deps);
    if (facility_id === null) throw new AppError('not_found');
    // The first that waits: one notification tells of many.
    return { facility_id, chat_id, seq: Math.min(seq, Math.max(read_seq ?? 0, joined_seq ?? 0) + 1) };
  };
}

/** A notification that was sent to the actor, about a chat that they may read now. */
export async function requireNotification(
  db: Database,
  actor: Actor,
  { notification }: { readonly notification: string },
  { mayRead }: NotificationDeps,
) {
  const found = await db
    .selectFrom('chat_notifications as n')
    .innerJoin('active_participants as p', (join) =>
      join.onRef('p.chat_id', '=', 'n.chat_id').onRef('p.user_id', '=', 'n.user_id'),
    )
    .select(['p.facility_id', 'n.chat_id', 'n.seq', 'p.read_seq', 'p.joined_seq'])
    .where('n.id', '=', notification)
    .where('n.user_id', '=', actor.userId)
    .executeTakeFirst();
  if (!found || !(await mayRead(db, actor, found.chat_id))) throw new AppError('not_found');
  return found;
}
