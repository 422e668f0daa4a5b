-- An entry is of a unit of its facility, or of one that was deleted there: no key of a table says both. By the owner's right, as
-- a key would be looked at.
create or replace function guard_census_log_unit() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if exists (select from census_units u where u.unit_no = new.unit_no and u.facility_no = new.facility_no)
      or exists (select from deleted_units d where d.unit_no = new.unit_no and d.facility_no = new.facility_no) then
    return new;
  end if;
  raise exception 'Facility % has no unit %.', new.facility_no, new.unit_no
    using errcode = 'foreign_key_violation', constraint = 'census_log_unit', table = tg_table_name;
end $$;

create or replace trigger census_log_unit before insert on census_log
  for each row when (new.unit_no is not null) execute function guard_census_log_unit();
