-- Counts that these people are called now, for each role that they have in the facility. In the order of roles, so that two
-- that count at the same time wait for each other and no further.
create or replace function count_calls(of_facility uuid, of_kind text, people uuid[]) returns void language sql as $$
  insert into call_counts as c (facility_id, day, role_id, hour, kind, calls)
  select f.id, local.at::date, r.role_id, extract(hour from local.at), of_kind, count(*)
  from facilities f
  cross join lateral (select clock_timestamp() at time zone f.time_zone as at) local
  join memberships m on m.facility_id = f.id and m.user_id = any(people) and m.ended_at is null
  join membership_roles r on r.membership_id = m.id
  where f.id = of_facility
  group by f.id, local.at, r.role_id
  order by r.role_id
  on conflict (facility_id, day, role_id, hour, kind) do update set calls = c.calls + excluded.calls;
$$;
