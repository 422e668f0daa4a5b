-- The chats that they are in now.
create or replace function wall_chats() returns setof uuid language plpgsql stable parallel safe security definer rows 200
set search_path = public, pg_temp as $$
begin
  return query
    select p.chat_id from chat_participants p
    where p.user_id = wall_actor() and p.left_at is null and p.facility_id = any (wall_facilities());
end $$;
