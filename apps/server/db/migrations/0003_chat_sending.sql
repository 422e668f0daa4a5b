-- How a message gets its seq, who may see a chat, and what sync is told. Reasons: docs/decisions/006-sync-cursor-and-seq.md

-- What createChat was asked for, so that a late repeat is compared with it and not with what became of the chat.
alter table chats add column content_hash bytea check (octet_length(content_hash) = 32);

-- The list walks a person's own chats, so an index over all chats only made every send dearer.
drop index chats_facility_idx;
-- Room on the page keeps the rows that every send changes in place (heap-only updates).
alter table chats set (fillfactor = 70);
alter table chat_participants set (fillfactor = 70);

-- The seq and the sender are in one index, so that counting the unread reads no message.
alter table messages drop constraint messages_chat_id_seq_key;
create unique index messages_chat_id_seq_key on messages (chat_id, seq) include (sender_id);

-- The one predicate of reading: in the chat, and a member of its facility.
create view active_participants as
  select p.chat_id, p.user_id, p.facility_id, p.access, p.joined_seq, p.delivered_seq, p.read_seq, p.changed_xid, m.title
  from chat_participants p
  join memberships m on m.user_id = p.user_id and m.facility_id = p.facility_id and m.ended_at is null
  where p.left_at is null;

-- Sync finds a change by the transaction that made it; stamped here, no write can forget it.
create function stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;
create trigger chats_stamp_change before insert or update on chats
  for each row execute function stamp_change();
create trigger chat_participants_stamp_change before insert or update on chat_participants
  for each row execute function stamp_change();

-- Who leaves a facility leaves its chats in the same transaction. The chats are locked first, in order, as every
-- writer of a chat does, so that no message of that person is stored afterwards.
create function end_participations() returns trigger language plpgsql as $$
begin
  perform 1 from chats
    where id in (
      select chat_id from chat_participants
      where facility_id = new.facility_id and user_id = new.user_id and left_at is null
    )
    order by id for no key update;
  with ended as (
    update chat_participants set left_at = now()
    where facility_id = new.facility_id and user_id = new.user_id and left_at is null
    returning chat_id
  )
  update chats set version = version from ended where chats.id = ended.chat_id;
  return null;
end $$;
create trigger memberships_end_participations after update of ended_at on memberships
  for each row when (old.ended_at is null and new.ended_at is not null) execute function end_participations();

-- What a list row shows of a message; the contract calls it LastMessage.
create function last_message_of(message messages) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'seq', message.seq,
    'sender_id', message.sender_id,
    'sender_name', (select name from users where id = message.sender_id),
    'kind', message.kind,
    'excerpt', translate(left(message.body, 160), E'\n\r\t', '   '),
    'created_at', to_char(message.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )
$$;

-- The only place where head_seq rises: under the chat's row lock, which is held until the commit, so seqs have no gap.
create function append_message(
  message_id uuid, to_chat uuid, from_user uuid, as_client_id uuid, of_kind text, with_body text,
  in_reply_to uuid default null, at_device_time timestamptz default null
) returns messages language plpgsql as $$
declare
  chat record;
  stored messages;
begin
  select facility_id, head_seq into strict chat from chats where id = to_chat for no key update;
  insert into messages
    (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, reply_to, device_time, created_at)
  values
    (message_id, to_chat, chat.facility_id, chat.head_seq + 1, as_client_id, from_user, of_kind, with_body, in_reply_to,
      at_device_time, date_trunc('milliseconds', clock_timestamp()))
  returning * into stored;
  update chats set head_seq = stored.seq, updated_at = stored.created_at, last_message = last_message_of(stored)
    where id = to_chat;
  -- Who had read everything has read what he says himself.
  update chat_participants set read_seq = stored.seq, delivered_seq = stored.seq
    where chat_id = to_chat and user_id = from_user and read_seq = stored.seq - 1;
  return stored;
end $$;

-- Stores a message or finds the one that was stored under the same client_id.
-- outcome: stored | repeat | refused | no_reply_target; null when it is no chat of this person. It looks under the
-- chat's lock with fresh eyes: a twin or a removal that was faster is seen. Whoever calls has asked the rules before, so
-- that a refusal holds up nobody.
create function send_message(
  message_id uuid, to_chat uuid, from_user uuid, as_client_id uuid, with_body text,
  in_reply_to uuid, at_device_time timestamptz,
  out outcome text, out access text, out state text, out facility_id uuid, out version integer, out last_message jsonb,
  out sender_name text, out sender_title text, out participant_ids uuid[],
  out id uuid, out seq bigint, out kind text, out body text, out reply_to uuid, out device_time timestamptz,
  out created_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  joined_seq bigint;
  stored messages;
begin
  perform 1 from chats c where c.id = to_chat for no key update;
  select p.access, p.title, p.joined_seq, c.state, c.facility_id, c.version, u.name
    into access, sender_title, joined_seq, state, facility_id, version, sender_name
    from active_participants p join chats c on c.id = p.chat_id join users u on u.id = p.user_id
    where p.chat_id = to_chat and p.user_id = from_user;
  if not found then
    outcome := null;
    return;
  end if;
  select m.* into stored from messages m
    where m.chat_id = to_chat and m.sender_id = from_user and m.client_id = as_client_id;
  outcome := case
    when found then 'repeat'
    when access not in ('write', 'manage') or state not in ('open', 'handed_over') then 'refused'
    when in_reply_to is not null and not exists (
      select from messages m where m.id = in_reply_to and m.chat_id = to_chat and m.seq > joined_seq
    ) then 'no_reply_target'
    else 'stored'
  end;

  if outcome = 'stored' then
    stored := append_message(
      message_id, to_chat, from_user, as_client_id, 'text', with_body, in_reply_to, at_device_time
    );
    last_message := last_message_of(stored);
    participant_ids := array(select p.user_id from active_participants p where p.chat_id = to_chat);
  end if;
  id := stored.id; seq := stored.seq; kind := stored.kind; body := stored.body; reply_to := stored.reply_to;
  device_time := stored.device_time; created_at := stored.created_at;
end $$;
