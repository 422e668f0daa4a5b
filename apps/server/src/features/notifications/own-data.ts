import { sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/** By which ways somebody wants to be told; of a browser when it asked, not what its pushes are sealed with. */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'notification_settings',
    query: ({ userId, after, limit }) => sql`
      select s.user_id::text as place, jsonb_build_object(
        'routine_sound', s.routine_sound, 'urgent_sound', s.urgent_sound, 'mail_digest', s.mail_digest,
        'quiet_from', s.quiet_from, 'quiet_until', s.quiet_until, 'quiet_off_call', s.quiet_off_call,
        'updated_at', s.updated_at) as row
      from notification_settings s
      where s.user_id = ${userId} and ${after}::text is null limit ${limit}`,
  },
  {
    name: 'push_subscriptions',
    query: ({ userId, after, limit }) => sql`
      select p.id::text as place, jsonb_build_object(
        'since', p.created_at, 'service', substring(p.endpoint from '^https?://([^/]+)')) as row
      from push_subscriptions p
      where p.user_id = ${userId} and (${after}::uuid is null or p.id > ${after}::uuid)
      order by p.id limit ${limit}`,
  },
];
