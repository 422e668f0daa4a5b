-- needs: active_participants, wall_actor
-- The ids of a page of messages that have what is asked, the newest first, of chats that the person is in. By the owner's right: no index
-- of words serves a query that a policy narrows (docs/decisions/057). So whoever the connection works for finds what is their own, and
-- what the ids stand for is read under the wall. `asked` is a tsquery in which @ stands for the key of a chat; each of `runs` has to
-- stand in the words of a message as it is. The first part has one way only, the index of the search: with the chats beside it a
-- plan for any values walks along them.
create or replace function search_messages(
  person uuid, in_chats uuid[], asked text, runs text[], of_sender uuid, since timestamptz, until timestamptz,
  after_micros bigint, after_id uuid, most integer
) returns setof uuid language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
  return query
    with hits as materialized (
      select m.id, m.chat_id, m.seq, m.created_at from messages as m
      where m.deleted_at is null and m.kind = 'text'
        and search_keys(m.chat_id, m.body) @@ any(array(
          select replace(asked, '@', right(c::text, 8))::tsquery from unnest(in_chats) as c
        ))
        and (runs = '{}' or (
          select bool_and(position(run in ' ' || array_to_string(text_tokens(m.body), ' ') || ' ') > 0) from unnest(runs) as run
        ))
        and (of_sender is null or m.sender_id = of_sender)
        and (since is null or m.created_at >= since)
        and (until is null or m.created_at < until)
        and (after_id is null
          or (m.created_at, m.id) < ('epoch'::timestamptz + after_micros * interval '1 microsecond', after_id))
    )
    select hit.id from hits as hit
    join active_participants as p on p.chat_id = hit.chat_id and p.user_id = person and hit.seq > p.joined_seq
    where hit.chat_id = any(in_chats) and person = coalesce(wall_actor(), person)
    order by hit.created_at desc, hit.id desc limit most;
end $$;
