-- Entries from before this instant may lose their text: whole days on the facility's clock. Null where all is kept.
create or replace function census_log_keeps_from(p_facility integer) returns timestamptz language sql stable as $$
  select (date_trunc('day', now() at time zone f.time_zone) - make_interval(years => c.log_retention_years)) at time zone f.time_zone
  from census_facilities c join facilities f on f.id = c.facility_id where c.facility_no = p_facility
$$;
