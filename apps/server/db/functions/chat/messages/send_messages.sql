-- Stores messages that people send to a chat, in the order given, or finds those that were stored under the same
-- client_id; a row for each, told by its place from 1. No two of one call have the same sender and client_id.
-- outcome: stored | repeat | refused | no_reply_target | no_mention_target | no_attachment; null when it is no chat of this person.
-- What the list of chats and who is in it need to know stands in the row of the last that was stored: last_message, the
-- senders of all that were, and who is in the chat unless the caller knows this version of it. Who is in it by a role or an emergency
-- access is so no longer by the clock alone, which changes no version.
-- One plan for all calls: lists of unknown length look dear, so each call was planned anew, which took as long as the storing.
-- It goes by whole keys: where it was made while there were few messages, it would read all, or all of a sender, until they are counted anew.
create or replace function send_messages(
  to_chat uuid, known_participants_version integer, message_ids uuid[], senders uuid[], client_ids uuid[], bodies text[],
  replies uuid[], device_times timestamptz[], mentioned jsonb[] default null,
  attached jsonb[] default null
) returns table (
  place integer, outcome text, access text, state text, facility_id uuid, version integer, sender_name text,
  sender_title text, id uuid, seq bigint, client_id uuid, sender_id uuid, kind text, body text, reply_to uuid,
  reply_to_seq bigint, device_time timestamptz, created_at timestamptz, mentions jsonb, attachments jsonb, sender_role text,
  last_message jsonb, sender_ids uuid[], participants_version integer, participant_ids uuid[]
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  stored integer[];
begin
  -- A refusal holds up nobody and waits for nobody: the chat is locked where somebody may write.
  if exists (
    select from chats c join active_participants p on p.chat_id = c.id
    where c.id = to_chat and c.state in ('open', 'handed_over') and p.user_id = any(senders) and p.access in ('write', 'manage')
  ) then
    perform 1 from chats c where c.id = to_chat for no key update;
    -- With fresh eyes: a twin, a removal or a closing that was faster is seen.
    stored := array(
      select asked.place from unnest(senders, client_ids, replies, mentioned, attached)
        with ordinality as asked (sender_id, client_id, reply_to, mentioned, files, place)
      join chats c on c.id = to_chat and c.state in ('open', 'handed_over')
      join active_participants p on p.chat_id = c.id and p.user_id = asked.sender_id and p.access in ('write', 'manage')
      where not exists (
        select from messages m where m.chat_id = to_chat and m.sender_id = asked.sender_id and m.client_id = asked.client_id
      ) and (
        asked.reply_to is null
        or exists (select from messages m where m.id = asked.reply_to and m.chat_id = to_chat and m.seq > p.joined_seq)
      ) and (asked.mentioned is null or mentions_participants(to_chat, asked.mentioned))
      -- A file goes with the first that names it.
      and case when asked.files is null then true else
        not exists (
          select from unnest(attached) with ordinality as earlier (files, place)
          where earlier.place < asked.place and earlier.files ?| array(select jsonb_array_elements_text(asked.files))
        ) and may_attach(to_chat, asked.sender_id, asked.files)
      end
      order by asked.place
    );
  end if;
  if cardinality(stored) > 0 then
    perform append_messages(
      to_chat, array(select message_ids[i] from unnest(stored) as i), array(select senders[i] from unnest(stored) as i),
      array(select client_ids[i] from unnest(stored) as i), 'text', array(select bodies[i] from unnest(stored) as i),
      array(select replies[i] from unnest(stored) as i), array(select device_times[i] from unnest(stored) as i),
      attached => array(select attached[i] from unnest(stored) as i)
    );
    update attachments a set message_id = message_ids[i], expires_at = null
      from unnest(stored) as i
      where attached[i] is not null and a.id in (select asked.id::uuid from jsonb_array_elements_text(attached[i]) as asked (id));
    perform note_mentions(message_ids[i], mentioned[i]) from unnest(stored) as i where mentioned[i] is not null;
  end if;
  return query
    select asked.place::integer,
      case
        when p.user_id is null then null
        when asked.place = any(stored) then 'stored'
        when m.id is not null then 'repeat'
        when stored is null or p.access not in ('write', 'manage') or c.state not in ('open', 'handed_over') then 'refused'
        when not mentions_participants(to_chat, asked.mentioned) then 'no_mention_target'
        when asked.reply_to is null or exists (
          select from messages q where q.id = asked.reply_to and q.chat_id = to_chat and q.seq > p.joined_seq
        ) then 'no_attachment'
        else 'no_reply_target'
      end,
      p.access, c.state, c.facility_id, c.version, u.name, p.title, m.id, m.seq, asked.client_id, asked.sender_id, m.kind,
      m.body, m.reply_to, (select q.seq from messages q where q.id = m.reply_to), m.device_time, m.created_at, m.mentions,
      m.attachments, m.sender_role,
      case when is_last then c.last_message end,
      case when is_last then array(select senders[i] from unnest(stored) as i) end,
      case when is_last then c.participants_version end,
      case when is_last and (c.participants_version is distinct from known_participants_version or exists (
        select from chat_participants q
        where q.chat_id = to_chat and q.left_at is null and (q.role_ids is not null or q.emergency_id is not null)
      )) then
        array(select present.user_id from active_participants present where present.chat_id = to_chat)
      end
    from unnest(senders, client_ids, replies, mentioned)
      with ordinality as asked (sender_id, client_id, reply_to, mentioned, place)
    cross join lateral (select coalesce(asked.place = stored[cardinality(stored)], false)) as newest (is_last)
    left join active_participants p on p.chat_id = to_chat and p.user_id = asked.sender_id
    left join chats c on c.id = p.chat_id
    left join users u on u.id = p.user_id
    left join lateral (
      select * from messages m where m.chat_id = to_chat and m.sender_id = p.user_id and m.client_id = asked.client_id limit 1
    ) m on true
    order by asked.place;
end $$;
