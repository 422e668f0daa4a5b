-- needs: is_chat_held
-- Whether a legal hold reaches a message: by its chat, or by who wrote it, here or where it was forwarded from.
create or replace function is_message_held(message messages) returns boolean language sql stable as $$
  select is_chat_held(c) or exists (
    select from legal_holds h
    where h.facility_id = message.facility_id and h.lifted_at is null
      and h.user_id in (message.sender_id, (message.forwarded #>> '{sender,id}')::uuid)
  )
  from chats c where c.id = message.chat_id
$$;
