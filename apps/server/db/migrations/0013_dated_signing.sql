-- Four eyes and the deadlines of signing and locking count from a census date on, like the clock: who is held by them cannot
-- switch them off for a day that has begun.

alter table census_hours
  add column four_eyes boolean not null default true,
  add column sign_off_time time not null default '11:00',
  add column lock_after_days integer not null default 14 check (lock_after_days between 0 and 366);
update census_hours h set four_eyes = c.four_eyes, sign_off_time = c.sign_off_time, lock_after_days = c.lock_after_days
from census_facilities c where c.facility_no = h.facility_no;
alter table census_facilities drop column four_eyes, drop column sign_off_time, drop column lock_after_days;

-- To change the settings is a right of its own and falls to nobody who is held by them; those who manage a facility have it.
update census_facilities set split_permissions = array_remove(split_permissions, 'census.configure')
where 'census.configure' = any(split_permissions);
update roles set permissions = permissions || '{census.configure}'
where 'facility.manage' = any(permissions) and not 'census.configure' = any(permissions);
