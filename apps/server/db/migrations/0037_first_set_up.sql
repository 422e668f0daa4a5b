-- The first administrator and the first facility of an empty installation (A51), by a link that is printed in the log.

alter table installation
  add column set_up_at timestamptz,
  -- SHA-256 of the token of the standing link; a start makes a new one until it is used.
  add column set_up_token_hash bytea check (octet_length(set_up_token_hash) = 32),
  add check (set_up_at is null or set_up_token_hash is null);

-- Whoever runs what is there already has begun it in another way.
update installation set set_up_at = now()
where exists (select from facilities) or exists (select from users where is_operator);

-- Where a facility lies (ADM-1).
alter table facilities
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add check ((latitude is null) = (longitude is null));
