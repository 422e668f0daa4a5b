import { sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/** When somebody held which on-call role, and is planned to. */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'on_call_shifts',
    query: ({ userId, after, limit }) => sql`
      select s.ends_at::text || ' ' || s.id as place, jsonb_build_object(
        'facility_id', s.facility_id, 'role', r.name, 'from', s.starts_at, 'until', s.ends_at) as row
      from on_call_shifts s join on_call_roles r on r.id = s.role_id
      where s.user_id = ${userId} and (${after}::text is null
        or (s.ends_at, s.id) > (left(${after}, -37)::timestamptz, right(${after}, 36)::uuid))
      order by s.ends_at, s.id limit ${limit}`,
  },
];
