-- Second factors: an authenticator app (RFC 6238) with recovery codes, and passkeys (WebAuthn); and when a session last confirmed the password.

-- Shorter than a password alone may be: it goes with a second factor only, which can't be removed before it is changed.
alter table users add column has_short_password boolean not null default false;

alter table sessions add column password_confirmed_at timestamptz;
alter table access_tokens add column password_confirmed_at timestamptz;

create table totp_factors (
  user_id uuid primary key references users on delete cascade,
  -- 20 bytes under AES-256-GCM, with a key that the database does not hold: nonce, text, tag.
  secret bytea check (octet_length(secret) = 48),
  confirmed_at timestamptz,
  -- The step of the last code that was taken; none up to it is taken again.
  last_step bigint not null default 0,
  -- Waits until a code of it was given; the one before counts until then.
  new_secret bytea check (octet_length(new_secret) = 48),
  new_secret_at timestamptz,
  check ((secret is null) = (confirmed_at is null)),
  check ((new_secret is null) = (new_secret_at is null)),
  check (secret is not null or new_secret is not null)
);

-- Each is a row until it is used.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);

-- The password was right, the second step is to come, in the browser that holds this session id.
create table pending_sign_ins (
  session_hash bytea primary key check (octet_length(session_hash) = 32),
  user_id uuid not null references users on delete cascade,
  remember boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index pending_sign_ins_user_idx on pending_sign_ins (user_id);
create index pending_sign_ins_expires_at_idx on pending_sign_ins (expires_at);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- COSE; nothing in it is secret.
  public_key bytea not null check (octet_length(public_key) between 1 and 2048),
  -- As the authenticator said it last; it only rises, or stays 0.
  counter bigint not null default 0 check (counter >= 0),
  transports text[] not null default '{}',
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user_idx on passkeys (user_id, created_at);

-- One for each purpose and browser; its answer takes it, right or wrong.
create table passkey_challenges (
  session_hash bytea not null check (octet_length(session_hash) = 32),
  purpose text not null check (purpose in ('register', 'sign_in')),
  challenge text not null check (char_length(challenge) between 20 and 200),
  expires_at timestamptz not null,
  primary key (session_hash, purpose)
);
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);
