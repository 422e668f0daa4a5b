-- All sums that these dates of one unit are part of; in the transaction of the change.
create or replace function refresh_census_sums(p_facility integer, p_unit integer, p_population text, p_from date, p_to date)
returns void language plpgsql as $$
begin
  perform refresh_census_months(p_facility, p_unit, p_population, p_from, p_to);
  perform refresh_facility_days(p_facility, p_from, p_to);
end $$;
