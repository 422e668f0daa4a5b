-- Who is there (CHAT-12). Reasons: docs/decisions/050-presence.md

-- What somebody said of their own duty in a facility; the shifts of on-call roles say the rest. Only what holds is kept.
create table duty_statements (
  facility_id uuid not null references facilities,
  user_id uuid not null references users,
  on_duty_until timestamptz,
  busy_until timestamptz,
  busy_reason text check (busy_reason in ('in_theatre', 'ward_round', 'procedure', 'with_patient', 'in_meeting', 'on_break')),
  primary key (facility_id, user_id),
  check (on_duty_until is not null or busy_until is not null),
  check (busy_reason is null or busy_until is not null)
);

-- When somebody used the product last, to five minutes. Kept for a week, as nothing is said of what is longer ago.
create table last_seen (
  user_id uuid primary key references users,
  seen_at timestamptz not null
);
alter table facilities add column shows_last_seen boolean not null default true;
