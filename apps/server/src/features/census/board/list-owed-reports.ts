import { addDays, censusInstant, dateIn, existsIn } from '@wardline/census/calendar.ts';
import type { Population, UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { listOwedReports as endpoint, OwedReport } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { belongTo } from '#/features/census/core/policy.ts';
import { urgencyOf } from '#/features/census/reports/unit-day/conditions.ts';
import type { Database } from '#/platform/db/database.ts';
import { hasPermission } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';

const OwedPlace = z.tuple([z.int(), z.string(), z.string(), z.string(), z.string()]);
/** Where a report stands in the list: its rank, its date, and what keeps reports of one date apart. */
type OwedPlace = z.infer<typeof OwedPlace>;

type Placed = Pick<
  OwedReport,
  'status' | 'conditions' | 'census_date' | 'unit_code' | 'unit_id' | 'population' | 'census_at'
>;

function placeOf(report: Placed): OwedPlace {
  return [rankOf(report), report.census_date, report.unit_code, report.unit_id, report.population];
}

/** What somebody gave back comes first, then what is open for a correction, what is overdue, and what is due. */
function rankOf({ status, conditions }: Placed): number {
  if (status === 'returned') return 0;
  if (status === 'amending') return 1;
  return conditions.includes('late') || conditions.includes('missing') ? 2 : 3;
}

/** Less than 0 where `a` is the more urgent; of the same rank the newer date is. */
function compareOwed(a: OwedPlace, b: OwedPlace): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] !== b[1]) return a[1] < b[1] ? 1 : -1;
  for (const part of [2, 3, 4] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  return 0;
}

function encodeOwedCursor(place: OwedPlace): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function decodeOwedCursor(cursor: string): OwedPlace {
  const found = OwedPlace.safeParse(parsed(Buffer.from(cursor, 'base64url').toString()));
  if (!found.success) throw wrongCursor();
  return found.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Endpoint = typeof endpoint;

const PAGE = 50;
/** So many dates are looked back for what is not in. */
const DAYS_BACK = 60;
const MINUTE_MS = 60_000;
/** So long before its hour the running date is shown, so that people see it come. */
const AHEAD_MS = 60 * MINUTE_MS;

/** What the person's units have not handed in, the most urgent first. */
export async function listOwedReports(
  { actor, db }: RequestContext,
  { query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facility } = query;
  if (facility !== undefined) authorizeToKnow(actor, belongTo, { facilityId: facility });
  const facilityIds = actor.memberships
    .map(({ facilityId }) => facilityId)
    .filter((id) => facility === undefined || id === facility)
    .filter((id) => hasPermission(actor, id, 'census.report_units'));
  if (facility !== undefined && facilityIds.length === 0) throw new AppError('forbidden');
  const after = query.cursor === undefined ? null : decodeOwedCursor(query.cursor);
  const now = new Date();
  const clocks = await findOwnClocks(db, { userId: actor.userId, facilityIds });
  const dates = [...new Set(clocks.map(({ facility_id }) => facility_id))].flatMap((id) => datesOf(clocks, id, now));
  const rows = await findOwed(db, { userId: actor.userId, dates });
  const owed = rows
    .map((row) => toOwed(row, clocks, now))
    .sort((a, b) => compareOwed(placeOf(a), placeOf(b)))
    .filter((report) => after === null || compareOwed(placeOf(report), after) > 0);
  const limit = query.limit ?? PAGE;
  const data = owed.slice(0, limit);
  const last = owed.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last ? encodeOwedCursor(placeOf(last)) : null };
}

function clockOf(clocks: readonly DatedClock[], facilityId: string, date: string): DatedClock {
  const own = clocks.filter(({ facility_id }) => facility_id === facilityId);
  const clock = own.find(({ from_date }) => from_date <= date) ?? own[0];
  if (!clock) throw new Error('a facility without a clock');
  return clock;
}

/** The dates that were counted, the newest first, and the running one when its hour is near. */
function datesOf(clocks: readonly DatedClock[], facilityId: string, now: Date) {
  const dates: { facilityId: string; date: string; isNewest: boolean }[] = [];
  const today = dateIn(clockOf(clocks, facilityId, '9999-12-31').time_zone, now);
  let counted = 0;
  for (let date = addDays(today, 1); counted < DAYS_BACK; date = addDays(date, -1)) {
    const clock = clockOf(clocks, facilityId, date);
    if (!existsIn(date, clock.time_zone)) continue;
    const at = censusInstant(date, clock).getTime();
    const isCounted = at <= now.getTime();
    if (isCounted || at - now.getTime() <= AHEAD_MS) dates.push({ facilityId, date, isNewest: counted === 0 });
    if (isCounted) counted++;
  }
  return dates;
}

