-- The census date that is under way in a facility, by the clock that holds there today. The hour 00:00 ends its date.
create or replace function running_census_date(p_facility integer) returns date language sql stable as $$
  select case when h.census_time = '00:00' or l.local::time < h.census_time then l.local::date else l.local::date + 1 end
  from census_hours h cross join lateral (select now() at time zone h.time_zone as local) l
  where h.facility_no = p_facility and h.from_date <= l.local::date order by h.from_date desc limit 1
$$;
