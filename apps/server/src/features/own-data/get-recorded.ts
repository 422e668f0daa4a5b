import type { Recorded } from '@wardline/contract/account/own-data.ts';
import { sql } from 'kysely';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';

/** How long the installation keeps things. */
export interface KeptFor {
  readonly auditYears: number | null;
  readonly sharedDeviceS: number;
  readonly ownDeviceS: number;
  readonly tokenS: number;
}

const facilityRows = typedRows<Recorded['facilities'][number]>({
  id: 'string',
  name: 'string',
  census_log_years: 'number?',
  idle_lock_minutes: 'number',
  shows_last_seen: 'boolean',
  own_texts_in_copies: 'boolean',
});

/** The figures behind the page of what is recorded: of the installation, and of the facilities that one is let into. */
export function getRecorded({ keptFor }: { readonly keptFor: KeptFor }) {
  return async ({ actor, db }: Pick<RequestContext, 'actor' | 'db'>): Promise<Recorded> => {
    const ids = actor.memberships.map(({ facilityId }) => facilityId);
    const query = sql`
      select f.id, f.name, c.log_retention_years as census_log_years, f.idle_lock_minutes, f.shows_last_seen,
        f.own_texts_in_copies
      from facilities f left join census_facilities c on c.facility_id = f.id
      where f.id = any(${ids}::uuid[]) order by f.name collate "und-x-icu", f.id`;
    return {
      audit_years: keptFor.auditYears,
      shared_session_hours: keptFor.sharedDeviceS / 3600,
      own_session_days: keptFor.ownDeviceS / 86_400,
      token_days: keptFor.tokenS / 86_400,
      facilities: await facilityRows.read(db, query),
    };
  };
}
