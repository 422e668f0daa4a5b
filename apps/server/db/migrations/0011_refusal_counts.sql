-- How often the same refusal came, beside the one audit entry of its first time, which is never changed. The hash is of the
-- person, the action, its object and the quarter of an hour.
create table audit_refusal_counts (
  refusal_hash bytea primary key check (octet_length(refusal_hash) = 32),
  entry_id bigint references audit_entries (id),
  count integer not null default 1 check (count > 0),
  last_at timestamptz not null default now()
);
create index audit_refusal_counts_entry_idx on audit_refusal_counts (entry_id);
