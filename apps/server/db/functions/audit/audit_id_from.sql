-- The number of the first entry from an instant on, of whatever facility: with a policy in between the entries of all others are walked through.
create or replace function audit_id_from(instant timestamptz) returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select id from audit_entries where at >= instant order by at limit 1
$$;
