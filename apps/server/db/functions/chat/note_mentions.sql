-- Keeps whom a message that was just stored calls: as it was said, with the names of the moment, and each person by
-- themselves. 'All' are those who are in the chat now. Nobody calls themselves.
create or replace function note_mentions(of_message uuid, targets jsonb) returns void language plpgsql as $$
declare
  said record;
begin
  select chat_id, seq, sender_id into strict said from messages where id = of_message;
  update messages set mentions = (
    select jsonb_agg(jsonb_build_object('kind', target ->> 'kind', 'id', target ->> 'id', 'name', coalesce(u.name, 'all'))
      order by place)
    from jsonb_array_elements(targets) with ordinality as t (target, place)
    left join users u on u.id = (target ->> 'id')::uuid
  ) where id = of_message;
  insert into message_mentions (user_id, chat_id, seq)
    select p.user_id, p.chat_id, said.seq from active_participants p
    where p.chat_id = said.chat_id and p.user_id <> said.sender_id and exists (
      select from jsonb_array_elements(targets) as target
      where target ->> 'kind' = 'all' or (target ->> 'id')::uuid = p.user_id
    );
  update chat_participants p set mention_seq = said.seq
    from message_mentions n
    where n.chat_id = said.chat_id and n.seq = said.seq and p.chat_id = n.chat_id and p.user_id = n.user_id;
end $$;
