import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

/** What the counters of a person's place `p` must be: what they said past their marker, and who last called them. */
const ownAfterRead = sql`(
  select count(*) from messages m
  where m.chat_id = p.chat_id and m.sender_id = p.user_id and m.seq > greatest(p.read_seq, p.joined_seq)
)`;
const lastMention = sql`coalesce((
  select max(n.seq) from message_mentions n where n.user_id = p.user_id and n.chat_id = p.chat_id
), 0)`;

const openUrgent = (chatIds: RawBuilder<unknown>) => sql`
  select m.chat_id, count(*)::int as urgent from escalations e join messages m on m.id = e.subject_id
  where e.subject = 'message' and e.state in ('calling', 'exhausted', 'accepted') and m.chat_id = any(${chatIds})
  group by m.chat_id`;

const ids = typedRows<{ id: string }>({ id: 'string' });

export async function listChatIds(db: Database, after: string | null, limit: number): Promise<string[]> {
  const query = sql`
    select id from chats where ${after === null ? sql`true` : sql`id > ${after}`} order by id limit ${limit}`;
  return (await ids.read(db, query)).map(({ id }) => id);
}

/**
 * Of these chats those whose counters do not agree with their messages. One statement, so it sees each message with its counters
 * or without both; nothing is locked.
 */
export async function findDrift(db: Database, chatIds: readonly string[]): Promise<string[]> {
  const all = sql`${chatIds}::uuid[]`;
  const query = sql`
    select p.chat_id as id from chat_participants p
    where p.chat_id = any(${all}) and p.left_at is null
      and (p.own_after_read <> ${ownAfterRead} or p.mention_seq <> ${lastMention})
    union
    select c.id from chats c left join (${openUrgent(all)}) open on open.chat_id = c.id
    where c.id = any(${all}) and c.urgent_count <> coalesce(open.urgent, 0)
    order by 1`;
  return (await ids.read(db, query)).map(({ id }) => id);
}

const facilities = typedRows<{ facility_id: string }>({ facility_id: 'string' });

/** Takes the chat's lock where it is free: who sends waits for no recount, and a chat in use has its turn the next night. */
export async function lockChatIfFree(tx: DatabaseTransaction, chatId: string): Promise<string | null> {
  const query = sql`select facility_id from chats where id = ${chatId} for no key update skip locked`;
  return (await facilities.first(tx, query))?.facility_id ?? null;
}

const corrected = typedRows<{ user_id: string; is_unread: boolean; is_mention: boolean }>({
  ...{ user_id: 'string', is_unread: 'boolean', is_mention: 'boolean' },
});

export interface Drift {
  /** Whose devices have shown something else. */
  readonly userIds: readonly string[];
  readonly unread: number;
  readonly mentions: number;
  readonly urgent: number;
}

/** Under the chat's lock: counts anew and stores what was wrong. */
export async function correctCounters(tx: DatabaseTransaction, chatId: string): Promise<Drift> {
  // A marker rises without the chat's lock, and must not between the count and its storing.
  await sql`
    select from chat_participants where chat_id = ${chatId} and left_at is null order by user_id for no key update`.execute(
    tx,
  );
  const rows = await corrected.read(
    tx,
    sql`
      with wrong as (
        select p.user_id, ${ownAfterRead} as own, ${lastMention} as mention, p.own_after_read, p.mention_seq
        from chat_participants p
        where p.chat_id = ${chatId} and p.left_at is null
          and (p.own_after_read <> ${ownAfterRead} or p.mention_seq <> ${lastMention})
      )
      update chat_participants p set own_after_read = wrong.own, mention_seq = wrong.mention
      from wrong where p.chat_id = ${chatId} and p.user_id = wrong.user_id
      returning p.user_id, wrong.own_after_read <> wrong.own as is_unread, wrong.mention_seq <> wrong.mention as is_mention`,
  );
  const { numAffectedRows = 0n } = await sql`
    update chats c set urgent_count = counted.urgent
    from (
      select coalesce((select urgent from (${openUrgent(sql`array[${chatId}]::uuid[]`)}) open), 0) as urgent
    ) counted
    where c.id = ${chatId} and c.urgent_count <> counted.urgent`.execute(tx);
  return {
    userIds: rows.map(({ user_id }) => user_id),
    unread: rows.filter(({ is_unread }) => is_unread).length,
    mentions: rows.filter(({ is_mention }) => is_mention).length,
    urgent: Number(numAffectedRows),
  };
}
