-- Only what was handed in is summed.
create or replace view reported_unit_census with (security_invoker = true) as
select c.*, u.counts_in_occupancy,
  case when u.counts_in_occupancy then c.service_days else 0 end as occupancy_service_days,
  case when u.counts_in_occupancy then c.beds_licensed else 0 end as licensed_bed_days,
  case when u.counts_in_occupancy then c.beds_physical else 0 end as physical_bed_days,
  case when u.counts_in_occupancy then c.beds_staffed else 0 end as staffed_bed_days,
  case when u.counts_in_occupancy then c.beds_blocked else 0 end as blocked_bed_days,
  case when c.discharges + c.deaths > 0 then 1 else 0 end as separation_reports,
  case when c.discharges + c.deaths > 0 and c.discharge_days is not null then 1 else 0 end as discharge_days_reports,
  case when u.counts_in_occupancy then c.discharges + c.deaths else 0 end as occupancy_separations,
  case when u.counts_in_occupancy then coalesce(c.discharge_days, 0) else 0 end as occupancy_discharge_days
from unit_census c
join census_units u on u.unit_no = c.unit_no and u.facility_no = c.facility_no and u.counts_in_census
where c.status in ('submitted', 'approved', 'locked', 'amending') and c.closing is not null;
