import { addDays, censusDateOf } from '@wardline/census/calendar.ts';
import type { CensusFeed, getCensusFeed as endpoint, FeedUnit } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { isMessage } from '#/features/census/core/feed-messages.ts';
import { configure } from '#/features/census/core/policy.ts';
import { requireFacilityNow, requireRight } from '#/features/census/core/require-facility.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof endpoint;
type Queryable = Database | DatabaseTransaction;

/** How a facility stands with its patient system, for whoever sets its census up. */
export async function getCensusFeed(ctx: RequestContext, { params }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  requireRight(ctx.actor, params.facility, configure);
  return serializeFeed(ctx.db, await requireFacilityNow(ctx, params.facility), new Date());
}

export async function serializeFeed(db: Queryable, place: FacilityConfig, now: Date): Promise<CensusFeed> {
  const { facility_no: facilityNo, feed_live_from: liveFrom } = place;
  const [state] = await states.read(
    db,
    sql`
    select (select max(received_at) from adt_events where facility_no = ${facilityNo} and ${isMessage}) as heard_at,
      (select count(*)::int from adt_rejects where facility_no = ${facilityNo}) as refused`,
  );
  return {
    live_from: liveFrom,
    next_date: nextDateOf(place, now),
    heard_at: state?.heard_at?.toISOString() ?? null,
    units: await findFeedUnits(db, { facilityNo, date: censusDateOf(now, place), now }),
    refused: state?.refused ?? 0,
  };
}

const states = typedRows<{ heard_at: Date | null; refused: number }>({ heard_at: 'date?', refused: 'number' });

/** The first date that has not begun: of a date that has, what happened before the start may not have been told. */
export function nextDateOf(place: FacilityConfig, now: Date): string {
  return addDays(censusDateOf(now, place), 1);
}

const feedUnits = typedRows<FeedUnit>({
  unit_id: 'string',
  unit_code: 'string',
  population: 'string',
  census_date: 'string?',
  closing: 'number?',
  told: 'number',
});

/** Each unit with what its newest report closed with, and whom the patient system has there at that census hour, or now. */
export function findFeedUnits(
  db: Queryable,
  { facilityNo, date, now }: { facilityNo: number; date: string; now: Date },
): Promise<FeedUnit[]> {
  return feedUnits.read(
    db,
    sql`
    select u.unit_id, n.code as unit_code, k.population, r.census_date, r.closing, (
      select count(*)::int from adt_stays s
      where s.unit_no = u.unit_no and s.population = k.population and s.during @> coalesce(r.census_at, ${now}::timestamptz)) as told
    from census_units u join units n on n.id = u.unit_id
    join unit_populations k on k.unit_no = u.unit_no and k.during @> ${date}::date
    left join lateral (
      select c.census_date, c.closing, d.census_at from unit_census c
      join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
      where c.unit_no = u.unit_no and c.population = k.population and c.status in ('submitted', 'approved', 'locked', 'amending')
      order by c.census_date desc limit 1) r on true
    where u.facility_no = ${facilityNo} and u.active @> ${date}::date
    order by n.position, n.code, k.population`,
  );
}
