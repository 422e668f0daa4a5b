-- needs: emergency_lasts, holds_on_call
-- These people in their order, each who is not in the chat now as nobody: messages of several senders are stored by one statement, which
-- the policies of none of them narrow. By the tables themselves, whatever active_participants says. Each is looked up by key: with
-- `exists` PostgreSQL reads everybody in the chat first.
create or replace function wall_senders(of_chat uuid, people uuid[]) returns uuid[] language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return array(
    select case when (
      select true from chat_participants p
      join memberships m on m.user_id = p.user_id and m.facility_id = p.facility_id and m.ended_at is null
      where p.chat_id = of_chat and p.user_id = asked.id and p.left_at is null
        and (p.role_ids is null or holds_on_call(p.role_ids, p.user_id))
        and (p.emergency_id is null or emergency_lasts(p.emergency_id))
      limit 1
    ) then asked.id else '00000000-0000-0000-0000-000000000000' end
    from unnest(people) with ordinality as asked (id, place) order by asked.place
  );
end $$;
