-- What of a chat reaches a person by sound, badge and push (CHAT-18): all, what mentions them, urgent ones, nothing; and until
-- when it is muted, where that is for a time.

alter table chat_participants
  add column notify text not null default 'all' check (notify in ('all', 'mentions', 'urgent', 'none')),
  add column muted_until timestamptz;
