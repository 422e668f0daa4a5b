-- Files of the first message to a person or an on-call role (CHAT-14, CHAT-17). Reasons: docs/decisions/024-one-chat-for-two-people.md

alter table attachments
  -- To whom, where a file was not uploaded for a chat that one is in: chat_id is then what the chat of the two is or will be called.
  add column direct_user_id uuid references users,
  add column direct_role_id uuid,
  -- The chat, once there has to be one: null alone for what is not sent yet to somebody.
  add column made_chat_id uuid generated always as (
    case when message_id is not null or num_nonnulls(direct_user_id, direct_role_id) = 0 then chat_id end
  ) stored,
  drop constraint attachments_chat_id_facility_id_fkey,
  add foreign key (facility_id) references facilities,
  add foreign key (made_chat_id, facility_id) references chats (id, facility_id),
  add foreign key (direct_role_id, facility_id) references on_call_roles (id, facility_id),
  add constraint attachments_direct check (num_nonnulls(direct_user_id, direct_role_id) <= 1);
