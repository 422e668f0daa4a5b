-- Turnover sets beds against those who left them: the separations and discharge days of the units that count in occupancy, as the
-- service days beside them are.

alter table facility_months
  add column occupancy_separations integer not null default 0,
  add column occupancy_discharge_days integer not null default 0;

update facility_months m set
  occupancy_separations = u.separations, occupancy_discharge_days = u.discharge_days
from (
  select m.facility_no, m.month, m.population, sum(m.discharges + m.deaths) as separations, sum(m.discharge_days) as discharge_days
  from unit_months m join census_units u on u.unit_no = m.unit_no and u.facility_no = m.facility_no and u.counts_in_occupancy
  group by 1, 2, 3) u
where m.facility_no = u.facility_no and m.month = u.month and m.population = u.population;
