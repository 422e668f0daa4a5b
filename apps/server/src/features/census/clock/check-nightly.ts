import { addDays, censusInstant } from '@wardline/census/calendar.ts';
import { forecast } from '@wardline/census/forecast/forecast.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { formatRounded } from '@wardline/format/numbers.ts';
import { sql } from 'kysely';
import { findOpenAlerts, findSpoken } from '#/features/census/alerts/active-alert-queries.ts';
import { type ActiveAlert, alertChanges } from '#/features/census/alerts/alert-rules.ts';
import { applyAlerts } from '#/features/census/alerts/raise-alerts.ts';
import { appendLog, lockHead, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { type ClockDeps, eachByItself } from '#/features/census/core/clock-job.ts';
import { findFacilityPlace } from '#/features/census/core/config-queries.ts';
import { formatDay, formatReport } from '#/features/census/core/labels.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import {
  checkSums,
  type Difference,
  type Differences,
  type FacilityToCheck as FacilityWithSums,
} from './check-sums.ts';

type FacilityToCheck = FacilityWithSums & Pick<FacilityFormat, 'date_order'>;

const AT_ONCE = 20;

const handedIn = sql`('submitted', 'approved', 'locked', 'amending')`;

/** So long after its last day is locked by itself a visit is still known, for what comes late. */
const DAYS_AFTER_LOCK = 30;

/**
 * Forgets the visits that have been over for so long that none of their days takes a correction any more, keyed hashes and
 * all. Answers how many. Of the dates that they were part of the patient system says nothing from then on.
 */
async function forgetVisits(
  tx: Transaction,
  { facilityId, newest }: { facilityId: string; newest: string },
): Promise<number> {
  const place = await findFacilityPlace(tx, { facilityId, date: newest });
  if (!place) return 0;
  const last = addDays(newest, -(place.lock_after_days + DAYS_AFTER_LOCK));
  return purgeVisits(tx, { facilityNo: place.facility_no, before: censusInstant(last, place) });
}

const HISTORY_DAYS = 400;
const FORECAST_RULE = new Set(['forecast_breach'] as const);

/** Once for every census date, when its reports should be in: are the sums right, and will tomorrow be too full. */
export async function checkNightly(parts: ClockDeps): Promise<void> {
  await eachByItself(parts, await findFacilitiesToCheck(parts.db, parts.now), (facility) =>
    checkFacility(parts, facility),
  );
}

async function checkFacility(parts: ClockDeps, facility: FacilityToCheck): Promise<void> {
  const { db, write, log, author, now } = parts;
  const { facility_no: facilityNo, facility_id: facilityId, newest } = facility;
  const differences = await checkSums(parts, facility);
  const breaches = await findBreaches(db, facility);
  await write('census.clock.check', async (tx) => {
    await lockHead(tx, facilityNo);
    if (!(await takeCheck(tx, { facilityNo, newest, now }))) return { result: undefined, audit: null };
    const entries = Object.keys(differences).length === 0 ? [] : [entryOf(differences)];
    await appendLog(tx, { facilityNo, author, entries });
    const scope = { now, facilityNo };
    const known = { open: await findOpenAlerts(tx, scope), spoken: await findSpoken(tx, scope) };
    const changes = alertChanges(breaches, known, FORECAST_RULE);
    const forgotten = await forgetVisits(tx, { facilityId, newest });
    const { publish } = await applyAlerts(tx, parts, { facilityNo, changes });
    const detail = { differences: countOf(differences), raised: changes.raised.length, forgotten };
    return { result: undefined, audit: { facilityId, detail }, publish };
  });
  if (Object.keys(differences).length > 0) {
    log.error({ facility: facilityId, differences }, 'what is stored of the census does not agree with itself');
  }
}

function entryOf(differences: Differences): NewLogEntry {
  const places = Object.entries(differences).map(([check, wrong]) => [check, wrong.map(formatPlace)] as const);
  return { action: 'data.check', after: { differences: countOf(differences), ...Object.fromEntries(places) } };
}

function formatPlace({ unit_code, date, population }: Difference): string {
  return [unit_code, date, population].filter((part) => part !== null).join(' ');
}

function countOf(differences: Differences): number {
  return Object.values(differences).reduce((sum, wrong) => sum + wrong.length, 0);
}

/** Units that the next census is expected to find fuller than they may be. */
async function findBreaches(db: ClockDeps['db'], facility: FacilityToCheck): Promise<ActiveAlert[]> {
  const { facility_no: facilityNo, newest } = facility;
  const range = { facilityNo, from: addDays(newest, 1 - HISTORY_DAYS), to: newest };
  return (await findHistories(db, range)).flatMap((history) => breachOf(history, facility));
}

function breachOf(history: History, facility: FacilityToCheck): ActiveAlert[] {
  const { facility_no, newest, full_percent } = facility;
  const expected = forecast(history.present, 1);
  const value = typeof expected === 'string' ? undefined : expected.points[0]?.value;
  if (value === undefined || value * 100 <= full_percent * history.staffed) return [];
  const date = addDays(newest, 1);
  const message =
    `${formatReport(history)} is expected to have ${formatRounded(value, 1)} patients on ${formatDay(date, facility)}, ` +
    `${history.staffed} staffed beds`;
  const { unit_no, population } = history;
  return [{ facility_no, unit_no, population, rule: 'forecast_breach', date, message, raises: true }];
}

