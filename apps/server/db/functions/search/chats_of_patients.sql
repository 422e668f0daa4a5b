-- needs: fold_identifier, wall_actor, wall_facilities
-- The ids of the case chats of a facility that carry these numbers, beside each number. By the owner's right, as search_messages: the index of
-- numbers serves no query that a policy narrows. Whoever the connection works for finds them in their own facilities alone.
create or replace function chats_of_patients(of_facility uuid, numbers text[]) returns table (identifier text, id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select asked.identifier, c.id
  from unnest(numbers) as asked (identifier)
  join chats as c on c.facility_id = of_facility and c.kind = 'case'
    and fold_identifier(c.patient_identifier) = fold_identifier(asked.identifier)
  where (wall_actor() is null or of_facility = any(wall_facilities()))
$$;
