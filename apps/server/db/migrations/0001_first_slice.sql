-- People, sessions, facilities, chats, messages, audit.
-- Every clinical row carries facility_id, and composite foreign keys keep a row inside its facility.

create table installation (
  only_row boolean primary key default true check (only_row),
  -- Names this database in sync cursors, so that a cursor from another one starts anew.
  id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
);
insert into installation default values;

create table users (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  email text not null check (email = lower(email) and char_length(email) <= 254),
  password_hash text not null,
  email_verified_at timestamptz,
  is_operator boolean not null default false,
  is_demo boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on users (email);

create table sessions (
  -- SHA-256 of the cookie's value; the value itself is never stored.
  id_hash bytea primary key check (octet_length(id_hash) = 32),
  user_id uuid not null references users on delete cascade,
  remember boolean not null default false,
  ip inet,
  user_agent text check (char_length(user_agent) <= 400),
  created_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id, created_at);
create index sessions_expires_at_idx on sessions (expires_at);

create table access_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null
);
create index access_tokens_user_id_idx on access_tokens (user_id);

create table facilities (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  code text not null check (code ~ '^[A-Z0-9]{2,4}$'),
  time_zone text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);

create table units (
  id uuid primary key,
  facility_id uuid not null references facilities,
  name text not null check (char_length(name) between 1 and 80),
  code text not null check (char_length(code) between 1 and 12),
  kind text not null,
  position integer not null,
  unique (facility_id, code),
  unique (id, facility_id)
);

create table roles (
  id uuid primary key,
  facility_id uuid not null references facilities,
  name text not null check (char_length(name) between 1 and 80),
  permissions text[] not null default '{}',
  unique (facility_id, name),
  unique (id, facility_id)
);

create table memberships (
  id uuid primary key,
  facility_id uuid not null references facilities,
  user_id uuid not null references users,
  title text check (char_length(title) between 1 and 80),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (id, facility_id)
);
create unique index memberships_active_key on memberships (user_id, facility_id) where ended_at is null;
create index memberships_facility_idx on memberships (facility_id) where ended_at is null;

create table membership_roles (
  membership_id uuid not null,
  role_id uuid not null,
  facility_id uuid not null,
  primary key (membership_id, role_id),
  foreign key (membership_id, facility_id) references memberships (id, facility_id) on delete cascade,
  foreign key (role_id, facility_id) references roles (id, facility_id)
);
create index membership_roles_role_idx on membership_roles (role_id);

create table chats (
  id uuid primary key,
  facility_id uuid not null references facilities,
  kind text not null check (kind in ('case', 'group', 'direct', 'announcement')),
  title text not null check (char_length(title) between 1 and 120),
  patient_name text check (char_length(patient_name) between 1 and 120),
  patient_identifier text check (char_length(patient_identifier) between 1 and 60),
  patient_born_on date,
  patient_bed text check (char_length(patient_bed) between 1 and 20),
  state text not null default 'open' check (state in ('open', 'handed_over', 'closed', 'archived')),
  -- The seq of the newest message. Raised in the statement that inserts it, under this row's lock: gapless.
  head_seq bigint not null default 0 check (head_seq >= 0),
  -- What a list row shows of the newest message; {seq, sender_id, sender_name, kind, excerpt, created_at}.
  last_message jsonb,
  version integer not null default 1,
  created_by uuid not null references users,
  client_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The transaction that last changed the row; sync reads what is not older than its cursor (docs/decisions).
  changed_xid xid8 not null default pg_current_xact_id(),
  unique (id, facility_id),
  unique (created_by, client_id),
  check (kind <> 'case' or (patient_name is not null and patient_identifier is not null))
);
create index chats_facility_idx on chats (facility_id, updated_at desc, id desc);

create table chat_participants (
  chat_id uuid not null,
  user_id uuid not null references users,
  facility_id uuid not null,
  access text not null check (access in ('read', 'write', 'manage')),
  joined_seq bigint not null default 0,
  left_at timestamptz,
  delivered_seq bigint not null default 0,
  read_seq bigint not null default 0,
  changed_xid xid8 not null default pg_current_xact_id(),
  primary key (chat_id, user_id),
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  check (read_seq <= delivered_seq)
);
create index chat_participants_user_idx on chat_participants (user_id, chat_id);
create index chat_participants_facility_user_idx on chat_participants (facility_id, user_id) where left_at is null;

create table messages (
  id uuid primary key,
  chat_id uuid not null,
  facility_id uuid not null,
  seq bigint not null check (seq > 0),
  client_id uuid not null,
  sender_id uuid not null references users,
  kind text not null check (kind in ('text', 'system')),
  body text not null check (char_length(body) between 1 and 8000),
  reply_to uuid,
  device_time timestamptz,
  created_at timestamptz not null default now(),
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  unique (chat_id, seq),
  -- Permanent: a repeat of a send, however late, finds the stored message.
  unique (chat_id, sender_id, client_id)
);

create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  facility_id uuid,
  action text not null,
  object_type text,
  object_id uuid,
  outcome text not null default 'done' check (outcome in ('done', 'refused')),
  ip inet,
  session_hash bytea,
  request_id text,
  detail jsonb
);
create index audit_entries_facility_idx on audit_entries (facility_id, id desc);
create index audit_entries_actor_idx on audit_entries (actor_id, id desc);
create index audit_entries_object_idx on audit_entries (object_id, id desc) where object_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();
create trigger messages_no_truncate before truncate on messages
  for each statement execute function refuse_change();
