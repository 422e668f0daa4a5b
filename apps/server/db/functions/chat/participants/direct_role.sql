-- The role with which a direct chat is, and for its holder who writes to it. By the owner's right, since the chat is seen: a list of
-- chats without one pays nothing for it.
create or replace function direct_role(of_role uuid, writer uuid, reader uuid) returns jsonb language sql stable security definer
set search_path = public, pg_temp as $$
  select jsonb_build_object('role_id', r.id, 'name', r.name,
    'person', case when writer <> reader then (select jsonb_build_object('user_id', u.id, 'name', u.name) from users u where u.id = writer) end)
  from on_call_roles r where r.id = of_role
$$;
