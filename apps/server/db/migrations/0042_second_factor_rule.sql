-- A facility's rule that its members need a second factor, how soon the screen of a shared device is covered, and in which
-- sessions a second factor was given.

alter table facilities
  -- From this day on, on the facility's clock; null where none is needed.
  add column second_factor_from date,
  add column idle_lock_minutes integer not null default 15 check (idle_lock_minutes between 1 and 60);

-- When somebody showed a second factor in it, at sign-in or later; null where a password alone began it.
alter table sessions add column second_factor_at timestamptz;
alter table access_tokens add column second_factor_at timestamptz;

-- Who had an authenticator app could not sign in without it.
update sessions s set second_factor_at = s.created_at
from totp_factors t where t.user_id = s.user_id and t.confirmed_at <= s.created_at;
update access_tokens a set second_factor_at = a.created_at
from totp_factors t where t.user_id = a.user_id and t.confirmed_at <= a.created_at;

alter table passkey_challenges drop constraint passkey_challenges_purpose_check;
alter table passkey_challenges add constraint passkey_challenges_purpose_check
  check (purpose in ('register', 'sign_in', 'confirm'));
