-- All that is kept of a visit: its events, and what was made of them.
create or replace function known_adt_visit(p_facility integer, p_visit bytea)
returns table (visit_key bytea, events json, movements json, stays json) language sql stable as $$
  select p_visit,
    (select coalesce(json_agg(e), '[]') from (
      select trigger, at, event_no, control_id, unit_no, population, is_birth, is_death from adt_events
      where facility_no = p_facility and visit_key = p_visit) e),
    (select coalesce(json_agg(m order by m.place), '[]') from (
      select place, at, census_date, kind, unit_no, partner_unit_no, population, is_same_day, is_under_48h from adt_movements
      where facility_no = p_facility and visit_key = p_visit) m),
    (select coalesce(json_agg(s order by s.place), '[]') from (
      select place, unit_no, population, is_leave, lower(during) as since, upper(during) as until from adt_stays
      where facility_no = p_facility and visit_key = p_visit) s)
$$;
