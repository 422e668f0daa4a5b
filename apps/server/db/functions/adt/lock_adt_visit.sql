-- One message about a visit at a time: a later one waits for the commit of the one before.
create or replace function lock_adt_visit(p_facility integer, p_visit bytea) returns void language sql as $$
  select pg_advisory_xact_lock(p_facility, ('x' || encode(substring(p_visit for 4), 'hex'))::bit(32)::integer)
$$;
