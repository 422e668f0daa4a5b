-- needs: roles_of_holder
-- Stores messages with the next seqs of their chat, in the order given. The only place where head_seq rises: under the
-- chat's row lock, which is held until the commit, so seqs have no gap. A system line may carry an act, which the device
-- offers beside it.
create or replace function append_messages(
  to_chat uuid, ids uuid[], senders uuid[], client_ids uuid[], of_kind text, bodies text[], replies uuid[],
  device_times timestamptz[], with_act_kind text default null, with_act_id uuid default null,
  attached jsonb[] default null
) returns setof messages language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  chat record;
  now_ms timestamptz;
  stored messages[];
  newest messages;
  -- How many the first sender said before anybody else did.
  first_run integer;
  has_roles boolean := of_kind = 'text' and exists (select from chat_roles where chat_id = to_chat);
begin
  select facility_id, head_seq into strict chat from chats where id = to_chat for no key update;
  now_ms := date_trunc('milliseconds', clock_timestamp());
  with inserted as (
    insert into messages
      (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, reply_to, device_time, created_at, act_kind, act_id,
        attachments, sender_role)
    select said.id, to_chat, chat.facility_id, chat.head_seq + said.place, said.client_id, said.sender_id, of_kind, said.body,
      said.reply_to, said.device_time, now_ms, with_act_kind, with_act_id, attachments_of(attached[said.place]),
      case when has_roles then roles_of_holder(to_chat, said.sender_id) end
    from unnest(ids, senders, client_ids, bodies, replies, device_times)
      with ordinality as said (id, sender_id, client_id, body, reply_to, device_time, place)
    returning *
  )
  select array_agg(inserted order by inserted.seq) into stored from inserted;
  newest := stored[cardinality(stored)];
  update chats set head_seq = newest.seq, updated_at = newest.created_at, last_message = last_message_of(newest)
    where id = to_chat;
  -- Who had read everything has read what he says himself, until somebody else says something; the rest of what he says is
  -- his own past what he has read.
  first_run := coalesce(
    (
      select min(said.place) - 1 from unnest(senders) with ordinality as said (sender_id, place)
      where said.sender_id <> senders[1]
    ),
    cardinality(senders)
  );
  update chat_participants p set
    read_seq = p.read_seq + case when p.read_seq = chat.head_seq then said.run else 0 end,
    delivered_seq = greatest(p.delivered_seq, p.read_seq + case when p.read_seq = chat.head_seq then said.run else 0 end),
    own_after_read = p.own_after_read + said.count - case when p.read_seq = chat.head_seq then said.run else 0 end
  from (
    select sender_id, count(*) as count, case when sender_id = senders[1] then first_run else 0 end as run
    from unnest(senders) as sender_id group by sender_id
  ) as said
  where p.chat_id = to_chat and p.user_id = said.sender_id;
  -- Where no device is told of anything, nothing is looked at.
  if of_kind = 'text' and exists (select from push_subscriptions) then
    perform queue_chat_notification(to_chat, newest.seq, 5);
  end if;
  return query select * from unnest(stored);
end $$;
