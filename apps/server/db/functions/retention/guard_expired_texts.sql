-- What is only ever added loses its texts when the message that they belong to was emptied for its age, and never before.
create or replace function guard_expired_texts() returns trigger language plpgsql as $$
declare
  is_expired boolean := false;
begin
  if tg_table_name = 'message_versions' and tg_op = 'DELETE' then
    select m.is_expired into is_expired from messages m where m.id = old.message_id;
    if is_expired then return old; end if;
  elsif tg_table_name = 'escalation_entries' and tg_op = 'UPDATE' then
    select m.is_expired into is_expired from escalations e join messages m on m.id = e.subject_id
      where e.id = old.escalation_id and e.subject = 'message';
    old.note := null;
    if is_expired and new is not distinct from old then return new; end if;
  end if;
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create or replace trigger message_versions_append_only before update or delete on message_versions
  for each row execute function guard_expired_texts();
create or replace trigger escalation_entries_append_only before update or delete on escalation_entries
  for each row execute function guard_expired_texts();
