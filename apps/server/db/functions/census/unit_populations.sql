-- Which population a unit reports on which dates: with counts_in_census the one source of what is expected of whom.
create or replace view unit_populations with (security_invoker = true) as
select u.facility_no, u.unit_no, k.population,
  u.active * daterange(case k.population when 'newborn' then u.newborn_from else u.adult_and_child_from end, null) as during
from census_units u cross join lateral unnest(u.populations) as k(population);
