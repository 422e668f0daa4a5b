-- How long messages are kept, legal holds, and what was exported to the record (ADM-4). Reasons: docs/decisions/055-retention.md

create table retention_policies (
  facility_id uuid primary key references facilities,
  version integer not null default 1,
  -- When its messages are looked through next; null where all are kept.
  next_run_at timestamptz,
  updated_at timestamptz not null default now()
);
create index retention_policies_due_idx on retention_policies (next_run_at) where next_run_at is not null;

-- Of a kind that has none, everything is kept.
create table retention_rules (
  facility_id uuid not null references retention_policies,
  kind text not null check (kind in ('case', 'group', 'direct', 'announcement')),
  mode text not null check (mode in ('keep', 'delete', 'delete_exported')),
  days integer check (days between 30 and 10950),
  effective_at timestamptz not null default now(),
  primary key (facility_id, kind),
  check ((mode = 'keep') = (days is null))
);

create table legal_holds (
  id uuid primary key,
  facility_id uuid not null references facilities,
  -- One of them: a chat, the case chats that carry this number, or all that a person wrote.
  chat_id uuid,
  patient_identifier text check (char_length(patient_identifier) between 1 and 60),
  user_id uuid references users,
  reason text not null check (char_length(reason) between 10 and 300),
  placed_by uuid not null references users,
  placed_at timestamptz not null default now(),
  lifted_by uuid references users,
  lifted_at timestamptz,
  lift_reason text check (char_length(lift_reason) between 10 and 300),
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  check (num_nonnulls(chat_id, patient_identifier, user_id) = 1),
  check (num_nulls(lifted_by, lifted_at, lift_reason) in (0, 3))
);
create index legal_holds_list on legal_holds (facility_id, placed_at desc, id desc);
create index legal_holds_open on legal_holds (facility_id) where lifted_at is null;

alter table messages
  -- Emptied because it was old enough; beside the deletion by a person, of which it takes the text that is kept too.
  add column is_expired boolean not null default false,
  add constraint messages_expired_check check (not is_expired or deleted_at is not null);

alter table chats
  -- Everything up to here is emptied, or is kept for good.
  add column expired_seq bigint not null default 0 check (expired_seq >= 0),
  -- Up to which message and which change the chat was last exported whole.
  add column exported_at timestamptz,
  add column exported_seq bigint not null default 0 check (exported_seq >= 0),
  add column exported_change_seq bigint not null default 0 check (exported_change_seq >= 0);
-- No send changes what it holds, so none pays for it.
create index chats_of_kind on chats (facility_id, kind, id);

-- Whoever answers for a facility answers for what it keeps.
update roles set permissions = permissions || '{records.manage}'
where 'facility.manage' = any(permissions) and not 'records.manage' = any(permissions);
