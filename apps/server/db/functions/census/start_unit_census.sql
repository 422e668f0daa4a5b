create or replace function start_unit_census() returns trigger language plpgsql as $$
begin
  insert into census_units (unit_id, facility_no, facility_id, active)
    select new.id, c.facility_no, new.facility_id, daterange(running_census_date(c.facility_no), null) from census_facilities c where c.facility_id = new.facility_id;
  return null;
end $$;

create or replace trigger units_start_census after insert on units
  for each row execute function start_unit_census();
