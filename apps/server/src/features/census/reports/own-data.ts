import { sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/** Which versions of which reports somebody made; the counts are the facility's. */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'census_reports',
    query: ({ userId, after, limit }) => sql`
      select concat_ws(' ', r.census_date, r.unit_no, r.population, r.version) as place, jsonb_build_object(
        'facility_id', u.facility_id, 'unit', (select code from units where id = u.unit_id),
        'census_date', r.census_date, 'population', r.population, 'version', r.version, 'at', r.changed_at) as row
      from unit_census_revisions r join census_units u on u.unit_no = r.unit_no
      where r.changed_by = ${userId} and (${after}::text is null
        or (r.census_date, r.unit_no, r.population::text, r.version) > (split_part(${after}, ' ', 1)::date,
          split_part(${after}, ' ', 2)::integer, split_part(${after}, ' ', 3), split_part(${after}, ' ', 4)::integer))
      order by r.census_date, r.unit_no, r.population::text, r.version limit ${limit}`,
  },
];
