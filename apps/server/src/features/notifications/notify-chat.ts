import type { Notify } from '@wardline/contract/chat/chat.ts';
import { decideNotification, type MessagePriority } from '@wardline/contract/chat/decide-notification.ts';
import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { type JobHandler, noteDueJobs } from '#/platform/jobs/jobs.ts';
import { CHOICE_KINDS, type ChoiceRow, choiceColumns, quietColumns, toPerson } from './settings-queries.ts';

export const CHAT_JOB = 'notifications.chat';
export const PUSH_JOB = 'notifications.push';

/** So long after a notification that nobody has looked at a routine message makes no further one for the same chat. */
const GATHERED_S = 60;
/** How long a notification is good for: a shift, and of an urgent one an hour, after which others answer for it. */
const LIFETIME_S: Readonly<Record<MessagePriority, number>> = { routine: 12 * 60 * 60, urgent: 60 * 60 };

const OfChat = z.object({ chat_id: Id });

/** What the job of one notification on one device says. */
export const PushJob = z.object({
  subscription_id: Id,
  /** Null for a test. */
  message: z.nullable(
    z.object({ notification_id: Id, chat_id: Id, seq: z.int(), priority: z.enum(['routine', 'urgent']) }),
  ),
  /** Milliseconds since 1970, after which nobody wants it any more. */
  until_ms: z.number(),
});

/**
 * Some seconds after messages came to a chat: who has not read them by then, and wants to know, is told. It is looked at
 * without a lock; whoever wrote meanwhile finds the chat still in the queue, or puts it there again.
 */
export const notifyChat: JobHandler = async (payload, context) => {
  const { chat_id: chatId } = OfChat.parse(payload);
  const { db } = context;
  const head = await db.selectFrom('chats').select('head_seq').where('id', '=', chatId).executeTakeFirst();
  if (!head) return;
  const people = await findWaiting(db, chatId);
  const told = people.filter((person) => isToldNow(person));
  const later = told.filter((person) => person.is_gathered);
  const now = told.filter((person) => !person.is_gathered).map((person) => person.user_id);
  await createJobWrite(context)('notifications.chat', async (tx) => {
    const left = await leaveQueue(tx, { chatId, seenSeq: head.head_seq });
    await notifyPeople(tx, { chatId, seq: head.head_seq, userIds: now, priority: 'routine' });
    // One who has had a notification just now has the next when that was a while ago.
    const afterS = left ? GATHERED_S : 5;
    if (!left || later.length > 0) {
      await sql`select queue_chat_notification(${chatId}::uuid, ${head.head_seq}::bigint, ${afterS}::integer)`.execute(
        tx,
      );
    }
    // Nothing of the chat changes by it, and who was told is what the person's own devices show.
    return { result: undefined, audit: null };
  });
};

interface WaitingRow extends ChoiceRow {
  readonly user_id: string;
  readonly notify: Notify;
  readonly is_muted: boolean;
  readonly sound: boolean;
  readonly is_mentioned: boolean;
  readonly is_gathered: boolean;
}

const waiting = typedRows<WaitingRow>({
  user_id: 'string',
  notify: 'string',
  is_muted: 'boolean',
  sound: 'boolean',
  is_mentioned: 'boolean',
  is_gathered: 'boolean',
  ...CHOICE_KINDS,
});

/**
 * Who is in the chat, has a device that is told, and has neither read nor been told of what others said last. By the counts that
 * the badge goes by: no message is read, however long the chat is.
 */
function findWaiting(db: Database, chatId: string): Promise<WaitingRow[]> {
  const query = sql`
    select p.user_id, p.notify, coalesce(p.muted_until > now(), false) as is_muted, p.sound,
      p.mention_seq > seen.seq as is_mentioned,
      coalesce(n.seq > p.read_seq and n.sent_at > now() - make_interval(secs => ${GATHERED_S}), false) as is_gathered,
      ${choiceColumns}, ${quietColumns(sql`p.user_id`)}
    from active_participants p
    join chats c on c.id = p.chat_id
    join facilities f on f.id = p.facility_id
    left join chat_notifications n on n.chat_id = p.chat_id and n.user_id = p.user_id
    left join notification_settings s on s.user_id = p.user_id
    cross join lateral (select greatest(p.read_seq, p.joined_seq, coalesce(n.seq, 0)) as seq) seen
    where p.chat_id = ${chatId} and c.head_seq > seen.seq
      and c.head_seq - greatest(p.read_seq, p.joined_seq) - p.own_after_read > 0
      and c.last_message ->> 'sender_id' is distinct from p.user_id::text
      and exists (select from push_subscriptions where user_id = p.user_id)`;
  return waiting.read(db, query);
}

function isToldNow(row: WaitingRow): boolean {
  const chat = { notify: row.notify, isMuted: row.is_muted, hasSound: row.sound };
  const { push } = decideNotification({
    priority: 'routine',
    isMentioned: row.is_mentioned,
    chat,
    person: toPerson(row),
  });
  return push !== 'none';
}

/** False where something came that was not looked at: the chat waits again. */
async function leaveQueue(
  tx: DatabaseTransaction,
  { chatId, seenSeq }: { readonly chatId: string; readonly seenSeq: number },
): Promise<boolean> {
  const [row] = await tx
    .deleteFrom('chat_notification_queue')
    .where('chat_id', '=', chatId)
    .returning('last_seq')
    .execute();
  return row === undefined || row.last_seq <= seenSeq;
}

export interface Notified {
  readonly chatId: string;
  /** The newest message that it is about. */
  readonly seq: number;
  readonly userIds: readonly string[];
  readonly priority: MessagePriority;
}

/**
 * Puts a notification for each device of these people into the queue. Whether they may still be told is asked once more when
 * it is sent. What is urgent calls this itself, without waiting for the chat's turn.
 */
export async function notifyPeople(
  tx: DatabaseTransaction,
  { chatId, seq, userIds, priority }: Notified,
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    with noted as (
      insert into chat_notifications as n (chat_id, user_id, seq)
      select ${chatId}::uuid, id, ${seq}::bigint from unnest(${[...userIds].sort()}::uuid[]) as id
      on conflict (chat_id, user_id) do update set seq = greatest(n.seq, excluded.seq), sent_at = now()
      returning n.id, n.user_id
    )
    insert into jobs (id, kind, is_pressing, payload)
    select gen_random_uuid(), ${PUSH_JOB}, true, jsonb_build_object('subscription_id', p.id, 'until_ms', ${until(priority)}::float8,
      'message', jsonb_build_object('notification_id', noted.id, 'chat_id', ${chatId}::uuid, 'seq', ${seq}::bigint,
        'priority', ${priority}::text))
    from noted join push_subscriptions p on p.user_id = noted.user_id`.execute(tx);
  noteDueJobs(tx);
}

function until(priority: MessagePriority): number {
  return Date.now() + LIFETIME_S[priority] * 1000;
}
