// Being called: what a person chose, the devices that are told by Web Push, the mail digest. Who of a chat is told of a message
// is one pure rule of the contract; whether they still may be is asked when it is sent.
import * as contract from '@wardline/contract/chat/notifications.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { type Route, route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import { DIGEST_JOB } from './digest-queries.ts';
import { DIGEST_MAIL_JOB, type DigestDeps, mailDigest, makeDigest } from './mail-digest.ts';
import { type NoteDeliveredDeps, noteNotificationDelivered } from './note-delivered.ts';
import { CHAT_JOB, notifyChat, PUSH_JOB } from './notify-chat.ts';
import { openNotification } from './open-notification.ts';
import { ownData } from './own-data.ts';
import { type SendPushDeps, sendPush } from './send-push.ts';
import { loadSettings } from './settings-queries.ts';
import { subscribePush, testPush, unsubscribePush } from './subscriptions.ts';
import { updateNotificationSettings } from './update-settings.ts';

export { notifyPeople } from './notify-chat.ts';

export interface NotificationsFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  purge(): Promise<void>;
}

interface NotificationsDeps extends SendPushDeps, DigestDeps, NoteDeliveredDeps {
  readonly db: Database;
}

export function notificationsFeature(deps: NotificationsDeps): NotificationsFeature {
  return {
    routes: [
      route(contract.getNotificationSettings, ({ actor, db }) => loadSettings(db, actor)),
      route(contract.updateNotificationSettings, updateNotificationSettings),
      route(contract.subscribePush, subscribePush(deps)),
      route(contract.unsubscribePush, unsubscribePush),
      route(contract.testPush, testPush),
      route(contract.openNotification, openNotification(deps)),
      route(contract.noteNotificationDelivered, noteNotificationDelivered(deps)),
    ],
    ownData,
    jobHandlers: {
      [CHAT_JOB]: notifyChat,
      [PUSH_JOB]: sendPush(deps),
      [DIGEST_JOB]: makeDigest,
      [DIGEST_MAIL_JOB]: mailDigest(deps),
    },
    purge: () => requeueLost(deps.db),
  };
}

/** A job that failed for good must not silence its chat, or end its person's digests: it is put into the queue again. */
async function requeueLost(db: Database): Promise<void> {
  await sql`
    with overdue as (
      update chat_notification_queue set due_at = now() where due_at < now() - interval '1 hour' returning chat_id
    )
    insert into jobs (id, kind, is_pressing, payload)
    select gen_random_uuid(), ${CHAT_JOB}, true, jsonb_build_object('chat_id', chat_id) from overdue`.execute(db);
  await sql`
    with overdue as (
      update notification_settings set digest_due_at = now() where digest_due_at < now() - interval '1 hour' returning user_id
    )
    insert into jobs (id, kind, payload)
    select gen_random_uuid(), ${DIGEST_JOB}, jsonb_build_object('user_id', user_id) from overdue`.execute(db);
}
