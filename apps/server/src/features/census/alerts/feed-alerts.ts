import { dateIn } from '@wardline/census/calendar.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { formatTime } from '@wardline/format/times.ts';
import { sql } from 'kysely';
import { isMessage } from '#/features/census/core/feed-messages.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Scope } from './active-alert-queries.ts';
import type { ActiveAlert } from './alert-rules.ts';

type Queryable = Database | DatabaseTransaction;

/** Silence is usual up to here, also in a small hospital by night. */
const QUIET_HOURS = 4;
/** In so many days before, the longest silence of the hospital itself is usual too. */
const USUAL_DAYS = 14;
/** A silence as long as that was an outage, and nothing is usual about it. */
const OUTAGE_HOURS = 24;
/** A message that was refused is spoken of for so long. */
const REFUSED_HOURS = 24;

interface FeedContext extends FacilityFormat {
  readonly facility_no: number;
  readonly date: string;
  readonly time_zone: string;
  readonly heard_at: Date | null;
  readonly is_silent: boolean;
  readonly is_refused: boolean;
}

/** What is wrong with a patient system that counts: nothing comes any more, or what comes is refused. */
export async function findFeedAlerts(db: Queryable, scope: Scope): Promise<ActiveAlert[]> {
  const rows = await findFeeds(db, scope);
  return rows.flatMap((row) => [...silence(row), ...refusals(row)]);
}

function silence({ is_silent, heard_at, ...row }: FeedContext): ActiveAlert[] {
  if (!is_silent) return [];
  const since = heard_at === null ? 'since it was started' : `since ${formatSince(heard_at, row)}`;
  const message = `The patient system has sent nothing ${since}: who has come and gone since then is in no report by it. Ask its team`;
  return [alertOf(row, 'feed_silent', message)];
}

function formatSince(at: Date, { time_zone, ...format }: Omit<FeedContext, 'heard_at' | 'is_silent'>): string {
  return `${formatDay(dateIn(time_zone, at), format)}, ${formatTime(time_zone, at.getTime(), format.hour_cycle)}`;
}

function refusals({ is_refused, ...row }: FeedContext): ActiveAlert[] {
  if (!is_refused) return [];
  const message =
    'Messages of the patient system are refused: what they say is in no report. Why, and what to do, stands in the census settings under Patient system';
  return [alertOf(row, 'feed_refused', message)];
}

function alertOf(
  { facility_no, date }: Pick<FeedContext, 'facility_no' | 'date'>,
  rule: ActiveAlert['rule'],
  message: string,
): ActiveAlert {
  return { facility_no, unit_no: null, population: null, rule, date, message, raises: true };
}

/** Only of a feed that has been silent past the usual hours is its history read: this is asked every minute. */
async function findFeeds(db: Queryable, { now, facilityNo }: Scope): Promise<FeedContext[]> {
  const at = sql`${now}::timestamptz`;
  const isOfFeed = sql`(kind is null or kind not like 'ORU%')`;
  const found = await sql<FeedContext>`
    select c.facility_no, d.date, f.time_zone, f.hour_cycle, f.date_order, h.heard_at,
      coalesce(h.is_quiet and ${at} - coalesce(h.heard_at, d.live_at) > greatest(g.longest, make_interval(hours => ${QUIET_HOURS})), false)
        as is_silent,
      exists (select from adt_rejects r where r.facility_no = c.facility_no and r.answer = 'AE' and ${isOfFeed}
        and r.tried_at > ${at} - make_interval(hours => ${REFUSED_HOURS})) as is_refused
    from census_facilities c join facilities f on f.id = c.facility_id and f.deactivated_at is null
    join lateral (select max(census_date) as date, min(census_at) filter (where census_date = c.feed_live_from - 1) as live_at
      from facility_days where facility_no = c.facility_no) d on d.date >= c.feed_live_from - 1
    cross join lateral (select not exists (select from adt_events e
      where e.facility_no = c.facility_no and e.received_at > ${at} - make_interval(hours => ${QUIET_HOURS}) and ${isMessage}) as is_quiet) q
    left join lateral (
      select q.is_quiet, greatest(
        (select max(received_at) from adt_events e where e.facility_no = c.facility_no and ${isMessage}),
        (select max(tried_at) from adt_rejects where facility_no = c.facility_no and ${isOfFeed})) as heard_at) h on q.is_quiet
    left join lateral (
      select max(gap) as longest from (
        select received_at - lag(received_at) over (order by received_at) as gap from adt_events e
        where e.facility_no = c.facility_no and e.received_at > ${at} - make_interval(days => ${USUAL_DAYS}) and ${isMessage}) gaps
      where gap < make_interval(hours => ${OUTAGE_HOURS})) g on q.is_quiet
    where c.feed_live_from is not null and (${facilityNo}::integer is null or c.facility_no = ${facilityNo})
    order by c.facility_no`.execute(db);
  return found.rows.filter(({ is_silent, is_refused }) => is_silent || is_refused);
}
