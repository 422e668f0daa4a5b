-- Accounts: sign-up, invitations, new passwords, changed addresses, sessions one can see; and the queue of jobs.

create table jobs (
  id uuid primary key,
  kind text not null check (char_length(kind) between 1 and 60),
  -- Ids and addresses; never a secret that opens something.
  payload jsonb not null,
  run_at timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text check (char_length(last_error) <= 400),
  -- Set when there is no further try; an operator looks at it.
  dead_at timestamptz,
  created_at timestamptz not null default now()
);
create index jobs_due_idx on jobs (run_at, id) where dead_at is null;

alter table sessions add column id uuid not null default gen_random_uuid();
create unique index sessions_id_key on sessions (id);

alter table users
  add column password_changed_at timestamptz,
  -- Names the stored picture; unguessable, new with every picture.
  add column avatar_key text check (avatar_key ~ '^[A-Za-z0-9_-]{22}$');
create unique index users_avatar_key_key on users (avatar_key) where avatar_key is not null;

create table invitations (
  id uuid primary key,
  facility_id uuid not null references facilities,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  title text check (char_length(title) between 1 and 80),
  note text check (char_length(note) between 1 and 120),
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Taken by a registration or by somebody signed in; once, for ever.
  used_at timestamptz,
  revoked_at timestamptz,
  unique (id, facility_id)
);
create index invitations_facility_idx on invitations (facility_id, id desc);

create table invitation_roles (
  invitation_id uuid not null,
  role_id uuid not null,
  facility_id uuid not null,
  primary key (invitation_id, role_id),
  foreign key (invitation_id, facility_id) references invitations (id, facility_id) on delete cascade,
  foreign key (role_id, facility_id) references roles (id, facility_id)
);
create index invitation_roles_role_idx on invitation_roles (role_id);

-- Not revoked, and who made it may still let people in: an invitation does not outlive the right that it was made with.
create view standing_invitations as
select i.id, i.facility_id, i.token_hash, i.title, i.expires_at, i.used_at
from invitations i
where i.revoked_at is null and exists (
  select from memberships m
  join users u on u.id = m.user_id and u.disabled_at is null
  join membership_roles mr on mr.membership_id = m.id
  join roles r on r.id = mr.role_id and 'members.manage' = any(r.permissions)
  where m.user_id = i.created_by and m.facility_id = i.facility_id and m.ended_at is null
);

-- Somebody asked for an account. It becomes one when its mailed link and its password come together.
create table registrations (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  email text not null check (email = lower(email) and char_length(email) <= 254),
  password_hash text not null,
  invitation_id uuid references invitations,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index registrations_email_idx on registrations (email);
create index registrations_expires_at_idx on registrations (expires_at);
create unique index registrations_invitation_key on registrations (invitation_id) where invitation_id is not null;

-- One row for each mailed link. A newer link takes the force of the older ones; their rows stay for the hour in which
-- links are counted. The job is the key, so that one that runs twice does not count twice.
create table password_resets (
  job_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_resets_user_idx on password_resets (user_id, created_at);
create index password_resets_created_at_idx on password_resets (created_at);

create table email_changes (
  user_id uuid primary key references users on delete cascade,
  email text not null check (email = lower(email) and char_length(email) <= 254),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index email_changes_expires_at_idx on email_changes (expires_at);
