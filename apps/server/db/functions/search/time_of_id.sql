-- When a UUIDv7 was made, by the clock of who made it: its first 48 bits are milliseconds (RFC 9562, 5.7).
create or replace function time_of_id(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select 'epoch'::timestamptz + ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint * interval '1 millisecond'
$$;
