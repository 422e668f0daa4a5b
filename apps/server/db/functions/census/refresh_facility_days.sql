-- needs: census_transfers, reported_unit_census, unit_populations
-- What a facility's days come to, from the reports and transfers of those days.
create or replace function refresh_facility_days(p_facility integer, p_from date, p_to date)
returns void language sql set plan_cache_mode = force_custom_plan as $$
  update facility_days d set
    -- What a signed day expected stays: a unit that opens or closes later does not undo the signature.
    units_expected = case when d.status in ('approved', 'locked') then d.units_expected else coalesce(e.expected, 0) end,
    units_submitted = coalesce(r.submitted, 0),
    units_approved = coalesce(r.approved, 0), units_on_time = coalesce(r.on_time, 0),
    transfer_gap = coalesce(t.gap, 0), census_days = coalesce(r.census_days, 0), service_days = coalesce(r.service_days, 0),
    occupancy_service_days = coalesce(r.occupancy_service_days, 0), licensed_bed_days = coalesce(r.licensed, 0),
    physical_bed_days = coalesce(r.physical, 0), staffed_bed_days = coalesce(r.staffed, 0)
  from facility_days k
  left join lateral (
    -- Also what was reported when its unit was still expected to.
    select count(*) as expected from (
      select u.unit_no, x.population from census_units u join unit_populations x on x.unit_no = u.unit_no and x.during @> k.census_date
      where u.facility_no = k.facility_no and u.counts_in_census
      union
      select c.unit_no, c.population from reported_unit_census c
      where c.facility_no = k.facility_no and c.census_date = k.census_date) reports) e on true
  left join lateral (
    select count(*) as submitted, count(*) filter (where c.status in ('approved', 'locked')) as approved,
      count(*) filter (where c.is_on_time) as on_time,
      sum(c.closing) as census_days, sum(c.service_days) as service_days,
      sum(c.occupancy_service_days) as occupancy_service_days, sum(c.licensed_bed_days) as licensed,
      sum(c.physical_bed_days) as physical, sum(c.staffed_bed_days) as staffed
    from reported_unit_census c where c.facility_no = k.facility_no and c.census_date = k.census_date) r on true
  left join lateral (
    select sum(x.gap) as gap
    from census_transfers x where x.facility_no = k.facility_no and x.census_date = k.census_date) t on true
  where d.facility_no = k.facility_no and d.census_date = k.census_date
    and k.facility_no = p_facility and k.census_date between p_from and p_to
$$;
