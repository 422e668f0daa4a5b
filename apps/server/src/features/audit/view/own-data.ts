import { sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/** What somebody did themselves, the newest first; what others did about them stands in their own copies. */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'audit_entries',
    query: ({ userId, after, limit }) => sql`
      select e.id::text as place, jsonb_build_object(
        'at', e.at, 'what', e.action, 'outcome', e.outcome, 'facility_id', e.facility_id,
        'about', e.object_type, 'about_id', e.object_id, 'address', host(e.ip)) as row
      from audit_entries e
      where e.actor_id = ${userId} and (${after}::bigint is null or e.id < ${after}::bigint)
      order by e.id desc limit ${limit}`,
  },
];
