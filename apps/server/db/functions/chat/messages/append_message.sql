-- Stores one message: what is said of a chat by who changes it.
create or replace function append_message(
  message_id uuid, to_chat uuid, from_user uuid, as_client_id uuid, of_kind text, with_body text,
  in_reply_to uuid default null, at_device_time timestamptz default null,
  with_act_kind text default null, with_act_id uuid default null
) returns messages language plpgsql as $$
declare
  stored messages;
begin
  select * into strict stored from append_messages(
    to_chat, array[message_id], array[from_user], array[as_client_id], of_kind, array[with_body], array[in_reply_to],
    array[at_device_time], with_act_kind, with_act_id
  );
  return stored;
end $$;
