-- Gives a person the place in a chat that the roles which they were let in by give them, under the chat's lock: widens what they have
-- by themselves, lets them in, or takes back what a role gave and none gives any more. Markers only rise, as with whoever is added.
create or replace function seat_role_holder(of_chat uuid, person uuid) returns void language plpgsql as $$
declare
  held record;
  place chat_participants;
  is_own boolean;
begin
  select array_agg(c.role_id order by c.role_id) as role_ids, min(c.joined_seq) as joined_seq, bool_or(c.access = 'write') as writes,
    min(c.facility_id::text)::uuid as facility_id
    into held from chat_roles c where c.chat_id = of_chat and c.holder_id = person;
  select * into place from chat_participants p where p.chat_id = of_chat and p.user_id = person;
  is_own := place.user_id is not null and place.left_at is null and place.role_ids is null;
  if held.role_ids is null then
    if is_own and place.own_access is not null then
      update chat_participants p set access = p.own_access, joined_seq = p.own_joined_seq, own_access = null, own_joined_seq = null
        where p.chat_id = of_chat and p.user_id = person;
    elsif place.left_at is null and place.role_ids is not null then
      update chat_participants p set left_at = now(), role_ids = null where p.chat_id = of_chat and p.user_id = person;
    end if;
    return;
  end if;
  if is_own then
    update chat_participants p set
      own_access = coalesce(p.own_access, p.access), own_joined_seq = coalesce(p.own_joined_seq, p.joined_seq),
      access = case when held.writes and coalesce(p.own_access, p.access) = 'read' then 'write' else coalesce(p.own_access, p.access) end,
      joined_seq = least(coalesce(p.own_joined_seq, p.joined_seq), held.joined_seq)
      where p.chat_id = of_chat and p.user_id = person;
  else
    insert into chat_participants as p
      (chat_id, user_id, facility_id, access, joined_seq, delivered_seq, read_seq, role_ids)
    values (of_chat, person, held.facility_id, case when held.writes then 'write' else 'read' end,
      held.joined_seq, held.joined_seq, held.joined_seq, held.role_ids)
    on conflict (chat_id, user_id) do update set
      left_at = null, access = excluded.access, joined_seq = excluded.joined_seq, role_ids = excluded.role_ids, emergency_id = null,
      own_access = null, own_joined_seq = null,
      delivered_seq = greatest(p.delivered_seq, excluded.joined_seq), read_seq = greatest(p.read_seq, excluded.joined_seq);
  end if;
  -- What called them before they were let in, among the last messages: as its holder, a moment ago; or a role that nobody held, within
  -- the time for which a notification is good, and that nobody who took it over since was called by.
  insert into message_mentions (user_id, chat_id, seq)
    select person, of_chat, m.seq from chats c join messages m on m.chat_id = c.id and m.seq > greatest(c.head_seq - 100, held.joined_seq)
    where c.id = of_chat and m.sender_id <> person and (
      m.mentions @> jsonb_build_array(jsonb_build_object('holder_id', person))
      or m.created_at > clock_timestamp() - interval '12 hours' and exists (
        select from jsonb_array_elements(m.mentions) as target
        where target ->> 'kind' = 'role' and target ->> 'holder_id' is null and (target ->> 'id')::uuid = any(held.role_ids)
          and not exists (
            select from on_call_shifts s join message_mentions n on n.user_id = s.user_id and n.chat_id = of_chat and n.seq = m.seq
            where s.role_id = (target ->> 'id')::uuid and s.starts_at >= m.created_at
          )
      )
    )
    on conflict do nothing;
  update chat_participants p
    set mention_seq = coalesce((select max(n.seq) from message_mentions n where n.user_id = person and n.chat_id = of_chat), 0)
    where p.chat_id = of_chat and p.user_id = person;
end $$;
