import type { CriticalCategory } from '@wardline/contract/chat/critical.ts';
import type { listUrgent as endpoint, WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { type RawBuilder, sql } from 'kysely';
import { directOther } from '#/features/chat/core/chat-queries.ts';
import { decodeListCursor, encodeListCursor } from '#/features/chat/core/list-cursor.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { closedFacilities } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

const PAGE = 20;

interface WaitingRow
  extends Omit<WaitingUrgent, 'patient' | 'sender' | 'sent_at' | 'called_at' | 'critical' | 'is_delivered'> {
  readonly is_delivered: boolean;
  readonly patient_name: string | null;
  readonly patient_identifier: string | null;
  readonly sender_id: string;
  readonly sender_name: string;
  readonly sent_at: Date;
  readonly critical: CriticalCategory | null;
  readonly called_at: Date;
  readonly escalation_id: string;
  /** When it began to wait, in microseconds. */
  readonly place: number;
}
const waiting = typedRows<WaitingRow>({
  ...{ message_id: 'string', chat_id: 'string', facility_id: 'string', seq: 'number', chat_title: 'string' },
  ...{ patient_name: 'string?', patient_identifier: 'string?', sender_id: 'string', sender_name: 'string' },
  ...{ excerpt: 'string', state: 'string', sent_at: 'date', called_at: 'date', waits_for: 'string', missing: 'array' },
  is_delivered: 'boolean',
  ...{ escalation_id: 'string', place: 'number', critical: 'string?' },
});

/** What waits for me over all facilities, or of mine for others; only of chats that I am in, from where I may read on. */
export async function listUrgent(
  { actor, db, noteReads }: RequestContext,
  { query }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const me = { userId: actor.userId, closed: closedFacilities(actor) };
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : decodeListCursor(query.cursor);
  const since = query.of === 'others' ? sql`e.started_at` : sql`w.called_at`;
  const past = after
    ? sql`and (${since}, e.id) > ('epoch'::timestamptz + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : sql``;
  const rows = await waiting.read(
    db,
    sql`select m.id as message_id, m.chat_id, m.facility_id, m.seq, c.patient_name, c.patient_identifier,
        coalesce(case when c.kind = 'direct' then (select u.name from users u where u.id = ${directOther}) end, c.title) as chat_title,
        e.started_by as sender_id, s.name as sender_name, left(regexp_replace(m.body, '\\s*[\\n\\r]+\\s*', ' · ', 'g'), 160) as excerpt,
        e.state, e.started_at as sent_at, ${since} as called_at, e.id as escalation_id,
        (select a.category from critical_alerts a where a.message_id = m.id) as critical,
        (extract(epoch from ${since}) * 1000000)::bigint as place,
        ${query.of === 'others' ? sql`'others'` : sql`w.waits_for`} as waits_for,
        ${query.of === 'others' ? sql`true` : sql`w.delivered_at is not null`} as is_delivered,
        ${query.of === 'others' ? MISSING : sql`'[]'::jsonb`} as missing
      ${query.of === 'others' ? mine(me) : forMe(me)}
      join users s on s.id = e.started_by
      where true ${past}
      order by ${since}, e.id limit ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const shown = page.map(({ chat_id, facility_id }) => ({
    facilityId: facility_id,
    objectType: 'chat',
    objectId: chat_id,
  }));
  await noteReads('chat.read', shown);
  return {
    data: page.map(toWaiting),
    next_cursor: last ? encodeListCursor({ micros: last.place, id: last.escalation_id }) : null,
    counts: await countUrgentOf(db, me),
  };
}

interface Me {
  readonly userId: string;
  readonly closed: readonly string[];
}

/** Through escalation_people_waiting_idx. */
function forMe({ userId, closed }: Me): RawBuilder<unknown> {
  return sql`
    from escalation_people w
    join escalations e on e.id = w.escalation_id and e.subject = 'message'
    join messages m on m.id = e.subject_id
    join active_participants p on p.chat_id = m.chat_id and p.user_id = w.user_id and p.joined_seq < m.seq
    join chats c on c.id = m.chat_id and c.facility_id <> all(${closed}::uuid[])
      and w.user_id = ${userId} and w.waits_for is not null`;
}

/** Through escalations_open_by_idx. */
function mine({ userId, closed }: Me): RawBuilder<unknown> {
  return sql`
    from escalations e
    join messages m on m.id = e.subject_id and e.subject = 'message'
    join active_participants p on p.chat_id = m.chat_id and p.user_id = e.started_by and p.joined_seq < m.seq
    join chats c on c.id = m.chat_id and c.facility_id <> all(${closed}::uuid[])
      and e.started_by = ${userId} and e.state in ('calling', 'exhausted', 'accepted')`;
}

/** Who was called for `e` and has not accepted it; nobody where somebody has. */
const MISSING = sql`coalesce((
  select jsonb_agg(jsonb_build_object('user_id', w.user_id, 'name', u.name, 'has_seen', w.seen_at is not null)
    order by w.called_at, u.name)
  from escalation_people w join users u on u.id = w.user_id
  where w.escalation_id = e.id and w.waits_for = 'accept'), '[]')`;

const counts = typedRows<{ accept: number; act: number; others: number }>({
  ...{ accept: 'number', act: 'number', others: 'number' },
});

async function countUrgentOf(db: Database, me: Me) {
  const query = sql`
    select count(*) filter (where waits_for = 'accept')::int as accept, count(*) filter (where waits_for = 'act')::int as act,
      (select count(*) ${mine(me)})::int as others
    from (select w.waits_for ${forMe(me)}) as waiting`;
  return (await counts.first(db, query)) ?? { accept: 0, act: 0, others: 0 };
}

function toWaiting(row: WaitingRow): WaitingUrgent {
  const { patient_name, patient_identifier, sender_id, sender_name, missing } = row;
  return {
    ...{ message_id: row.message_id, chat_id: row.chat_id, facility_id: row.facility_id, seq: row.seq },
    ...{ chat_title: row.chat_title, excerpt: row.excerpt, state: row.state, waits_for: row.waits_for },
    patient:
      patient_name !== null && patient_identifier !== null
        ? { name: patient_name, identifier: patient_identifier }
        : null,
    sender: { user_id: sender_id, name: sender_name },
    sent_at: row.sent_at.toISOString(),
    called_at: row.called_at.toISOString(),
    is_delivered: row.is_delivered,
    critical: row.critical,
    missing: [...missing],
  };
}
