-- Whose account is disabled is on call for nothing anywhere; enabled again, they are planned anew.
-- By the owner's right: whoever leaves is a member no more.
create or replace function end_shifts_of_disabled() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  delete from on_call_shifts where user_id = new.id and starts_at >= new.disabled_at;
  update on_call_shifts set ends_at = new.disabled_at where user_id = new.id and ends_at > new.disabled_at;
  return null;
end $$;

create or replace trigger users_end_shifts after update of disabled_at on users
  for each row when (old.disabled_at is null and new.disabled_at is not null) execute function end_shifts_of_disabled();
