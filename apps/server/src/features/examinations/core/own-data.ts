import { sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/** Which examinations somebody began, entered values of and signed, and which laboratory results they assigned; no value and no patient. */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'examinations',
    query: ({ userId, after, limit }) => sql`
      with own as (
        (select id from examinations where created_by = ${userId} and (${after}::uuid is null or id > ${after}::uuid)
          order by id limit ${limit})
        union
        (select distinct examination_id from examination_entries
          where changed_by = ${userId} and (${after}::uuid is null or examination_id > ${after}::uuid)
          order by examination_id limit ${limit})
        union
        (select distinct examination_id from examination_reports
          where signed_by = ${userId} and (${after}::uuid is null or examination_id > ${after}::uuid)
          order by examination_id limit ${limit})
      )
      select e.id::text as place, jsonb_build_object(
        'facility_id', e.facility_id, 'chat_id', e.chat_id, 'examination_id', e.id, 'type', e.template_id,
        'begun_at', case when e.created_by = ${userId} then e.created_at end,
        'entered_at', (select max(x.changed_at) from examination_entries x
          where x.examination_id = e.id and x.changed_by = ${userId}),
        'signed', coalesce((select jsonb_agg(jsonb_build_object('version', s.version, 'at', s.signed_at) order by s.version)
          from examination_reports s where s.examination_id = e.id and s.signed_by = ${userId}), '[]')) as row
      from examinations e where e.id in (select id from own) order by e.id limit ${limit}`,
  },
  {
    name: 'laboratory_results',
    query: ({ userId, after, limit }) => sql`
      select r.id::text as place, jsonb_build_object('facility_id', r.facility_id, 'result_id', r.id, 'examination_id', r.examination_id,
        'done', case r.state when 'set_aside' then 'set_aside' else 'assigned' end, 'at', r.closed_at, 'reason', r.reason) as row
      from laboratory_results r
      where r.closed_by = ${userId} and (${after}::uuid is null or r.id > ${after}::uuid)
      order by r.id limit ${limit}`,
  },
];
