-- People invited by a file. Reasons: docs/decisions/061-people-by-csv.md

-- To whom the link was mailed, where one was; gone after 30 days.
alter table invitations add column email text check (email = lower(email) and char_length(email) <= 254);
create index invitations_standing_email_idx on invitations (facility_id, email)
  where email is not null and used_at is null and revoked_at is null;
create index invitations_kept_email_idx on invitations (created_at) where email is not null;

create table invitation_imports (
  id uuid primary key,
  facility_id uuid not null references facilities,
  -- Whose rights the job goes by, line by line.
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  unique (id, facility_id)
);
create index invitation_imports_facility_idx on invitation_imports (facility_id, id desc);
create index invitation_imports_created_at_idx on invitation_imports (created_at);

-- One person of a file. The job takes those that wait, each once, and gives the mail of each its time.
create table invitation_import_lines (
  import_id uuid not null,
  facility_id uuid not null,
  line integer not null check (line >= 2),
  email text not null check (email = lower(email) and char_length(email) <= 254),
  name text check (char_length(name) between 1 and 120),
  title text check (char_length(title) between 1 and 80),
  -- As they were named in the file; one that is gone when the job comes to it is refused there.
  role_ids uuid[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'invited', 'mailed', 'refused')),
  -- Why nobody was invited, in words.
  problem text check (char_length(problem) <= 300),
  invitation_id uuid,
  mail_at timestamptz,
  primary key (import_id, line),
  unique (import_id, email),
  foreign key (import_id, facility_id) references invitation_imports (id, facility_id) on delete cascade,
  foreign key (invitation_id, facility_id) references invitations (id, facility_id),
  check ((state = 'refused') = (problem is not null)),
  check (state not in ('invited', 'mailed') or (invitation_id is not null and mail_at is not null))
);
create index invitation_import_lines_waiting_idx on invitation_import_lines (import_id, line) where state = 'waiting';
create unique index invitation_import_lines_invitation_key on invitation_import_lines (invitation_id)
  where invitation_id is not null;
create index invitation_import_lines_mail_at_idx on invitation_import_lines (facility_id, mail_at) where mail_at is not null;
