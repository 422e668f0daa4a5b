-- Single sign-on by OpenID Connect (ACC-4). Reasons: docs/decisions/048-single-sign-on.md

-- Somebody went to a provider from this browser and has not come back. Nonce and code verifier come of the state and the app key.
create table sso_attempts (
  -- SHA-256 of the state; the state itself is in the browser alone.
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  session_hash bytea not null check (octet_length(session_hash) = 32),
  provider text not null check (char_length(provider) between 1 and 32),
  purpose text not null check (purpose in ('sign_in', 'link', 'confirm', 'unlock')),
  -- Who is signed in where it is not to sign in.
  user_id uuid references users on delete cascade,
  remember boolean not null,
  return_to text not null check (char_length(return_to) between 1 and 500),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((purpose = 'sign_in') = (user_id is null))
);
create index sso_attempts_session_idx on sso_attempts (session_hash, created_at);
create index sso_attempts_expires_at_idx on sso_attempts (expires_at);
create index sso_attempts_user_idx on sso_attempts (user_id);

-- Whose account somebody at a provider is: by the provider's own name for them, which never changes, as an address may.
create table sso_links (
  issuer text not null check (char_length(issuer) between 1 and 500),
  subject text not null check (char_length(subject) between 1 and 255),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- What a provider's groups gave, and may take again; what was given by hand is in neither table.
create table sso_memberships (
  membership_id uuid primary key references memberships on delete cascade,
  issuer text not null
);
create table sso_roles (
  membership_id uuid not null,
  role_id uuid not null,
  issuer text not null,
  primary key (membership_id, role_id),
  foreign key (membership_id, role_id) references membership_roles (membership_id, role_id) on delete cascade
);

alter table sessions
  -- The provider whose word its second factor is; null where a factor of the account was given.
  add column factor_issuer text,
  -- When a provider asked its person anew, for the covered screen; taken by its one use.
  add column provider_unlocked_at timestamptz;
