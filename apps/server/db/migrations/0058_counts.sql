-- How often people are called and how fast they answer, by role and hour (CHAT-23). Reasons: docs/decisions/060-interruptions.md

-- Counted as it happens, for each role that the person has there. Nobody is named: not here, and not by a join.
create table call_counts (
  facility_id uuid not null references facilities,
  -- By the clock of the facility.
  day date not null,
  role_id uuid not null references roles on delete cascade,
  hour smallint not null check (hour between 0 and 23),
  -- A notification that shows, one that sounds, a call to acknowledge.
  kind text not null check (kind in ('silent', 'aloud', 'urgent')),
  calls integer not null check (calls > 0),
  primary key (facility_id, day, role_id, hour, kind)
);

-- From the first call to the acknowledgement, under the day and hour of the call.
create table urgent_answers (
  facility_id uuid not null references facilities,
  day date not null,
  role_id uuid not null references roles on delete cascade,
  hour smallint not null check (hour between 0 and 23),
  seconds integer not null check (seconds >= 0)
);
create index urgent_answers_days on urgent_answers (facility_id, day);

-- Up to which message a notification was counted: one for all devices of the person.
alter table chat_notifications add column counted_seq bigint not null default 0;

-- The nightly recount of what badges show (CHAT-5): how far it has got, and how much did not agree, which must be nothing.
create table chat_recounts (
  day date primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The last chat that was looked at.
  after_chat uuid,
  chats integer not null default 0,
  -- Places of people whose count or mention was wrong, and chats whose urgent ones were.
  unread integer not null default 0,
  mentions integer not null default 0,
  urgent integer not null default 0
);
