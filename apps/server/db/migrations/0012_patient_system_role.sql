-- A patient system hands its messages in with an account of its own, which needs a role that nothing else is in.

insert into roles (id, facility_id, name, permissions)
select gen_random_uuid(), f.id, 'Patient system', '{census.feed}'
from facilities f
where not exists (
  select from roles r where r.facility_id = f.id and ('census.feed' = any(r.permissions) or r.name = 'Patient system'));
