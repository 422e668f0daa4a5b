-- needs: emergency_lasts, holds_on_call
-- The chats that they are in now. Said to cost nothing, since it runs once: a plan that paid for it with each look at an index would read
-- whole tables instead.
create or replace function wall_chats() returns setof uuid language plpgsql stable parallel safe security definer cost 1 rows 1
set search_path = public, pg_temp as $$
begin
  return query
    select p.chat_id from chat_participants p
    where p.user_id = wall_actor() and p.left_at is null and (p.role_ids is null or holds_on_call(p.role_ids, p.user_id))
      and (p.emergency_id is null or emergency_lasts(p.emergency_id)) and p.facility_id = any (wall_facilities());
end $$;
