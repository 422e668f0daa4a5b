-- Stored files are read once a week and compared with what was noted when they came. Reasons: docs/decisions/086-integrity-at-rest.md

-- How far a week's run has got; one row decides which process begins it.
create table file_verifications (
  -- The Sunday of the week.
  week date primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The last key that was looked at.
  after_key text,
  files integer not null default 0,
  bytes bigint not null default 0
);

-- What is not as it was stored, by the key of its files: it is given to nobody until it is again.
create table damaged_files (
  key text primary key,
  problem text not null check (problem in ('changed', 'missing')),
  found_at timestamptz not null default now()
);
