-- Of which warnings the operator was told by mail, and when last. Reasons: docs/decisions/052-system-administration.md
create table mailed_warnings (
  code text primary key check (char_length(code) between 1 and 60),
  mailed_at timestamptz not null default now()
);
