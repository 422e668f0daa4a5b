-- The facilities of which whoever this connection works for is a member now; without those that their session is shown nothing of.
create or replace function wall_facilities() returns uuid[] language plpgsql stable parallel safe security definer cost 1
set search_path = public, pg_temp as $$
begin
  return array(
    select m.facility_id from memberships m
    where m.user_id = wall_actor() and m.ended_at is null
      and m.facility_id <> all (wall_closed())
  );
end $$;
