-- True where all of these files are this person's, for this chat, ready and not sent yet. They are then locked until the
-- end of the transaction: nothing takes them away meanwhile.
create or replace function may_attach(to_chat uuid, sender uuid, ids jsonb) returns boolean language plpgsql as $$
declare
  found_count integer;
begin
  if ids is null then
    return true;
  end if;
  select count(*) into found_count from (
    select from attachments a
    where a.id in (select asked.id::uuid from jsonb_array_elements_text(ids) as asked (id))
      and a.chat_id = to_chat and a.uploader_id = sender and a.state = 'ready' and a.message_id is null
    order by a.id for update
  ) as locked;
  return found_count = jsonb_array_length(ids);
end $$;
