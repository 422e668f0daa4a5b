-- The unit-months and facility-months that hold these dates of one unit, from the reports.
create or replace function refresh_census_months(p_facility integer, p_unit integer, p_population text, p_from date, p_to date)
returns void language plpgsql
-- A plan that was made while the tables were small would read all of them for ever.
set plan_cache_mode = force_custom_plan as $$
declare v_month date;
begin
  -- One at a time in a facility: what two of them delete and insert is the same.
  perform from census_log_heads where facility_no = p_facility for update;
  for v_month in
    select generate_series(date_trunc('month', p_from), date_trunc('month', p_to), interval '1 month')::date
  loop
    delete from unit_months where unit_no = p_unit and month = v_month and population = p_population;
    insert into unit_months (facility_no, unit_no, month, population, days_reported, days_on_time, census_days, service_days,
      licensed_bed_days, physical_bed_days, staffed_bed_days, blocked_bed_days, admissions, births, transfers_in,
      transfers_out, discharges, deaths, deaths_u48, ad_same_day, on_leave, observation, discharge_days, separation_reports,
      discharge_days_reports)
    select r.facility_no, r.unit_no, v_month, r.population, count(*), count(*) filter (where r.is_on_time),
      sum(r.closing), sum(r.service_days), sum(r.licensed_bed_days), sum(r.physical_bed_days), sum(r.staffed_bed_days),
      sum(r.blocked_bed_days), sum(r.admissions), sum(r.births), sum(r.transfers_in), sum(r.transfers_out),
      sum(r.discharges), sum(r.deaths), sum(r.deaths_u48), sum(r.ad_same_day), sum(r.on_leave), sum(r.observation),
      coalesce(sum(r.discharge_days), 0), sum(r.separation_reports), sum(r.discharge_days_reports)
    from reported_unit_census r
    where r.unit_no = p_unit and r.population = p_population
      and r.census_date >= v_month and r.census_date < v_month + interval '1 month'
    group by r.facility_no, r.unit_no, r.population;

    delete from facility_months where facility_no = p_facility and month = v_month and population = p_population;
    insert into facility_months (facility_no, month, population, units_reported, units_on_time, census_days, service_days,
      occupancy_service_days, licensed_bed_days, physical_bed_days, staffed_bed_days, blocked_bed_days, admissions, births,
      transfers_in, transfers_out, discharges, deaths, deaths_u48, ad_same_day, on_leave, observation, discharge_days,
      separation_reports, discharge_days_reports, occupancy_separations, occupancy_discharge_days)
    select m.facility_no, v_month, m.population, sum(m.days_reported), sum(m.days_on_time), sum(m.census_days),
      sum(m.service_days), coalesce(sum(m.service_days) filter (where u.counts_in_occupancy), 0), sum(m.licensed_bed_days),
      sum(m.physical_bed_days), sum(m.staffed_bed_days), sum(m.blocked_bed_days), sum(m.admissions), sum(m.births),
      sum(m.transfers_in), sum(m.transfers_out), sum(m.discharges), sum(m.deaths), sum(m.deaths_u48), sum(m.ad_same_day),
      sum(m.on_leave), sum(m.observation), sum(m.discharge_days), sum(m.separation_reports), sum(m.discharge_days_reports),
      coalesce(sum(m.discharges + m.deaths) filter (where u.counts_in_occupancy), 0),
      coalesce(sum(m.discharge_days) filter (where u.counts_in_occupancy), 0)
    from unit_months m join census_units u on u.unit_no = m.unit_no and u.facility_no = m.facility_no
    where m.facility_no = p_facility and m.month = v_month and m.population = p_population
    group by m.facility_no, m.population;
  end loop;
end $$;
