-- Whatever changes the shifts of a role has it looked at again who holds it, after the commit.
-- By the owner's right: whoever leaves a facility is a member no more, and their shifts end with it.
create or replace function turn_on_call() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into on_call_turns (role_id, facility_id, due_at)
    select role_id, facility_id, clock_timestamp() from changed group by role_id, facility_id order by role_id
    on conflict (role_id) do update set due_at = excluded.due_at;
  return null;
end $$;

create or replace trigger on_call_shifts_turn_added after insert on on_call_shifts
  referencing new table as changed for each statement execute function turn_on_call();
create or replace trigger on_call_shifts_turn_changed after update on on_call_shifts
  referencing new table as changed for each statement execute function turn_on_call();
create or replace trigger on_call_shifts_turn_removed after delete on on_call_shifts
  referencing old table as changed for each statement execute function turn_on_call();
