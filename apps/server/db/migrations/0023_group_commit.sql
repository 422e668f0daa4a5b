-- Sends of a chat that arrive together are stored by one statement (functions/chat/send_messages.sql), and a row of the
-- list of chats is read, not counted. Reasons: docs/decisions/006-sync-cursor-and-seq.md

drop function send_message(uuid, uuid, uuid, uuid, text, uuid, timestamptz);

alter table chats
  add column participant_count integer not null default 0 check (participant_count >= 0),
  -- Rises whenever somebody comes in or goes: what a process remembers of who is in the chat holds for one version.
  add column participants_version integer not null default 1;

alter table chat_participants
  -- Messages of their own past what they have read and past where they joined: the only later ones that are not unread.
  add column own_after_read integer not null default 0 check (own_after_read >= 0);

-- To devices none of this is news: what they are told is what was counted for them so far.
alter table chats disable trigger chats_stamp_change;
alter table chat_participants disable trigger chat_participants_stamp_change;

update chats set participant_count = present.count
from (
  select p.chat_id, count(*) as count from chat_participants p
  join memberships m on m.user_id = p.user_id and m.facility_id = p.facility_id and m.ended_at is null
  where p.left_at is null
  group by p.chat_id
) as present
where present.chat_id = chats.id;

update chat_participants p set own_after_read = said.count
from (
  select p.chat_id, p.user_id, count(*) as count from chat_participants p
  join chats c on c.id = p.chat_id and c.head_seq > greatest(p.read_seq, p.joined_seq)
  join messages m on m.chat_id = p.chat_id and m.sender_id = p.user_id and m.seq > greatest(p.read_seq, p.joined_seq)
  group by p.chat_id, p.user_id
) as said
where said.chat_id = p.chat_id and said.user_id = p.user_id;

alter table chats enable trigger chats_stamp_change;
alter table chat_participants enable trigger chat_participants_stamp_change;
