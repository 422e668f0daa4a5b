-- Which class a unit reports on which dates: with counts_in_census the one source of what is expected of whom.
create or replace view unit_classes as
select u.facility_no, u.unit_no, k.class,
  u.active * daterange(case k.class when 'newborn' then u.newborn_from else u.adult_child_from end, null) as during
from census_units u cross join lateral unnest(u.classes) as k(class);
