-- On-call roles in chats (CHAT-18). Reasons: docs/decisions/075-roles-as-participants.md

-- Whoever holds the role reads from `joined_seq` on. `holder_id` is who was let in by it last: the clock carries shifts out.
create table chat_roles (
  chat_id uuid not null,
  role_id uuid not null,
  facility_id uuid not null,
  access text not null check (access in ('read', 'write')),
  joined_seq bigint not null check (joined_seq >= 0),
  holder_id uuid references users,
  added_by uuid not null references users,
  added_at timestamptz not null default now(),
  primary key (chat_id, role_id),
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  foreign key (role_id, facility_id) references on_call_roles (id, facility_id)
);
create index chat_roles_role_idx on chat_roles (role_id, chat_id);

-- When it is to be looked at who holds a role: at once after its shifts changed, else when one begins or ends.
create table on_call_turns (
  role_id uuid primary key,
  facility_id uuid not null,
  due_at timestamptz not null,
  foreign key (role_id, facility_id) references on_call_roles (id, facility_id)
);
create index on_call_turns_due_idx on on_call_turns (due_at) where due_at < 'infinity';

alter table chat_participants
  -- The roles by which alone they are in the chat, while they hold one of them.
  add column role_ids uuid[] check (cardinality(role_ids) > 0),
  -- What stays to who is in it by themselves when a role that widens it is another's.
  add column own_access text check (own_access in ('read', 'write', 'manage')),
  add column own_joined_seq bigint,
  add constraint chat_participants_own check ((own_access is null) = (own_joined_seq is null) and (role_ids is null or own_access is null));

-- The name of the role as whose holder they wrote it.
alter table messages add column sender_role text;

-- A direct chat is of two people, or of one person (`direct_low`) and a role.
alter table chats
  add column direct_role_id uuid,
  add constraint chats_direct_role foreign key (direct_role_id, facility_id) references on_call_roles (id, facility_id),
  drop constraint chats_direct_pair,
  add constraint chats_direct_pair check (
    (kind = 'direct') = (direct_low is not null) and (direct_low is null) = (num_nonnulls(direct_high, direct_role_id) = 0)
    and num_nonnulls(direct_high, direct_role_id) <= 1
  );
create unique index chats_direct_role_key on chats (facility_id, direct_low, direct_role_id) where direct_role_id is not null;
create index chats_direct_role_idx on chats (direct_role_id) where direct_role_id is not null;

-- Another answer needs another function: functions/chat/send_messages.sql makes it anew.
drop function if exists send_messages(uuid, integer, uuid[], uuid[], uuid[], text[], uuid[], timestamptz[], jsonb[], jsonb[]);
