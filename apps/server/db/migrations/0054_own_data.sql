-- Copies of one's own data, and accounts that were deleted (ACC-5). Reasons: docs/decisions/056-own-data.md

create table own_data_copies (
  id uuid primary key,
  user_id uuid not null references users,
  -- Names the stored file; unguessable.
  key text not null unique check (key ~ '^[A-Za-z0-9_-]{22}$'),
  requested_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz,
  bytes bigint check (bytes > 0),
  -- False where a list was longer than a copy holds.
  is_complete boolean,
  -- The facilities whose rule gives the texts of messages; who downloads it must be let in there.
  text_facility_ids uuid[] not null default '{}',
  check (num_nulls(ready_at, expires_at, bytes, is_complete) in (0, 4))
);
create index own_data_copies_user_idx on own_data_copies (user_id, requested_at desc);
create index own_data_copies_requested_idx on own_data_copies (requested_at);

-- Whether what somebody wrote here leaves with them: it may be about patients.
alter table facilities add column own_texts_in_copies boolean not null default false;

-- A person who deleted their account stays the author of what they signed, wrote and did, and of nothing else.
alter table users
  add column deleted_at timestamptz,
  -- The name and ' (account deleted)'.
  drop constraint users_name_check,
  add constraint users_name_check check (char_length(name) between 1 and 140),
  add constraint deleted_keeps_nothing check (deleted_at is null or (disabled_at is not null and not is_operator
    and password_hash = '' and email like '%@deleted.invalid' and num_nonnulls(email_verified_at, avatar_key) = 0));
create index users_deleted_idx on users (deleted_at desc, id desc) where deleted_at is not null;

-- What somebody did, wherever and whenever, is found by who they are.
create index memberships_user_idx on memberships (user_id, id);
create index escalation_people_user_idx on escalation_people (user_id, escalation_id);
create index examinations_created_by_idx on examinations (created_by, id);
create index examination_entries_changed_by_idx on examination_entries (changed_by, examination_id);
create index examination_reports_signed_by_idx on examination_reports (signed_by, examination_id);
create index unit_census_revisions_changed_by_idx
  on unit_census_revisions (changed_by, census_date, unit_no, population, version);
