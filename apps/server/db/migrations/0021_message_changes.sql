-- Messages change after they were sent: reactions, edits, deletion. How devices hear of it: docs/decisions/022-message-changes.md

-- Counts the changes of a chat's messages, gapless, under the chat's row lock; sending does not touch it.
alter table chats add column head_change_seq bigint not null default 0 check (head_change_seq >= 0);

alter table messages
  -- The chat's count when this message last changed; 0 is never.
  add column change_seq bigint not null default 0 check (change_seq >= 0),
  -- [{code, user_id, name, at}] in the order in which they were given.
  add column reactions jsonb check (jsonb_typeof(reactions) = 'array'),
  add column version integer not null default 1,
  add column edited_at timestamptz,
  add column deleted_at timestamptz,
  add column delete_reason text check (char_length(delete_reason) between 1 and 200),
  add constraint messages_deletion_check check ((deleted_at is null) = (delete_reason is null)),
  drop constraint messages_body_check,
  add constraint messages_body_check check (char_length(body) <= 8000 and (body = '') = (deleted_at is not null));

create unique index messages_changed_key on messages (chat_id, change_seq) where change_seq > 0;

-- The texts that a message no longer has, for those who read the chat and, once it is deleted, for the audit alone.
create table message_versions (
  message_id uuid not null references messages,
  version integer not null check (version > 0),
  body text not null check (char_length(body) between 1 and 8000),
  written_by uuid not null references users,
  written_at timestamptz not null,
  primary key (message_id, version)
);
