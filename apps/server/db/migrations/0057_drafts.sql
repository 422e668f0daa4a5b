-- What somebody has begun to write in a chat, for their other devices (CHAT-10). Reasons: docs/decisions/059-drafts.md

create sequence chat_draft_versions;
create table chat_drafts (
  user_id uuid not null,
  chat_id uuid not null,
  -- Never given twice, also where a draft was removed and another begun.
  version bigint not null default nextval('chat_draft_versions'),
  -- The page that saved it last: what it saves next replaces its own.
  writer uuid not null,
  -- Null where it was cleared or sent: other devices learn that from the version.
  sealed bytea,
  saved_at timestamptz not null default now(),
  primary key (user_id, chat_id),
  foreign key (chat_id, user_id) references chat_participants (chat_id, user_id)
);
create index chat_drafts_saved on chat_drafts (saved_at);
