-- Who is out of a chat has no draft in it, from the same transaction on.
-- By the owner's right: a draft is nobody's but its writer's, whoever takes them out.
create or replace function forget_draft() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  delete from chat_drafts where user_id = new.user_id and chat_id = new.chat_id;
  return null;
end $$;

create or replace trigger chat_participants_forget_draft after update of left_at on chat_participants
  for each row when (old.left_at is null and new.left_at is not null) execute function forget_draft();
