-- Puts what a visit comes to in the place of what stood there; rows that stay as they are are not written.
create or replace function store_adt_outcome(p_facility integer, p_visit bytea, p_movements jsonb, p_stays jsonb)
returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  delete from adt_movements
    where facility_no = p_facility and visit_key = p_visit and place >= jsonb_array_length(p_movements);
  insert into adt_movements as old (facility_no, visit_key, place, at, census_date, kind, unit_no, partner_unit_no, population,
    is_same_day, is_under_48h)
  select p_facility, p_visit, m.place, m.at, m.census_date, m.kind, m.unit_no, m.partner_unit_no, m.population, m.is_same_day,
    m.is_under_48h
  from jsonb_to_recordset(p_movements) as m (place smallint, at timestamptz, census_date date, kind text, unit_no integer,
    partner_unit_no integer, population text, is_same_day boolean, is_under_48h boolean)
  on conflict (facility_no, visit_key, place) do update set at = excluded.at, census_date = excluded.census_date,
    kind = excluded.kind, unit_no = excluded.unit_no, partner_unit_no = excluded.partner_unit_no, population = excluded.population,
    is_same_day = excluded.is_same_day, is_under_48h = excluded.is_under_48h
  where old is distinct from excluded;
  delete from adt_stays where facility_no = p_facility and visit_key = p_visit and place >= jsonb_array_length(p_stays);
  insert into adt_stays as old (facility_no, visit_key, place, unit_no, population, is_leave, during)
  select p_facility, p_visit, s.place, s.unit_no, s.population, s.is_leave, tstzrange(s.since, s.until)
  from jsonb_to_recordset(p_stays) as s (place smallint, unit_no integer, population text, is_leave boolean, since timestamptz,
    until timestamptz)
  on conflict (facility_no, visit_key, place) do update set unit_no = excluded.unit_no, population = excluded.population,
    is_leave = excluded.is_leave, during = excluded.during
  where old is distinct from excluded;
end $$;
