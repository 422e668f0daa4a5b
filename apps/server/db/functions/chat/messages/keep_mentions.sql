-- A message was edited or deleted: it calls only these any more. Whoever it called last and calls no longer was last called by
-- an earlier one; those of them who are in the chat are answered, with their markers as they stand.
create or replace function keep_mentions(of_message uuid, kept jsonb)
  returns table (user_id uuid, delivered_seq bigint, read_seq bigint, mention_seq bigint) language plpgsql as $$
#variable_conflict use_column
declare
  said record;
begin
  select m.chat_id, m.seq, m.created_at into strict said from messages m where m.id = of_message;
  update messages m set mentions = nullif(kept, '[]') where m.id = of_message;
  delete from message_mentions n where n.chat_id = said.chat_id and n.seq = said.seq and not exists (
    select from jsonb_array_elements(kept) as target
    where target ->> 'kind' = 'all' or coalesce(target ->> 'holder_id', target ->> 'id')::uuid = n.user_id
      -- Who took the role over after nobody held it.
      or target ->> 'kind' = 'role' and target ->> 'holder_id' is null and exists (
        select from on_call_shifts s
        where s.role_id = (target ->> 'id')::uuid and s.user_id = n.user_id and s.starts_at >= said.created_at
      )
  );
  return query
    with dropped as (
      update chat_participants p set mention_seq = coalesce(
        (select max(n.seq) from message_mentions n where n.user_id = p.user_id and n.chat_id = p.chat_id), 0
      )
      where p.chat_id = said.chat_id and p.mention_seq = said.seq and not exists (
        select from message_mentions n where n.user_id = p.user_id and n.chat_id = p.chat_id and n.seq = said.seq
      )
      returning p.user_id, p.delivered_seq, p.read_seq, p.mention_seq
    )
    select d.* from dropped d
    join active_participants a on a.chat_id = said.chat_id and a.user_id = d.user_id;
end $$;
