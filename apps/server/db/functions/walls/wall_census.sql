-- The same facilities by the numbers that the census keeps.
create or replace function wall_census() returns integer[] language plpgsql stable parallel safe security definer cost 1
set search_path = public, pg_temp as $$
begin
  return array(select c.facility_no from census_facilities c where c.facility_id = any (wall_facilities()));
end $$;
