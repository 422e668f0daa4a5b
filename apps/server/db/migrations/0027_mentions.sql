-- Messages mention people (CHAT-10). Reasons: docs/decisions/028-links-and-mentions.md

-- Another answer needs another function: functions/chat/send_messages.sql makes it anew.
drop function if exists send_messages(uuid, integer, uuid[], uuid[], uuid[], text[], uuid[], timestamptz[]);

-- [{kind: user | all, id, name}] as they were called when it was written; null where it mentions nobody.
alter table messages add column mentions jsonb check (jsonb_typeof(mentions) = 'array');

-- Whom a message called, each person alone, however that was said: 'mentions of me' are read by its key.
create table message_mentions (
  user_id uuid not null,
  chat_id uuid not null,
  seq bigint not null check (seq > 0),
  primary key (user_id, chat_id, seq),
  foreign key (chat_id, user_id) references chat_participants (chat_id, user_id)
);
create index message_mentions_message_idx on message_mentions (chat_id, seq);

-- The last message that calls this person: unread where it is past what they have read.
alter table chat_participants add column mention_seq bigint not null default 0 check (mention_seq >= 0);
