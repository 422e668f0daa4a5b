-- Hand-overs beside the talk (HAND-1). Reasons: docs/decisions/058-handovers.md

-- A line of the chat tells of a hand-over.
alter table messages
  drop constraint messages_act_kind_check,
  add constraint messages_act_kind_check check (act_kind in ('census.alert', 'examination', 'handover'));

-- What a hand-over names first: what in a chat is urgent and not over.
create index messages_urgent_open_idx on messages (chat_id, seq)
  where urgent ->> 'state' in ('calling', 'exhausted', 'accepted');

create table handovers (
  id uuid primary key,
  chat_id uuid not null,
  facility_id uuid not null,
  client_id uuid not null,
  state text not null default 'given' check (state in ('given', 'received', 'declined', 'withdrawn')),
  -- Of every change of state.
  version integer not null default 1 check (version > 0),
  -- Of the signed sheet.
  sheet_version integer not null default 1 check (sheet_version between 1 and 20),
  -- Of the newest sheet, for lists.
  format text not null check (format in ('ipass', 'sbar')),
  severity text check (severity in ('stable', 'watcher', 'unstable')),
  given_by uuid not null references users,
  given_at timestamptz not null,
  -- Who held the role when it was given; whoever holds it later may receive it as well.
  to_user uuid not null references users,
  to_role uuid references on_call_roles,
  -- Of who declined or withdrew it.
  ended_by uuid references users,
  ended_at timestamptz,
  reason text check (char_length(reason) between 1 and 2000),
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  unique (given_by, client_id),
  check (given_by <> to_user),
  check (format <> 'ipass' or severity is not null),
  check (num_nulls(ended_by, ended_at, reason) in (0, 3)),
  check ((state in ('declined', 'withdrawn')) = (reason is not null))
);
-- A page is read by chat, the newest first; ids are made as UUIDv7.
create index handovers_chat_idx on handovers (chat_id, id desc);
create index handovers_to_user_idx on handovers (to_user, id) where state = 'given';
create index handovers_to_role_idx on handovers (to_role, id) where state = 'given' and to_role is not null;

-- What the giver signed, byte for byte. The database itself refuses a hash that is not of it.
create table handover_sheets (
  handover_id uuid not null references handovers,
  version integer not null check (version > 0),
  signed_by uuid not null references users,
  signed_at timestamptz not null,
  content text not null check (content is json object),
  sha256 bytea not null,
  primary key (handover_id, version),
  constraint handover_sheets_hash_check check (sha256 = sha256(convert_to(content, 'UTF8')))
);

-- What the receiver signed of it: their synthesis, over the hash of the sheet. One for each version.
create table handover_receipts (
  handover_id uuid not null,
  version integer not null,
  signed_by uuid not null references users,
  signed_at timestamptz not null,
  content text not null check (content is json object),
  sha256 bytea not null,
  primary key (handover_id, version),
  foreign key (handover_id, version) references handover_sheets (handover_id, version),
  constraint handover_receipts_hash_check check (sha256 = sha256(convert_to(content, 'UTF8')))
);

-- The actions of the sheets by their ids; what was done stays done in the next version that names it.
create table handover_actions (
  handover_id uuid not null references handovers,
  action_id uuid not null,
  -- The newest sheet that names it.
  sheet_version integer not null,
  done_by uuid references users,
  done_at timestamptz,
  primary key (handover_id, action_id),
  check ((done_by is null) = (done_at is null))
);
