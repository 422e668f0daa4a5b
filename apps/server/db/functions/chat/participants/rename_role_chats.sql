-- A direct chat with a role is called by it. The chats are locked first, in order, as every writer of a chat does.
-- By the owner's right: who names roles is in none of these chats.
create or replace function rename_role_chats() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  perform 1 from chats where direct_role_id = new.id order by id for no key update;
  update chats set title = new.name where direct_role_id = new.id;
  return null;
end $$;

create or replace trigger on_call_roles_rename_chats after update of name on on_call_roles
  for each row when (old.name is distinct from new.name) execute function rename_role_chats();
