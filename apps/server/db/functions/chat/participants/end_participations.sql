-- Who leaves a facility leaves its chats in the same transaction. The chats are locked first, in order, as every
-- writer of a chat does, so that no message of that person is stored afterwards. A direct chat is closed: the other may read
-- what was said, and there is nobody to write to.
-- By the owner's right: whoever leaves is a member no more.
create or replace function end_participations() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  perform 1 from chats
    where id in (
      select chat_id from chat_participants
      where facility_id = new.facility_id and user_id = new.user_id and left_at is null
    )
    order by id for no key update;
  with ended as (
    update chat_participants set left_at = now(), role_ids = null, own_access = null, own_joined_seq = null
    where facility_id = new.facility_id and user_id = new.user_id and left_at is null
    returning chat_id
  )
  update chats set
    state = case when is_over then 'closed' else state end,
    version = case when is_over and state <> 'closed' then version + 1 else version end
    from (
      -- With a role one goes on: the next who holds it reads and answers.
      select ended.chat_id, c.kind = 'direct' and (c.direct_role_id is null or c.direct_low = new.user_id) as is_over
      from ended join chats c on c.id = ended.chat_id
    ) as ended where chats.id = ended.chat_id;
  return null;
end $$;

create or replace trigger memberships_end_participations after update of ended_at on memberships
  for each row when (old.ended_at is null and new.ended_at is not null) execute function end_participations();
