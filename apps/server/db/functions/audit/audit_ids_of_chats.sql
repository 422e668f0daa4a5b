-- The numbers of the newest entries of each of these chats, as audit_entries_chat_idx has them: before one number, from one to another, and
-- within two instants where given. By the owner's right: that index serves no query that a policy narrows (docs/decisions/057).
-- Numbers alone, of any chat: what stands in an entry is read under the wall.
create or replace function audit_ids_of_chats(
  of_chats text[], before bigint, lowest bigint, highest bigint, since timestamptz, until timestamptz, most integer
) returns table (chat text, id bigint) language sql stable security definer set search_path = public, pg_temp as $$
  select asked.chat, found.id from unnest(of_chats) as asked (chat) cross join lateral (
    select e.id from audit_entries as e
    where coalesce(e.detail ->> 'chat', case when e.object_type = 'chat' then e.object_id::text end) = asked.chat
      and e.id < coalesce(before, 9e18::bigint) and e.id between lowest and highest
      and (since is null or e.at >= since) and (until is null or e.at < until)
    order by e.id desc limit most) as found
$$;
