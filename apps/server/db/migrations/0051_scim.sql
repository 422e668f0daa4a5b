-- Joiners, movers and leavers by SCIM 2.0, for each facility (ACC-4, ACC-7). Reasons: docs/decisions/054-scim.md

create table scim_tokens (
  id uuid primary key,
  facility_id uuid not null references facilities,
  name text not null check (char_length(name) between 1 and 80),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- Its rights over the members are this person's, as they are now.
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index scim_tokens_facility_idx on scim_tokens (facility_id, created_at desc);
create index scim_tokens_created_by_idx on scim_tokens (created_by);
create index scim_tokens_expires_at_idx on scim_tokens (expires_at);

-- What a facility's directory says of a person. It is the facility's own: nothing of it changes the account, which may belong to others too.
create table scim_users (
  facility_id uuid not null references facilities,
  user_id uuid not null references users,
  user_name text not null check (char_length(user_name) between 1 and 254),
  email text not null check (char_length(email) between 3 and 254),
  external_id text check (char_length(external_id) between 1 and 255),
  display_name text check (char_length(display_name) between 1 and 120),
  given_name text check (char_length(given_name) between 1 and 120),
  family_name text check (char_length(family_name) between 1 and 120),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (facility_id, user_id)
);
create unique index scim_users_user_name_key on scim_users (facility_id, lower(user_name));
create unique index scim_users_external_id_key on scim_users (facility_id, external_id);
create index scim_users_user_idx on scim_users (user_id);