function toOwed(row: OwedRow, clocks: readonly DatedClock[], now: Date): OwedReport {
  const { status, is_on_time, version, ...report } = row;
  const clock = clockOf(clocks, row.facility_id, row.census_date);
  const censusAt = row.census_at ?? censusInstant(row.census_date, clock);
  const dueAt = row.due_at ?? new Date(censusAt.getTime() + clock.grace_minutes * MINUTE_MS);
  const stored = status ? { status, is_on_time } : null;
  const urgency = urgencyOf(stored, { census_at: censusAt, due_at: dueAt }, now);
  return {
    ...report,
    status: status ?? 'draft',
    conditions: [urgency ?? 'due'],
    version: version ?? 0,
    time_zone: row.time_zone ?? clock.time_zone,
    census_at: censusAt.toISOString(),
    due_at: dueAt.toISOString(),
  };
}

/** A facility's clock from a date on. */
interface DatedClock {
  readonly facility_id: string;
  readonly from_date: string;
  readonly time_zone: string;
  /** HH:MM */
  readonly census_time: string;
  readonly grace_minutes: number;
}

/** The clocks of facilities in which this person reports for a unit, the newest of each first. */
async function findOwnClocks(
  db: Database,
  { userId, facilityIds }: { userId: string; facilityIds: readonly string[] },
): Promise<DatedClock[]> {
  const found = await sql<DatedClock>`
    select c.facility_id, h.from_date, h.time_zone, to_char(h.census_time, 'HH24:MI') as census_time, h.grace_minutes
    from census_facilities c join census_hours h on h.facility_no = c.facility_no
    where c.facility_id = any(${[...facilityIds]}::uuid[]) and exists (
      select from census_assignments a join census_units u on u.unit_no = a.unit_no
      where a.user_id = ${userId} and u.facility_no = c.facility_no)
    order by c.facility_id, h.from_date desc`.execute(db);
  return found.rows;
}

/** A report that is not in. */
interface OwedRow {
  readonly facility_id: string;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  readonly census_date: string;
  readonly population: Population;
  /** Null while nothing is stored. */
  readonly status: UnitDayStatus | null;
  readonly is_on_time: boolean | null;
  readonly version: number | null;
  readonly last_reason: string | null;
  /** Of the facility's day where it is made. */
  readonly time_zone: string | null;
  readonly census_at: Date | null;
  readonly due_at: Date | null;
}

interface Wanted {
  readonly userId: string;
  /** The dates that may be owed, one facility and date after the other. */
  readonly dates: readonly { readonly facilityId: string; readonly date: string; readonly isNewest: boolean }[];
}

/**
 * What this person's units have not handed in: from a unit's first report on; before it has one, the newest date only. What was
 * given back, or opened for a correction, is owed however long ago its date was.
 */
async function findOwed(db: Database, { userId, dates }: Wanted): Promise<OwedRow[]> {
  const found = await sql<OwedRow>`
    with asked as (
      select * from unnest(
        ${dates.map(({ facilityId }) => facilityId)}::uuid[], ${dates.map(({ date }) => date)}::date[],
        ${dates.map(({ isNewest }) => isNewest)}::boolean[]) as asked (facility_id, census_date, is_newest)
    ), mine as (
      select u.unit_no, u.unit_id, u.facility_id, u.facility_no, k.during, k.population, n.code, n.name,
        (select min(c.census_date) from unit_census c where c.unit_no = u.unit_no and c.population = k.population) as first_date
      from census_assignments a join census_units u on u.unit_no = a.unit_no and u.counts_in_census
      join units n on n.id = u.unit_id join unit_populations k on k.unit_no = u.unit_no
      where a.user_id = ${userId} and u.facility_id in (select facility_id from asked)
    ), owed as (
      select m.unit_no, m.population, asked.census_date
      from mine m
      join asked on asked.facility_id = m.facility_id and m.during @> asked.census_date
      left join unit_census c on c.unit_no = m.unit_no and c.census_date = asked.census_date and c.population = m.population
      where (c.status is null or c.status in ('draft', 'returned', 'amending'))
        and (asked.is_newest or asked.census_date >= m.first_date)
      union
      select m.unit_no, m.population, c.census_date
      from mine m
      join unit_census c on c.facility_no = m.facility_no and c.unit_no = m.unit_no and c.population = m.population
      where c.status in ('returned', 'amending')
    )
    select m.facility_id, m.unit_id, m.code as unit_code, m.name as unit_name, o.census_date, m.population,
      c.status, c.is_on_time, c.version, c.last_reason, d.time_zone, d.census_at, d.due_at
    from owed o
    join mine m on m.unit_no = o.unit_no and m.population = o.population
    left join unit_census c on c.unit_no = m.unit_no and c.census_date = o.census_date and c.population = m.population
    left join facility_days d on d.facility_no = m.facility_no and d.census_date = o.census_date`.execute(db);
  return found.rows;
}
