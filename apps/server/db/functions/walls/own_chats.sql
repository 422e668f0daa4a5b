-- needs: emergency_lasts, holds_on_call, wall_actor, wall_closed
-- The chats that whoever this connection works for is in now, each with their place in it. By the owner's right, with a wall of its own: a person
-- is given their own rows, whatever the query forgot, and pays for no set of their chats (docs/decisions/057). Whom no policy narrows is
-- given everybody's, and names the person.
create or replace view own_chats as
  select c.id, p.user_id, p.facility_id, c.kind, c.title, c.state, c.version, c.head_seq, c.head_change_seq, c.changed_xid,
    c.patient_name, c.patient_identifier, c.patient_born_on, c.patient_bed, c.direct_low, c.direct_role_id,
    case when c.direct_low = p.user_id then c.direct_high else c.direct_low end as direct_user_id,
    c.participant_count, c.pin_count, c.urgent_count, c.last_message, c.created_at, c.updated_at,
    p.access, p.emergency_id, p.joined_seq, p.delivered_seq, p.read_seq, p.own_after_read, p.mention_seq,
    p.notify, p.muted_until, p.sound, p.is_favorite, p.marked_unread_seq
  from chat_participants p
  join memberships m on m.user_id = p.user_id and m.facility_id = p.facility_id and m.ended_at is null
  join chats c on c.id = p.chat_id
  where p.left_at is null and (p.role_ids is null or holds_on_call(p.role_ids, p.user_id))
    and (p.emergency_id is null or emergency_lasts(p.emergency_id))
    and (
      (select not row_security_active('public.chats') or current_setting('wardline.system', true) not in ('', 'administration'))
      or p.user_id = (select wall_actor()) and m.facility_id <> all ((select wall_closed())::uuid[])
    );
