-- Stores a message or finds the one that was stored under the same client_id.
-- outcome: stored | repeat | refused | no_reply_target; null when it is no chat of this person. It looks under the
-- chat's lock with fresh eyes: a twin or a removal that was faster is seen. Whoever calls has asked the rules before, so
-- that a refusal holds up nobody.
create or replace function send_message(
  message_id uuid, to_chat uuid, from_user uuid, as_client_id uuid, with_body text,
  in_reply_to uuid, at_device_time timestamptz,
  out outcome text, out access text, out state text, out facility_id uuid, out version integer, out last_message jsonb,
  out sender_name text, out sender_title text, out participant_ids uuid[],
  out id uuid, out seq bigint, out kind text, out body text, out reply_to uuid, out reply_to_seq bigint,
  out device_time timestamptz,
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
  if in_reply_to is not null then
    select m.seq into reply_to_seq from messages m
      where m.id = in_reply_to and m.chat_id = to_chat and m.seq > joined_seq;
  end if;
  outcome := case
    when stored.id is not null then 'repeat'
    when access not in ('write', 'manage') or state not in ('open', 'handed_over') then 'refused'
    when in_reply_to is not null and reply_to_seq is null then 'no_reply_target'
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
