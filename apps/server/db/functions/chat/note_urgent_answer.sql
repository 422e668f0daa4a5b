-- Notes how long a call waited for its acknowledgement, for each role of who gave it, and not whose it was.
create or replace function note_urgent_answer(of_facility uuid, person uuid, called_at timestamptz, answered_at timestamptz)
returns void language sql as $$
  insert into urgent_answers (facility_id, day, role_id, hour, seconds)
  select f.id, local.at::date, r.role_id, extract(hour from local.at),
    greatest(0, round(extract(epoch from answered_at - called_at)))
  from facilities f
  cross join lateral (select called_at at time zone f.time_zone as at) local
  join memberships m on m.facility_id = f.id and m.user_id = person and m.ended_at is null
  join membership_roles r on r.membership_id = m.id
  where f.id = of_facility;
$$;
