-- True where everybody who is called by name is in the chat, and every role.
create or replace function mentions_participants(of_chat uuid, targets jsonb) returns boolean language sql stable as $$
  select targets is null or not exists (
    select from jsonb_array_elements(targets) as target
    where target ->> 'kind' = 'user' and not exists (
      select from active_participants p where p.chat_id = of_chat and p.user_id = (target ->> 'id')::uuid
    ) or target ->> 'kind' = 'role' and not exists (
      select from chat_roles c join on_call_roles r on r.id = c.role_id
      where c.chat_id = of_chat and c.role_id = (target ->> 'id')::uuid and r.retired_at is null
    )
  )
$$;
