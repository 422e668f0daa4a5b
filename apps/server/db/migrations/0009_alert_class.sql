-- An alert about a report says of which class it is. None: it is about the unit as a whole, or was raised before this was told;
-- then it stands for all classes of its unit until it clears. A text with a check, since a column of the domain would write the
-- table anew.

alter table census_alerts add column class text check (class in ('adult_child', 'newborn'));

-- Of a unit with one class it is known; what is cleared stays as it is.
update census_alerts a set class = u.classes[1]
from census_units u
where u.unit_no = a.unit_no and cardinality(u.classes) = 1 and a.cleared_at is null and a.rule <> 'often_restated';

drop index census_alerts_open_key;
create unique index census_alerts_open_key
  on census_alerts (facility_no, rule, coalesce(unit_no, 0), census_date, coalesce(class, '')) where cleared_at is null;

-- What was said within a shift is asked for every minute, of all facilities at once.
create index census_alerts_raised_idx on census_alerts (raised_at);
