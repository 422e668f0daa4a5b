-- Who read what, and the chain over the audit entries (docs/decisions/037).

-- What somebody has read of in a quarter of an hour: the first reading has an audit entry, the next ones find this row. Old rows
-- are removed.
create table audit_reads (
  actor_id uuid not null,
  action text not null,
  object_id uuid not null,
  quarter timestamptz not null,
  primary key (quarter, actor_id, object_id, action)
);

-- Entries that the chain does not hold yet: each comes here in the transaction that adds it.
create table audit_pending (entry_id bigint primary key);
insert into audit_pending (entry_id) select id from audit_entries;

-- The place of each entry in the chain. Its hash is over the hash before, the place and all that the entry says.
create table audit_chain (
  seq bigint primary key check (seq > 0),
  entry_id bigint not null unique,
  hash bytea not null check (octet_length(hash) = 32),
  sealed_at timestamptz not null default now()
);

-- Where the chain ends, signed with a key that the database does not know.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq bigint not null default 0 check (seq >= 0),
  hash bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(hash) = 32),
  mac bytea check (octet_length(mac) = 32),
  -- Up to which place entries were emptied for their age: always the oldest, without a gap.
  redacted_seq bigint not null default 0 check (redacted_seq between 0 and seq),
  mailed_on date
);
insert into audit_head default values;

-- When all but time, action and outcome was removed from an entry for its age.
alter table audit_entries add column redacted_at timestamptz;

-- What was read or done in a chat, whatever the entry is about.
create index audit_entries_chat_idx on audit_entries
  ((coalesce(detail ->> 'chat', case when object_type = 'chat' then object_id::text end)), id desc)
  where coalesce(detail ->> 'chat', case when object_type = 'chat' then object_id::text end) is not null;
create index audit_entries_at_idx on audit_entries (at);
