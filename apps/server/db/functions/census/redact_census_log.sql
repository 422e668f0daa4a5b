-- The only way to it, by the owner's right: removes the oldest texts up to an entry, which all must be older than the facility
-- keeps them. Whoever calls it holds the head.
create or replace function redact_census_log(p_facility integer, p_to bigint) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_years integer := (select log_retention_years from census_facilities where facility_no = p_facility);
  v_from bigint := (select redacted_seq from census_log_heads where facility_no = p_facility for update);
begin
  if p_to <= v_from or not exists (select from census_log where facility_no = p_facility and seq = p_to) then
    raise exception 'Entries are removed from the oldest on, up to one that is there.' using errcode = 'invalid_parameter_value';
  end if;
  -- Not by a setting of the function itself: only a superuser may give it one.
  perform set_config('census.redacts', 'on', true);
  update census_log set entry = census_log_tombstone(facility_no, seq, v_years), actor_id = null, redacted_at = now()
    where facility_no = p_facility and seq > v_from and seq <= p_to;
  perform set_config('census.redacts', '', true);
  update census_log_heads set redacted_seq = p_to where facility_no = p_facility;
end $$;
revoke execute on function redact_census_log from public;
