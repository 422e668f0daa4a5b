-- Not revoked, and who made it may still let people in: an invitation does not outlive the right that it was made with.
create or replace view standing_invitations as
select i.id, i.facility_id, i.token_hash, i.title, i.expires_at, i.used_at
from invitations i
where i.revoked_at is null and exists (
  select from memberships m
  join users u on u.id = m.user_id and u.disabled_at is null
  join membership_roles mr on mr.membership_id = m.id
  join roles r on r.id = mr.role_id and 'members.manage' = any(r.permissions)
  where m.user_id = i.created_by and m.facility_id = i.facility_id and m.ended_at is null
);
