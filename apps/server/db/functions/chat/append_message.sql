-- Stores a message with the next seq of its chat. The only place where head_seq rises: under the chat's row lock, which is held
-- until the commit, so seqs have no gap. A system line may carry an act, which the device offers beside it.
create or replace function append_message(
  message_id uuid, to_chat uuid, from_user uuid, as_client_id uuid, of_kind text, with_body text,
  in_reply_to uuid default null, at_device_time timestamptz default null,
  with_act_kind text default null, with_act_id uuid default null
) returns messages language plpgsql as $$
declare
  chat record;
  stored messages;
begin
  select facility_id, head_seq into strict chat from chats where id = to_chat for no key update;
  insert into messages
    (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, reply_to, device_time, created_at, act_kind, act_id)
  values
    (message_id, to_chat, chat.facility_id, chat.head_seq + 1, as_client_id, from_user, of_kind, with_body, in_reply_to,
      at_device_time, date_trunc('milliseconds', clock_timestamp()), with_act_kind, with_act_id)
  returning * into stored;
  update chats set head_seq = stored.seq, updated_at = stored.created_at, last_message = last_message_of(stored)
    where id = to_chat;
  -- Who had read everything has read what he says himself.
  update chat_participants set read_seq = stored.seq, delivered_seq = stored.seq
    where chat_id = to_chat and user_id = from_user and read_seq = stored.seq - 1;
  return stored;
end $$;
