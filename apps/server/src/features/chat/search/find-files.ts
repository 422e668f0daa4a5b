import type { FoundFile } from '@wardline/contract/chat/search.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { directOther } from '#/features/chat/core/chat-queries.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Attachments } from '#/platform/db/types.ts';
import { rangesOf } from './excerpt.ts';
import { askedOf, type ChatOfFound, chatOf, chatOfFound, type MessageSearch, readHits } from './find-messages.ts';
import type { SearchTerm } from './search-terms.ts';

interface FoundFileRow extends ChatOfFound, Pick<Selectable<Attachments>, 'id' | 'name' | 'kind'> {
  readonly message_id: string;
  readonly is_voice: boolean;
  readonly seq: number;
  readonly sender_id: string;
  readonly sender_name: string;
  readonly sender_title: string | null;
  readonly created_at: Date;
  /** Where it stands in the order of all that was found: microseconds. */
  readonly place: number;
}

const found = typedRows<FoundFileRow>({
  ...chatOfFound,
  id: 'string',
  name: 'string',
  kind: 'string?',
  message_id: 'string',
  is_voice: 'boolean',
  seq: 'number',
  sender_id: 'string',
  sender_name: 'string',
  sender_title: 'string?',
  created_at: 'date',
  place: 'number',
});

/** Files whose names have all terms, those that were sent last first: of messages that this person may read, and looked at. */
export async function findFiles(db: Database, search: MessageSearch): Promise<FoundFileRow[]> {
  const ids = await readHits(db, fileSearchQuery(search));
  if (ids.length === 0) return [];
  return found.read(
    db,
    sql`
    select a.id, a.name, a.kind, a.message_id, a.duration_ms is not null as is_voice, m.seq, m.sender_id, m.created_at,
      m.chat_id, m.facility_id, c.kind as chat_kind, c.title, c.patient_name, c.patient_identifier, c.patient_born_on, c.patient_bed,
      case when c.kind = 'direct' then (select u.name from users as u where u.id = ${directOther}) end as direct_name,
      sender.name as sender_name, place.title as sender_title, (extract(epoch from m.created_at) * 1000000)::bigint as place
    from attachments as a
    join messages as m on m.id = a.message_id
    join chats as c on c.id = m.chat_id
    join chat_participants as p on p.chat_id = m.chat_id and p.user_id = ${search.userId}
    join users as sender on sender.id = m.sender_id
    left join memberships as place
      on place.user_id = m.sender_id and place.facility_id = m.facility_id and place.ended_at is null
    where a.id = any(${ids}::uuid[])
    order by m.created_at desc, a.id desc`,
  );
}

/** The ids of a page. As for messages, the scan reads the names of these chats alone (A17). */
export function fileSearchQuery(search: MessageSearch): RawBuilder<unknown> {
  return sql`select id from search_files(${askedOf(search)}) as id`;
}

export function toFoundFile(row: FoundFileRow, terms: readonly SearchTerm[]): FoundFile {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind ?? 'file',
    is_voice: row.is_voice,
    ranges: rangesOf(row.name, terms),
    chat: chatOf(row),
    message_id: row.message_id,
    seq: row.seq,
    sender: { id: row.sender_id, name: row.sender_name, title: row.sender_title },
    created_at: row.created_at.toISOString(),
  };
}
