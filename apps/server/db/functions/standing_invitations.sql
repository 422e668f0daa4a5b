-- Not revoked, and who made it may still let people in as what it says: an invitation does not outlive the rights that it was
-- made with, and none of a deactivated facility stands. One for who is to administer the facility stands while its maker is a system administrator. The everyday permissions
-- are those that packages/contract/src/permissions.ts lets every manager give.
create or replace view standing_invitations with (security_invoker = true) as
select i.id, i.facility_id, i.token_hash, i.title, i.expires_at, i.used_at
from invitations i
join facilities f on f.id = i.facility_id and f.deactivated_at is null
cross join lateral (
  select coalesce(array_agg(p.permission), '{}') as permissions
  from memberships m
  join users u on u.id = m.user_id and u.disabled_at is null
  join membership_roles mr on mr.membership_id = m.id
  join roles r on r.id = mr.role_id
  cross join lateral unnest(r.permissions) as p(permission)
  where m.user_id = i.created_by and m.facility_id = i.facility_id and m.ended_at is null
) own
where i.revoked_at is null and case when i.is_for_administrator then exists (
  select from users u where u.id = i.created_by and u.is_operator and u.disabled_at is null
) else 'members.manage' = any(own.permissions) and not exists (
  select from invitation_roles ir join roles r on r.id = ir.role_id
  where ir.invitation_id = i.id and not r.permissions <@ (own.permissions || array[
    'census.view', 'census.logs', 'census.report_units', 'census.report_summary', 'census.approve', 'census.reopen',
    'census.import', 'census.export', 'census.feed', 'chats.create', 'chats.break_glass', 'examinations.write', 'examinations.sign',
    'results.assign', 'on_call.take', 'phones.view'])
) end;