/** Facilities whose newest day is over for two hours and that were not looked through since. */
async function findFacilitiesToCheck(db: Database, now: Date): Promise<FacilityToCheck[]> {
  const found = await sql<FacilityToCheck>`
    select c.facility_no, c.facility_id, d.census_date as newest, c.full_percent, f.date_order
    from census_facilities c join facilities f on f.id = c.facility_id and f.deactivated_at is null
    join lateral (select census_date, due_at from facility_days d
      where d.facility_no = c.facility_no and d.census_at <= ${now}::timestamptz
      order by census_date desc limit 1) d on true
    where d.due_at + interval '2 hours' <= ${now}::timestamptz
      and (c.checked_at is null or c.checked_at < d.due_at + interval '2 hours')
    order by c.checked_at nulls first, c.facility_no limit ${AT_ONCE}`.execute(db);
  return found.rows;
}

/** Takes the check of this day for one process; false when another one has done it. */
async function takeCheck(
  tx: DatabaseTransaction,
  { facilityNo, newest, now }: { facilityNo: number; newest: string; now: Date },
): Promise<boolean> {
  const taken = await sql`
    update census_facilities c set checked_at = ${now}
    from facility_days d
    where c.facility_no = ${facilityNo} and d.facility_no = c.facility_no and d.census_date = ${newest}
      and (c.checked_at is null or c.checked_at < d.due_at + interval '2 hours')
    returning 1`.execute(tx);
  return taken.rows.length > 0;
}

interface History {
  readonly unit_no: number;
  readonly unit_code: string;
  readonly population: Population;
  /** Staffed beds on the day that is forecast. */
  readonly staffed: number;
  /** Patients present, a value a day; null where nothing was handed in. The newest last. */
  readonly present: (number | null)[];
}

/** What every unit with staffed beds had, day by day over a range, and its beds on the day after it. */
async function findHistories(
  db: Database,
  { facilityNo, from, to }: { facilityNo: number; from: string; to: string },
): Promise<History[]> {
  const found = await sql<History>`
    select u.unit_no, n.code as unit_code, k.population, b.staffed, h.present
    from census_units u join units n on n.id = u.unit_id
    join unit_populations k on k.unit_no = u.unit_no and k.during @> (${to}::date + 1)
    join bed_complements b on b.unit_no = u.unit_no and b.population = k.population and b.valid @> (${to}::date + 1)
      and b.staffed > 0
    cross join lateral (
      select array_agg((c.closing - c.on_leave)::integer order by day) as present
      from generate_series(${from}::date, ${to}::date, interval '1 day') as day
      left join unit_census c on c.unit_no = u.unit_no and c.census_date = day::date and c.population = k.population
        and c.status in ${handedIn}
    ) h
    where u.facility_no = ${facilityNo} and u.counts_in_census and u.counts_in_occupancy
    order by n.position, n.code, k.population`.execute(db);
  return found.rows;
}

/**
 * Removes the visits that were over before an instant with all that is kept of them, and merges that lead nowhere, and notes
 * up to which date the patient system's words are not whole any more. Who is still in is kept, however long ago they came.
 */
async function purgeVisits(
  tx: DatabaseTransaction,
  { facilityNo, before }: { facilityNo: number; before: Date },
): Promise<number> {
  const found = await sql<{ visits: number }>`
    with gone as materialized (
      select e.visit_key from adt_events e where e.facility_no = ${facilityNo}
      group by e.visit_key
      having max(e.at) < ${before}::timestamptz and not exists (
        select from adt_stays s
        where s.facility_no = ${facilityNo} and s.visit_key = e.visit_key and upper_inf(s.during))
    ), events as (
      delete from adt_events e using gone g where e.facility_no = ${facilityNo} and e.visit_key = g.visit_key
    ), stays as (
      delete from adt_stays s using gone g where s.facility_no = ${facilityNo} and s.visit_key = g.visit_key
    ), movements as (
      delete from adt_movements m using gone g where m.facility_no = ${facilityNo} and m.visit_key = g.visit_key
      returning m.census_date
    ), questions as (
      delete from adt_unknown_stays q using gone g where q.facility_no = ${facilityNo} and q.visit_key = g.visit_key
    ), merges as (
      delete from adt_merges m
      where m.facility_no = ${facilityNo} and (m.into_key in (select visit_key from gone)
        or m.received_at < ${before}::timestamptz
          and not exists (select from adt_events e where e.facility_no = ${facilityNo} and e.visit_key = m.into_key)
          and not exists (select from adt_merges n where n.facility_no = ${facilityNo} and n.from_key = m.into_key))
    ), noted as (
      update census_facilities
      set feed_forgotten_to = greatest(feed_forgotten_to, (select max(census_date) from movements))
      where facility_no = ${facilityNo} and exists (select from movements)
    )
    select count(*)::int as visits from gone`.execute(tx);
  return found.rows[0]?.visits ?? 0;
}
