-- Being called (CHAT-16, CHAT-21, CHAT-23): what a person chose, the devices that are told by Web Push, and which message of a
-- chat a person was last told of. Reasons: docs/decisions/034-being-called.md

-- Whether routine messages of the chat make a sound for this person.
alter table chat_participants add column sound boolean not null default false;

create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  routine_sound text not null default 'soft' check (routine_sound in ('off', 'soft', 'loud')),
  urgent_sound text not null default 'loud' check (urgent_sound in ('off', 'soft', 'loud')),
  mail_digest text not null default 'off' check (mail_digest in ('off', 'hourly', 'daily')),
  -- In the time of a chat's facility.
  quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_until text check (quiet_until ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_off_call boolean not null default false,
  -- When the next digest is made; null where there is none. What was said since digest_since is counted in it.
  digest_due_at timestamptz,
  digest_since timestamptz,
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_until is null)),
  check ((mail_digest = 'off') = (digest_due_at is null))
);
create index notification_settings_digest_idx on notification_settings (digest_due_at) where digest_due_at is not null;

-- A browser that asked to be told. It lasts as long as the session or token that asked, and is gone with it.
create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  session_id uuid unique references sessions (id) on delete cascade,
  token_id uuid unique references access_tokens (id) on delete cascade,
  endpoint text not null unique check (char_length(endpoint) between 1 and 1000),
  -- The browser's public key, and the secret that goes with it: what is sent can be read by this browser only.
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  created_at timestamptz not null default now(),
  check (num_nonnulls(session_id, token_id) = 1)
);
create index push_subscriptions_user_id_idx on push_subscriptions (user_id, created_at);

-- The one notification that a person has of a chat: a later one takes its place. Its id says nothing of either.
create table chat_notifications (
  chat_id uuid not null,
  user_id uuid not null,
  id uuid not null default gen_random_uuid() unique,
  seq bigint not null check (seq > 0),
  sent_at timestamptz not null default now(),
  primary key (chat_id, user_id),
  foreign key (chat_id, user_id) references chat_participants (chat_id, user_id)
);

-- Chats with messages that somebody may be told of soon; each has one job in the queue.
create table chat_notification_queue (
  chat_id uuid primary key references chats,
  last_seq bigint not null,
  due_at timestamptz not null
) with (fillfactor = 50);
