-- A direct chat is called by the other's name and shows their picture: where these change, the chat has changed for sync. The
-- chats are locked first, in order, as every writer of a chat does.
-- By the owner's right: also the chats of facilities that the session is shown nothing of.
create or replace function touch_direct_chats() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  perform 1 from chats
    where kind = 'direct' and id in (select chat_id from chat_participants where user_id = new.id)
    order by id for no key update;
  update chats set version = version
    where kind = 'direct' and id in (select chat_id from chat_participants where user_id = new.id);
  return null;
end $$;

create or replace trigger users_touch_direct_chats after update of name, avatar_key on users
  for each row when (old.name is distinct from new.name or old.avatar_key is distinct from new.avatar_key)
  execute function touch_direct_chats();
