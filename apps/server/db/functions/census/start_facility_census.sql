-- A facility takes a census and a unit reports it until somebody says otherwise: a new one from the date under way on, so that
-- what was complete stays complete.
create or replace function start_facility_census() returns trigger language plpgsql as $$
declare made integer;
begin
  insert into census_facilities (facility_id) values (new.id) returning facility_no into made;
  insert into census_hours (facility_no, from_date, time_zone) values (made, '1900-01-01', new.time_zone);
  insert into census_log_heads (facility_no) values (made);
  return null;
end $$;

create or replace trigger facilities_start_census after insert on facilities
  for each row execute function start_facility_census();
