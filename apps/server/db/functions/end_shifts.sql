-- Who leaves a facility is on call for nothing there from that moment on; what they held until then stays, what they said of
-- their own duty goes.
-- By the owner's right: whoever leaves is a member no more.
create or replace function end_shifts() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  delete from on_call_shifts
    where facility_id = new.facility_id and user_id = new.user_id and starts_at >= new.ended_at;
  update on_call_shifts set ends_at = new.ended_at
    where facility_id = new.facility_id and user_id = new.user_id and ends_at > new.ended_at;
  delete from duty_statements where facility_id = new.facility_id and user_id = new.user_id;
  return null;
end $$;

create or replace trigger memberships_end_shifts after update of ended_at on memberships
  for each row when (old.ended_at is null and new.ended_at is not null) execute function end_shifts();
