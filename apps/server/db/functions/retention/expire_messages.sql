-- Under the chat's lock: empties what is old enough among the next messages of a chat. What calls about a critical result belongs to its
-- report and is kept. What is held, still calls people, or has changed since it was exported waits for another night.
-- Answers how far it looked, null where nothing is old enough, and the files that nobody is given any more.
create or replace function expire_messages(
  of_chat uuid, past_seq bigint, before timestamptz, exported_only boolean, reason text, most integer,
  out looked_to bigint, out expired integer, out waiting integer, out files uuid[]
) language plpgsql as $$
declare
  chat chats;
  first_waiting bigint;
  ids uuid[];
  seqs bigint[];
  pins integer;
begin
  expired := 0;
  waiting := 0;
  files := '{}';
  select * into strict chat from chats where id = of_chat;
  if is_chat_held(chat) then return; end if;
  looked_to := least(
    coalesce(first_message_since(of_chat, past_seq, before) - 1, chat.head_seq),
    case when exported_only then chat.exported_seq end,
    past_seq + most
  );
  if looked_to <= past_seq then
    looked_to := null;
    return;
  end if;

  select min(seq) filter (where fate = 'waits'), count(*) filter (where fate = 'waits'),
      array_agg(id order by seq) filter (where fate = 'goes'), array_agg(seq order by seq) filter (where fate = 'goes'),
      count(*) filter (where fate = 'goes' and is_pinned)
    into first_waiting, waiting, ids, seqs, pins
    from (
      select m.id, m.seq, m.pinned is not null as is_pinned, case
        when m.is_expired or exists (select from critical_alerts a where a.message_id = m.id) then 'stays'
        when is_message_held(m) or exported_only and m.change_seq > chat.exported_change_seq or exists (
          select from escalations e where e.subject = 'message' and e.subject_id = m.id and e.state not in ('closed', 'withdrawn')
        ) then 'waits'
        else 'goes'
      end as fate
      from messages m where m.chat_id = of_chat and m.seq > past_seq and m.seq <= looked_to
    ) judged;
  expired := coalesce(cardinality(ids), 0);

  if expired > 0 then
    update messages m set
        change_seq = chat.head_change_seq + gone.place, is_expired = true,
        deleted_at = coalesce(m.deleted_at, date_trunc('milliseconds', clock_timestamp())), delete_reason = reason,
        body = '', attachments = null, reactions = null, mentions = null, pinned = null, forwarded = null, citations = null,
        urgent = null, edited_at = null
      from unnest(ids) with ordinality as gone (id, place) where m.id = gone.id;
    delete from message_versions where message_id = any (ids);
    delete from message_citations where message_id = any (ids);
    delete from message_mentions where chat_id = of_chat and seq = any (seqs);
    update chat_participants p set mention_seq = coalesce(
        (select max(n.seq) from message_mentions n where n.user_id = p.user_id and n.chat_id = p.chat_id), 0)
      where p.chat_id = of_chat and p.mention_seq = any (seqs);
    delete from chat_notifications where chat_id = of_chat and seq = any (seqs);
    update escalation_entries set note = null
      where note is not null
        and escalation_id in (select id from escalations where subject = 'message' and subject_id = any (ids));
    -- A name says something of a patient as soon as anything; a print of the bytes finds them again elsewhere.
    with removed as (
      update attachments set state = case when state = 'removed' then state else 'removing' end, name = 'Deleted file',
          kind = null, mime = null, sha256 = null, width = null, height = null, blurhash = null, peaks = null, duration_ms = null
        where message_id = any (ids) returning id, state
    )
    select coalesce(array_agg(id), '{}') into files from removed where state = 'removing';
  end if;

  update chats c set
      head_change_seq = c.head_change_seq + expired, pin_count = c.pin_count - pins,
      expired_seq = case when past_seq > c.expired_seq then c.expired_seq else coalesce(first_waiting - 1, looked_to) end,
      last_message = case when c.head_seq = any (seqs) then (select last_message_of(m) from messages m where m.chat_id = c.id and m.seq = c.head_seq)
        else c.last_message end
    where c.id = of_chat;
end $$;
