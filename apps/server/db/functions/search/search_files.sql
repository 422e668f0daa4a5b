-- needs: active_participants, time_of_id, wall_actor
-- The ids of a page of files whose names have what is asked, those that were sent last first; as search_messages, which says why it goes by
-- the owner's right. The condition of the first part is that of the index. The message of each is looked up by its id (`offset 0`):
-- otherwise the plan reads all messages of the chats, or of everybody.
-- A frequent part of a name is in tens of thousands of files: only the messages of the newest are looked up, by the time in the message's id
-- (UUIDv7), and of sixteen times as many where those left out may hold something newer than what ends the page. An hour is left for clocks that differ.
create or replace function search_files(
  person uuid, in_chats uuid[], asked text, runs text[], of_sender uuid, since timestamptz, until timestamptz,
  after_micros bigint, after_id uuid, most integer
) returns setof uuid language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  looked_at integer := 16 * most;
  seen integer;
  oldest uuid;
  ids uuid[];
  times timestamptz[];
begin
  loop
    -- The hits have one way only, the index of the search: with the limit beside it a plan walks along the messages' ids.
    with hits as materialized (
      select a.id, a.message_id from attachments as a
      where a.message_id is not null and a.state = 'ready' and (a.scan is null or a.scan = 'clean')
        and file_keys(a.chat_id, a.name) @@ any(array(
          select replace(asked, '@', right(c::text, 8))::tsquery from unnest(in_chats) as c
        ))
        and (runs = '{}' or (
          select bool_and(position(run in ' ' || array_to_string(text_tokens(a.name), ' ') || ' ') > 0) from unnest(runs) as run
        ))
    ), newest as materialized (
      select * from hits order by message_id desc limit looked_at
    ), page as (
      select hit.id, m.created_at from newest as hit
      cross join lateral (select * from messages where id = hit.message_id offset 0) as m
      join active_participants as p on p.chat_id = m.chat_id and p.user_id = person and m.seq > p.joined_seq
      where m.chat_id = any(in_chats) and m.deleted_at is null and person = coalesce(wall_actor(), person)
        and (of_sender is null or m.sender_id = of_sender)
        and (since is null or m.created_at >= since)
        and (until is null or m.created_at < until)
        and (after_id is null
          or (m.created_at, hit.id) < ('epoch'::timestamptz + after_micros * interval '1 microsecond', after_id))
      order by m.created_at desc, hit.id desc limit most
    )
    select coalesce(array_agg(p.id order by p.created_at desc, p.id desc), '{}'), array_agg(p.created_at order by p.created_at desc, p.id desc),
      (select count(*) from newest), (select n.message_id from newest as n order by n.message_id limit 1)
      into ids, times, seen, oldest from page as p;
    exit when seen < looked_at or times[most] >= time_of_id(oldest) + interval '1 hour';
    looked_at := 16 * looked_at;
  end loop;
  return query select unnest(ids);
end $$;
