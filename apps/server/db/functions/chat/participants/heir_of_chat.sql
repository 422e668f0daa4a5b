-- Who manages a chat once nobody in it does: of those who may write by themselves, the one who has read furthest, since they are
-- around. Null where somebody manages it, or nobody may write; never who is in it, or writes in it, by an emergency access or a role only.
create or replace function heir_of_chat(of_chat uuid) returns uuid language sql stable as $$
  select p.user_id
  from active_participants p join chat_participants own on own.chat_id = p.chat_id and own.user_id = p.user_id
  where p.chat_id = of_chat and coalesce(own.own_access, own.access) = 'write' and p.emergency_id is null and p.role_ids is null
    and not exists (select from active_participants m where m.chat_id = of_chat and m.access = 'manage')
  order by p.read_seq desc, p.user_id limit 1
$$;
