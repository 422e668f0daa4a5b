-- Keeps an event under the visit that its visit is now, at the end of the chain of merges, and answers all that is known of
-- that one; nothing where this message is there already. In one round trip: what follows the lock sees what it waited for.
create or replace function keep_adt_event(p_facility integer, p_control text, p_visit bytea, p_trigger text, p_at timestamptz,
  p_unit integer, p_population text, p_birth boolean, p_death boolean)
returns table (visit_key bytea, events json, movements json, stays json) language plpgsql
-- A plan that was made while the tables were small would read all of a facility for ever.
set plan_cache_mode = force_custom_plan as $$
declare v_visit bytea;
begin
  perform lock_adt_visit(p_facility, p_visit);
  with recursive chain(key, depth) as (
    select p_visit, 0
    union all
    select m.into_key, c.depth + 1 from chain c
    join adt_merges m on m.facility_no = p_facility and m.from_key = c.key where c.depth < 50)
  insert into adt_events as e (facility_no, control_id, visit_key, trigger, at, unit_no, population, is_birth, is_death)
  select p_facility, p_control, key, p_trigger, p_at, p_unit, p_population, p_birth, p_death
  from chain order by depth desc limit 1
  on conflict do nothing returning e.visit_key into v_visit;
  if v_visit is not null then
    return query select * from known_adt_visit(p_facility, v_visit);
  end if;
end $$;
