import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { FoundMessage } from '@wardline/contract/chat/search.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { directOther } from '#/features/chat/core/chat-queries.ts';
import type { ListPlace } from '#/features/chat/core/list-cursor.ts';
import type { StoredForward } from '#/features/chat/core/message-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Chats, Messages } from '#/platform/db/types.ts';
import { keyQuery, type SearchTerm, sequencesOf } from './search-terms.ts';

export interface MessageSearch {
  readonly userId: string;
  /** Those that the person may read; the statement asks once more who is in them. */
  readonly chatIds: readonly string[];
  readonly terms: readonly SearchTerm[];
  readonly senderId: string | undefined;
  readonly from: string | null;
  /** Before this instant. */
  readonly to: string | null;
  readonly after: ListPlace | null;
  readonly limit: number;
}

type StoredMessage = Pick<Selectable<Messages>, 'id' | 'seq' | 'sender_id' | 'body' | 'created_at'>;
type StoredChat = Pick<
  Selectable<Chats>,
  'title' | 'patient_name' | 'patient_identifier' | 'patient_born_on' | 'patient_bed'
>;

/** What is said of the chat beside whatever was found in it. */
export interface ChatOfFound extends StoredChat {
  readonly chat_id: string;
  readonly facility_id: string;
  readonly chat_kind: Chat['kind'];
  readonly direct_name: string | null;
}

export const chatOfFound = {
  chat_id: 'string',
  facility_id: 'string',
  chat_kind: 'string',
  title: 'string',
  patient_name: 'string?',
  patient_identifier: 'string?',
  patient_born_on: 'string?',
  patient_bed: 'string?',
  direct_name: 'string?',
} as const;

export interface FoundRow extends StoredMessage, ChatOfFound {
  readonly sender_name: string;
  readonly sender_title: string | null;
  readonly forwarded: StoredForward | null;
  /** Where it stands in the order of all that was found: microseconds. */
  readonly place: number;
}

const found = typedRows<FoundRow>({
  ...chatOfFound,
  id: 'string',
  seq: 'number',
  sender_id: 'string',
  body: 'string',
  created_at: 'date',
  sender_name: 'string',
  sender_title: 'string?',
  forwarded: 'json?',
  place: 'number',
});

/** Messages that have all terms, newest first: what listMessages would show this person, and nothing else. */
export async function findMessages(db: Database, search: MessageSearch): Promise<FoundRow[]> {
  const ids = await readHits(db, messageSearchQuery(search));
  if (ids.length === 0) return [];
  return found.read(
    db,
    sql`
    select m.id, m.chat_id, m.facility_id, m.seq, m.sender_id, m.body, m.created_at, m.forwarded,
      c.kind as chat_kind, c.title, c.patient_name, c.patient_identifier, c.patient_born_on, c.patient_bed,
      case when c.kind = 'direct' then (select u.name from users as u where u.id = ${directOther}) end as direct_name,
      sender.name as sender_name, place.title as sender_title, (extract(epoch from m.created_at) * 1000000)::bigint as place
    from messages as m
    join chats as c on c.id = m.chat_id
    join chat_participants as p on p.chat_id = m.chat_id and p.user_id = ${search.userId}
    join users as sender on sender.id = m.sender_id
    left join memberships as place
      on place.user_id = m.sender_id and place.facility_id = m.facility_id and place.ended_at is null
    where m.id = any(${ids}::uuid[])
    order by m.created_at desc, m.id desc`,
  );
}

const hits = typedRows<{ id: string }>({ id: 'string' });

/** The ids of a page of what was found, and nothing of it. */
export async function readHits(db: Database | DatabaseTransaction, query: RawBuilder<unknown>): Promise<string[]> {
  return (await hits.read(db, query)).map(({ id }) => id);
}

/**
 * The ids of a page. The keys of the index begin with the chat, so the scan reads what was said in these chats alone: neither what is found nor how
 * long it takes tells of others (A17).
 */
export function messageSearchQuery(search: MessageSearch): RawBuilder<unknown> {
  return sql`select id from search_messages(${askedOf(search)}) as id`;
}

/** What both functions of the search are asked, in their order. */
export function askedOf({ userId, chatIds, terms, senderId, from, to, after, limit }: MessageSearch) {
  return sql`${userId}::uuid, ${chatIds}::uuid[], ${keyQuery(terms)}, ${sequencesOf(terms)}::text[], ${senderId ?? null}::uuid,
    ${from}::timestamptz, ${to}::timestamptz, ${after?.micros ?? null}::bigint, ${after?.id ?? null}::uuid, ${limit}::integer`;
}

/** The chat of something that was found, as the contract names it. */
export function chatOf(row: ChatOfFound): FoundMessage['chat'] {
  const { patient_name: name, patient_identifier: identifier, patient_born_on: born_on, patient_bed: bed } = row;
  return {
    id: row.chat_id,
    facility_id: row.facility_id,
    kind: row.chat_kind,
    title: row.direct_name ?? row.title,
    patient: name !== null && identifier !== null ? { name, identifier, born_on, bed } : null,
  };
}
