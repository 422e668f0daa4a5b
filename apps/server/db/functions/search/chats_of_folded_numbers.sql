-- needs: fold_identifier, wall_actor, wall_facilities
-- The ids of the case chats of a facility about patients with these numbers, as fold_identifier gives them. By the owner's right, as
-- chats_of_patients.
create or replace function chats_of_folded_numbers(of_facility uuid, numbers text[], most integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select c.id from chats as c
  where c.facility_id = of_facility and c.kind = 'case'
    and fold_identifier(c.patient_identifier) = any(numbers)
    and (wall_actor() is null or of_facility = any(wall_facilities()))
  limit most
$$;
