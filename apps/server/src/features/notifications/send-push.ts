import type { Notify } from '@wardline/contract/chat/chat.ts';
import { decideNotification } from '@wardline/contract/chat/decide-notification.ts';
import type { PushType } from '@wardline/contract/chat/notifications.ts';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { Write } from '#/platform/http/context.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { PushMessage, PushSender } from '#/platform/push/push-sender.ts';
import { PUSH_JOB, PushJob } from './notify-chat.ts';
import { CHOICE_KINDS, type ChoiceRow, choiceColumns, quietColumns, toPerson } from './settings-queries.ts';

export interface SendPushDeps {
  /** Null where nobody is told by push. */
  readonly sender: PushSender | null;
  /** Who a session or token stands for, read now; null when it has no force any more. */
  readonly actorOf: (key: string) => Promise<Actor | null>;
  readonly mayRead: (db: Database, actor: Actor, chatId: string) => Promise<boolean>;
}

type Message = NonNullable<z.infer<typeof PushJob>['message']>;

/**
 * One notification to one device. Everything is asked at this moment, not when it was put into the queue: whether the session
 * lasts, whether the person may read the chat, whether they have read it meanwhile, and what they chose.
 */
export function sendPush({ sender, actorOf, mayRead }: SendPushDeps): JobHandler {
  return async (payload, context) => {
    const job = PushJob.parse(payload);
    const { db, log } = context;
    const device = await findDevice(db, job.subscription_id);
    if (!sender || !device || Date.now() >= job.until_ms) return;
    const actor = await actorOf(device.key.toString('hex'));
    if (actor === null) return;
    const type = job.message === null ? 'test' : await typeNow(db, { actor, message: job.message, mayRead });
    if (type === null) return;
    const answer = await sender.send(device, toPush(type, job));
    const change = createJobWrite(context);
    if (answer.outcome === 'gone') {
      await change('notifications.push.end', async (tx) => {
        await tx.deleteFrom('push_subscriptions').where('id', '=', device.id).execute();
        return {
          result: undefined,
          audit: { objectType: 'user', objectId: actor.userId, detail: { why: 'gone' } },
        };
      });
    } else if (answer.outcome === 'later') {
      const runAt = new Date(Date.now() + answer.afterS * 1000);
      await change('notifications.push.later', async (tx) => {
        await enqueueJob(tx, { kind: PUSH_JOB, payload: job, runAt, isPressing: true });
        return { result: undefined, audit: null };
      });
    } else if (answer.outcome === 'refused') {
      log.error(
        { status: answer.status, host: new URL(device.endpoint).host },
        'a push service refused a notification',
      );
    } else await countSent(change, type, job.message);
  };
}

/** That a person was called, once for all their devices. What is urgent is counted where it is begun. */
async function countSent(change: Write, type: PushType, message: Message | null): Promise<void> {
  if (message === null || type === 'urgent') return;
  const { notification_id: id, seq } = message;
  const kind = type === 'message' ? 'silent' : 'aloud';
  await change('notifications.push.count', async (tx) => {
    await sql`
      with noted as (
        update chat_notifications set counted_seq = ${seq} where id = ${id} and counted_seq < ${seq}
        returning chat_id, user_id
      )
      select count_calls(c.facility_id, ${kind}, array[noted.user_id])
      from noted join chats c on c.id = noted.chat_id`.execute(tx);
    return { result: undefined, audit: null };
  });
}

interface DeviceRow {
  readonly id: string;
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  /** The hash of the session's or token's secret. */
  readonly key: Buffer;
}

const devices = typedRows<DeviceRow>({
  id: 'string',
  endpoint: 'string',
  p256dh: 'buffer',
  auth: 'buffer',
  key: 'buffer',
});

function findDevice(db: Database, id: string): Promise<DeviceRow | undefined> {
  const query = sql`
    select p.id, p.endpoint, p.p256dh, p.auth, coalesce(s.id_hash, t.token_hash) as key
    from push_subscriptions p left join sessions s on s.id = p.session_id left join access_tokens t on t.id = p.token_id
    where p.id = ${id}`;
  return devices.first(db, query);
}

interface Question extends Pick<SendPushDeps, 'mayRead'> {
  readonly actor: Actor;
  readonly message: Message;
}

/** What the notification is by now; null where there is nothing to tell any more. */
async function typeNow(db: Database, { actor, message, mayRead }: Question): Promise<PushType | null> {
  if (!(await mayRead(db, actor, message.chat_id))) return null;
  const place = await places.first(db, placeQuery(actor.userId, message));
  const isOver = message.priority === 'urgent' ? !place?.waits : place?.is_read;
  if (!place || isOver) return null;
  const { push } = decideNotification({
    priority: message.priority,
    isMentioned: place.is_mentioned,
    chat: { notify: place.notify, isMuted: place.is_muted, hasSound: place.sound },
    person: toPerson(place),
  });
  if (push === 'none') return null;
  if (message.priority === 'urgent') return 'urgent';
  return push === 'aloud' ? 'message_aloud' : 'message';
}

interface PlaceRow extends ChoiceRow {
  readonly notify: Notify;
  readonly is_muted: boolean;
  readonly sound: boolean;
  readonly is_read: boolean;
  /** Of an urgent message: whether it still asks something of the person. */
  readonly waits: boolean;
  readonly is_mentioned: boolean;
}

const places = typedRows<PlaceRow>({
  notify: 'string',
  is_muted: 'boolean',
  sound: 'boolean',
  is_read: 'boolean',
  waits: 'boolean',
  is_mentioned: 'boolean',
  ...CHOICE_KINDS,
});

function placeQuery(userId: string, { chat_id, seq }: Message) {
  return sql`
    select p.notify, coalesce(p.muted_until > now(), false) as is_muted, p.sound, p.read_seq >= ${seq}::bigint as is_read,
      exists (
        select from messages m join escalations e on e.subject = 'message' and e.subject_id = m.id
        join escalation_people called on called.escalation_id = e.id and called.user_id = p.user_id
        where m.chat_id = p.chat_id and m.seq = ${seq}::bigint and called.waits_for is not null
      ) as waits,
      p.mention_seq > p.read_seq as is_mentioned, ${choiceColumns}, ${quietColumns(sql`p.user_id`)}
    from active_participants p
    join facilities f on f.id = p.facility_id
    left join notification_settings s on s.user_id = p.user_id
    where p.chat_id = ${chat_id} and p.user_id = ${userId}`;
}

const URGENCY: Readonly<Record<PushType, PushMessage['urgency']>> = {
  message: 'normal',
  message_aloud: 'high',
  urgent: 'high',
  test: 'high',
};

function toPush(type: PushType, { message, until_ms }: z.infer<typeof PushJob>): PushMessage {
  const ttlS = Math.max(1, Math.floor((until_ms - Date.now()) / 1000));
  if (message === null) return { payload: { type, id: '' }, ttlS, urgency: URGENCY[type] };
  const topic = Buffer.from(message.notification_id.replaceAll('-', ''), 'hex').toString('base64url');
  return { payload: { type, id: message.notification_id }, ttlS, urgency: URGENCY[type], topic };
}
