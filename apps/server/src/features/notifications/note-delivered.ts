import type { noteNotificationDelivered as endpoint } from '@wardline/contract/chat/notifications.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type NotificationDeps, requireNotification } from './open-notification.ts';

export interface NoteDeliveredDeps extends NotificationDeps {
  /** The urgent messages of a chat up to `delivered` that somebody is called for are on a device of theirs. */
  readonly noteReached: (
    tx: DatabaseTransaction,
    where: { readonly chatId: string; readonly userId: string; readonly delivered: number; readonly read: number },
  ) => Promise<Publication[]>;
}

/** Told by the service worker, whether or not the app is open (URG-1). Nothing clinical, so that no entry tells of it. */
export function noteNotificationDelivered(deps: NoteDeliveredDeps) {
  return async (
    { actor, write }: RequestContext,
    { params }: InputOf<typeof endpoint>,
  ): Promise<ReplyOf<typeof endpoint>> =>
    write('urgent.deliver', async (tx) => {
      const { chat_id: chatId, seq } = await requireNotification(tx, actor, params, deps);
      const publishToAll = await deps.noteReached(tx, { chatId, userId: actor.userId, delivered: seq, read: 0 });
      return { result: undefined, audit: null, publishToAll };
    });
}
