-- needs: active_participants, wall_actor
-- The ids of a page of messages that have what is asked, the newest first, of chats that the person is in. By the owner's right: no index
-- of words serves a query that a policy narrows (docs/decisions/057). So whoever the connection works for finds what is their own, and
-- what the ids stand for is read under the wall. `asked` is a tsquery in which @ stands for the place of a part of a chat; each of
-- `runs` has to stand in the words of a message as it is.
-- The newest part of each chat is looked at first (migration 0076), then four times as many as before of the chats whose next part may hold
-- something newer than what ends the page. An hour is left for a clock of the server that was set back.
create or replace function search_messages(
  person uuid, in_chats uuid[], asked text, runs text[], of_sender uuid, since timestamptz, until timestamptz,
  after_micros bigint, after_id uuid, most integer
) returns setof uuid language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  chats uuid[];
  newest bigint[];
  parts bigint := 1;
  ids uuid[] := '{}';
  times timestamptz[] := '{}';
begin
  select array_agg(c.id), array_agg(c.head_seq >> 14) into chats, newest from chats as c where c.id = any(in_chats);
  while cardinality(chats) > 0 loop
    -- The hits have one way only, the index of the search: with the chats beside it a plan for any values walks along them.
    with hits as materialized (
      select m.id, m.chat_id, m.seq, m.created_at from messages as m
      where m.deleted_at is null and m.kind = 'text'
        and search_keys(m.chat_id, m.seq, m.body) @@ any(array(
          select replace(asked, '@', search_place(chat, part))::tsquery from unnest(chats, newest) as one (chat, last)
          cross join generate_series(greatest(0, last - parts + 1), last) as part
        ))
        and (runs = '{}' or (
          select bool_and(position(run in ' ' || array_to_string(text_tokens(m.body), ' ') || ' ') > 0) from unnest(runs) as run
        ))
        and (of_sender is null or m.sender_id = of_sender)
        and (since is null or m.created_at >= since)
        and (until is null or m.created_at < until)
        and (after_id is null
          or (m.created_at, m.id) < ('epoch'::timestamptz + after_micros * interval '1 microsecond', after_id))
    ), page as (
      select hit.id, hit.created_at from hits as hit
      join active_participants as p on p.chat_id = hit.chat_id and p.user_id = person and hit.seq > p.joined_seq
      where hit.chat_id = any(in_chats) and person = coalesce(wall_actor(), person)
      union all select before.id, before.created_at from unnest(ids, times) as before (id, created_at)
      order by created_at desc, id desc limit most
    )
    select coalesce(array_agg(p.id order by p.created_at desc, p.id desc), '{}'),
      coalesce(array_agg(p.created_at order by p.created_at desc, p.id desc), '{}')
      into ids, times from page as p;

    select array_agg(one.chat), array_agg(one.last - parts) into chats, newest
    from unnest(chats, newest) as one (chat, last)
    cross join lateral (
      select m.created_at + interval '1 hour' as at from messages as m
      where m.chat_id = one.chat and m.seq < (one.last - parts + 1) << 14 order by m.seq desc limit 1
    ) as older
    where one.last >= parts and (since is null or older.at >= since) and (cardinality(ids) < most or older.at >= times[most]);
    parts := parts * 4;
  end loop;
  return query select unnest(ids);
end $$;
