-- Days that those who were discharged or died had stayed, added: the average length of stay is of these. A unit may leave them
-- out; then the length of stay is estimated.

-- Has all columns of the table, and is made again from its file.
drop view if exists reported_unit_census;

alter table unit_census
  add column discharge_days integer check (discharge_days between 0 and 999999),
  -- Each had stayed a day at least.
  add constraint discharge_days_fit check (
    discharge_days >= discharges + deaths and (discharge_days = 0 or discharges + deaths > 0));

alter table unit_months
  add column discharge_days integer not null default 0,
  add column separation_reports integer not null default 0,
  add column discharge_days_reports integer not null default 0;
alter table facility_months
  add column discharge_days integer not null default 0,
  add column separation_reports integer not null default 0,
  add column discharge_days_reports integer not null default 0;

-- What was reported until now says no discharge days.
update unit_months m set separation_reports = r.reports
from (
  select c.unit_no, date_trunc('month', c.census_date)::date as month, c.class, count(*) as reports
  from unit_census c join census_units u on u.unit_no = c.unit_no and u.facility_no = c.facility_no and u.counts_in_census
  where c.status in ('submitted', 'approved', 'locked', 'amending') and c.closing is not null and c.discharges + c.deaths > 0
  group by 1, 2, 3) r
where m.unit_no = r.unit_no and m.month = r.month and m.class = r.class;
update facility_months m set separation_reports = r.reports
from (select facility_no, month, class, sum(separation_reports) as reports from unit_months group by 1, 2, 3) r
where m.facility_no = r.facility_no and m.month = r.month and m.class = r.class;

alter table census_facilities add column asks_discharge_days boolean not null default false;
