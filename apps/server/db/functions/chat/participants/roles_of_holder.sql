-- needs: holds_on_call
-- As whose holder somebody writes in a chat; null where they hold none of its roles.
create or replace function roles_of_holder(of_chat uuid, person uuid) returns text language sql stable as $$
  select string_agg(r.name, ', ' order by r.name)
  from chat_roles c join on_call_roles r on r.id = c.role_id
  where c.chat_id = of_chat and c.holder_id = person and holds_on_call(array[c.role_id], person)
$$;
