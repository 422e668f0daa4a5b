-- Keeps whom a message that was just stored calls: as it was said, with the names of the moment and who holds a role now, and each
-- person by themselves. 'All' are those who are in the chat now. Nobody calls themselves. Who has just taken over a role is called too,
-- though the clock lets them in a moment later: seat_role_holder marks what named them meanwhile.
create or replace function note_mentions(of_message uuid, targets jsonb) returns void language plpgsql as $$
declare
  said record;
begin
  select chat_id, seq, sender_id into strict said from messages where id = of_message;
  update messages set mentions = (
    select jsonb_agg(jsonb_build_object('kind', target ->> 'kind', 'id', target ->> 'id', 'name', coalesce(u.name, r.name, 'all'))
        || case when r.id is null then '{}' else jsonb_build_object('holder_id', (
          select s.user_id from on_call_shifts s
          join memberships m on m.user_id = s.user_id and m.facility_id = s.facility_id and m.ended_at is null
          where s.role_id = r.id and s.starts_at <= clock_timestamp() and s.ends_at > clock_timestamp()
        )) end
      order by place)
    from jsonb_array_elements(targets) with ordinality as t (target, place)
    left join users u on u.id = (target ->> 'id')::uuid and target ->> 'kind' = 'user'
    left join on_call_roles r on r.id = (target ->> 'id')::uuid and target ->> 'kind' = 'role'
  ) where id = of_message;
  insert into message_mentions (user_id, chat_id, seq)
    select p.user_id, p.chat_id, said.seq from active_participants p
    where p.chat_id = said.chat_id and p.user_id <> said.sender_id and exists (
      select from messages m cross join jsonb_array_elements(m.mentions) as target
      where m.id = of_message
        and (target ->> 'kind' = 'all' or coalesce(target ->> 'holder_id', target ->> 'id')::uuid = p.user_id)
    );
  update chat_participants p set mention_seq = said.seq
    from message_mentions n
    where n.chat_id = said.chat_id and n.seq = said.seq and p.chat_id = n.chat_id and p.user_id = n.user_id;
end $$;
