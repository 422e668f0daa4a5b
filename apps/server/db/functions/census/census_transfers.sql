-- By how many patients the two sides of a move differ. Before both have handed in their reports nobody can say: what is not
-- told yet is not told differently.
create or replace view census_transfers with (security_invoker = true) as
select x.*, s.is_both_in,
  case when coalesce(x.out_count, 0) = coalesce(x.in_count, 0) or not s.is_both_in then 0
    else abs(coalesce(x.out_count, 0)::integer - coalesce(x.in_count, 0)) end as gap
from unit_transfers x
cross join lateral (
  select (select count(*) = 2 from unit_census c
    where c.unit_no in (x.from_unit, x.to_unit) and c.census_date = x.census_date and c.population = x.population
      and c.status in ('submitted', 'approved', 'locked', 'amending')) as is_both_in) s;
