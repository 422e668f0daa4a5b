import { sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/**
 * What somebody wrote, gave and answered in chats they are or were in. Of a message its place and times; its text where the
 * facility gives it, and never one that somebody else wrote first (a forward), nor one that was deleted.
 */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'messages',
    query: ({ userId, after, limit, textFacilityIds }) => sql`
      select m.chat_id || ' ' || m.seq as place, jsonb_strip_nulls(jsonb_build_object(
        'id', m.id, 'facility_id', m.facility_id, 'chat_id', m.chat_id, 'seq', m.seq, 'sent_at', m.created_at,
        'edited_at', m.edited_at, 'deleted_at', m.deleted_at, 'is_reply', m.reply_to is not null,
        'is_forward', m.forwarded is not null, 'written_as', m.sender_role,
        'files', coalesce(jsonb_array_length(m.attachments), 0),
        'text', case when m.facility_id = any(${textFacilityIds}::uuid[]) and m.deleted_at is null
          and m.forwarded is null then m.body end)) as row
      from chat_participants p join messages m on m.chat_id = p.chat_id and m.sender_id = p.user_id and m.kind = 'text'
      where p.user_id = ${userId} and (${after}::text is null or (p.chat_id >= split_part(${after}, ' ', 1)::uuid
        and (m.chat_id, m.seq) > (split_part(${after}, ' ', 1)::uuid, split_part(${after}, ' ', 2)::bigint)))
      order by m.chat_id, m.seq limit ${limit}`,
  },
  {
    name: 'reactions',
    query: ({ userId, after, limit }) => sql`
      select m.chat_id || ' ' || m.change_seq as place, jsonb_build_object(
        'facility_id', m.facility_id, 'chat_id', m.chat_id, 'message_id', m.id, 'own', (
          select jsonb_agg(jsonb_build_object('code', given ->> 'code', 'at', given ->> 'at'))
          from jsonb_array_elements(m.reactions) as given where given ->> 'user_id' = p.user_id::text)) as row
      from chat_participants p join messages m on m.chat_id = p.chat_id and m.change_seq > 0
        and m.reactions @> jsonb_build_array(jsonb_build_object('user_id', p.user_id))
      where p.user_id = ${userId} and (${after}::text is null or (p.chat_id >= split_part(${after}, ' ', 1)::uuid
        and (m.chat_id, m.change_seq) > (split_part(${after}, ' ', 1)::uuid, split_part(${after}, ' ', 2)::bigint)))
      order by m.chat_id, m.change_seq limit ${limit}`,
  },
  {
    name: 'urgent_answers',
    query: ({ userId, after, limit }) => sql`
      select w.escalation_id::text as place, jsonb_build_object(
        'facility_id', e.facility_id, 'urgent_id', w.escalation_id, 'about', e.subject, 'about_id', e.subject_id,
        'called_at', w.called_at, 'times_called', w.times, 'seen_at', w.seen_at, 'accepted_at', w.accepted_at,
        'own_acts', coalesce((select jsonb_agg(jsonb_build_object('what', t.kind, 'at', t.at) order by t.place)
          from escalation_entries t where t.escalation_id = w.escalation_id and t.user_id = w.user_id), '[]')) as row
      from escalation_people w join escalations e on e.id = w.escalation_id
      where w.user_id = ${userId} and (${after}::uuid is null or w.escalation_id > ${after}::uuid)
      order by w.escalation_id limit ${limit}`,
  },
];
