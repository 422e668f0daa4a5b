import { sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/** Where somebody belongs and belonged, and what became of their roles; the roles of an ended membership are its last. */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'memberships',
    query: ({ userId, after, limit }) => sql`
      select m.id::text as place, jsonb_build_object(
        'facility_id', m.facility_id, 'facility', f.name, 'title', m.title, 'phone', m.phone,
        'from', m.created_at, 'until', m.ended_at,
        'roles', array(
          select r.name from membership_roles mr join roles r on r.id = mr.role_id
          where mr.membership_id = m.id order by r.name)) as row
      from memberships m join facilities f on f.id = m.facility_id
      where m.user_id = ${userId} and (${after}::uuid is null or m.id > ${after}::uuid)
      order by m.id limit ${limit}`,
  },
  {
    name: 'role_changes',
    query: ({ userId, after, limit }) => sql`
      select e.id::text as place, jsonb_build_object(
        'at', e.at, 'what', e.action, 'facility_id', e.facility_id, 'role_id', e.detail ->> 'role_id',
        'role', (select r.name from roles r where r.id = (e.detail ->> 'role_id')::uuid)) as row
      from audit_entries e
      where e.object_id = ${userId} and e.object_type = 'user' and e.outcome = 'done'
        and e.action in ('member.give_role', 'member.take_role', 'member.follow_groups', 'member.remove')
        and (${after}::bigint is null or e.id < ${after}::bigint)
      order by e.id desc limit ${limit}`,
  },
];
