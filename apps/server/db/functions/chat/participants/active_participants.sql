-- needs: emergency_lasts, holds_on_call
-- The one predicate of reading: in the chat, and a member of its facility; who is in it by a role alone, while they hold that, and by
-- emergency access for its hours.
-- The walls ask the same of the tables: own_chats, wall_chats and wall_senders change with it.
create or replace view active_participants with (security_invoker = true) as
  select p.chat_id, p.user_id, p.facility_id, p.access, p.joined_seq, p.delivered_seq, p.read_seq, p.changed_xid, m.title,
    p.own_after_read, p.notify, p.muted_until, p.mention_seq, p.sound, p.emergency_id, p.role_ids, p.is_favorite
  from chat_participants p
  join memberships m on m.user_id = p.user_id and m.facility_id = p.facility_id and m.ended_at is null
  where p.left_at is null and (p.role_ids is null or holds_on_call(p.role_ids, p.user_id))
    and (p.emergency_id is null or emergency_lasts(p.emergency_id));
