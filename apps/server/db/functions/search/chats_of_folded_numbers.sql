-- needs: wall_actor, wall_facilities
-- The ids of the case chats of a facility about patients with these numbers: letters and digits in small letters, without `mrn`, as the index
-- chats_of_folded_patient has them. By the owner's right, as chats_of_patients.
create or replace function chats_of_folded_numbers(of_facility uuid, numbers text[], most integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select c.id from chats as c
  where c.facility_id = of_facility and c.kind = 'case'
    and regexp_replace(regexp_replace(lower(c.patient_identifier), '[^[:alnum:]]', '', 'g'), '^mrn', '') = any(numbers)
    and (wall_actor() is null or of_facility = any(wall_facilities()))
  limit most
$$;
