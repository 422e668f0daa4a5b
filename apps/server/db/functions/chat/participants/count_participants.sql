-- Keeps how many people a chat has, and the version of who they are, whatever writes them. Counted anew under the chat's
-- lock, which whoever changes the people of a chat holds already: it costs no more than the change, and cannot drift.
create or replace function count_participants() returns trigger language plpgsql as $$
declare
  chat_ids uuid[];
begin
  if tg_level = 'ROW' then
    chat_ids := array[new.chat_id];
  else
    chat_ids := array(select distinct chat_id from changed);
  end if;
  perform 1 from chats where id = any(chat_ids) order by id for no key update;
  update chats c set
    participants_version = c.participants_version + 1,
    participant_count = (select count(*) from active_participants p where p.chat_id = c.id)
  where c.id = any(chat_ids);
  return null;
end $$;

create or replace trigger chat_participants_count_added after insert on chat_participants
  referencing new table as changed for each statement execute function count_participants();
create or replace trigger chat_participants_count_removed after delete on chat_participants
  referencing old table as changed for each statement execute function count_participants();
create or replace trigger chat_participants_count_changed after update of left_at on chat_participants
  for each row when (old.left_at is distinct from new.left_at) execute function count_participants();
