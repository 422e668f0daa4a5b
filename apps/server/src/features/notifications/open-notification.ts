import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { openNotification as endpoint } from '@wardline/contract/notifications.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

interface OpenNotificationDeps {
  readonly mayRead: (db: Database, actor: Actor, chatId: string) => Promise<boolean>;
}

/** Which message a notification is about, for whom it was sent to, while they may read it. */
export function openNotification({ mayRead }: OpenNotificationDeps) {
  return async (
    { actor, db }: RequestContext,
    { params }: InputOf<typeof endpoint>,
  ): Promise<ReplyOf<typeof endpoint>> => {
    const found = await db
      .selectFrom('chat_notifications as n')
      .innerJoin('chats as c', 'c.id', 'n.chat_id')
      .select(['c.facility_id', 'n.chat_id', 'n.seq'])
      .where('n.id', '=', params.notification)
      .where('n.user_id', '=', actor.userId)
      .executeTakeFirst();
    if (!found || !(await mayRead(db, actor, found.chat_id))) throw new AppError('not_found');
    return found;
  };
}
