import { isHandedIn } from '@wardline/census/states.ts';
import type * as contract from '@wardline/contract/census/board.ts';
import type { BoardUnit, CensusAlert } from '@wardline/contract/census/board.ts';
import type { Beds, Estimate, Population, UnitDayCondition, UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { withOwnDiscussions } from '#/features/census/core/discussion-queries.ts';
import { estimateJson, joinEstimate } from '#/features/census/core/estimate-queries.ts';
import { seeBoard } from '#/features/census/core/policy.ts';
import { urgencyOf } from '#/features/census/reports/unit-day/conditions.ts';
import type { Database } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { bandsOf } from './current-config-queries.ts';
import { type NewestCount, newestCount } from './newest-count.ts';
import { requireCensus } from './require-census.ts';

/** Who has been in unit `u` for so many hours, by the patient system; null where it has told of nothing. */
const boardersOver = ({
  facilityNo,
  now,
  boardingHours,
}: Pick<BoardQuestion, 'facilityNo' | 'now' | 'boardingHours'>) => sql`
  case when exists (select from adt_movements where facility_no = ${facilityNo})
    and exists (select from census_facilities where facility_no = ${facilityNo} and feed_live_from is not null) then (
    select count(*)::int from adt_stays s
    where s.unit_no = u.unit_no and s.population = k.population and s.during @> ${now}::timestamptz and not s.is_leave and (
      select max(m.at) from adt_movements m
      where m.facility_no = s.facility_no and m.visit_key = s.visit_key and m.unit_no = s.unit_no
        and m.kind in ('admission', 'birth', 'transfer_in') and m.at <= ${now}
    ) <= ${now}::timestamptz - make_interval(hours => ${boardingHours})) end`;

const MOST_ALERTS = 100;

const ALERT_DAYS_MS = 14 * 86_400_000;

interface Input {
  readonly params: ParamsOf<typeof contract.getCensusBoard>;
}

/** Every unit as it is now: the newest census date that has been counted, and what was counted since. */
export async function getCensusBoard(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  { params }: Input,
  now = new Date(),
): Promise<ReplyOf<typeof contract.getCensusBoard>> {
  const facility = await requireCensus(ctx, params.facility, seeBoard);
  const newest = newestCount(facility, now);
  const { facility_no: facilityNo, boarding_hours: boardingHours } = facility;
  const [rows, alerts] = await Promise.all([
    findBoardRows(ctx.db, { facilityNo, date: newest.date, censusAt: newest.censusAt, now, boardingHours }),
    findStandingAlerts(ctx.db, { facilityNo, since: new Date(now.getTime() - ALERT_DAYS_MS) }),
  ]);
  return {
    facility_id: params.facility,
    census_date: newest.date,
    time_zone: newest.timeZone,
    census_at: newest.censusAt.toISOString(),
    due_at: newest.dueAt.toISOString(),
    bands: bandsOf(facility),
    boarding_hours: boardingHours,
    units: (await withOwnDiscussions(ctx, rows)).map((row) => toBoardUnit(row, newest, now)),
    alerts: alerts.map(({ raised_at, acknowledged_at, ...alert }) => ({
      ...alert,
      raised_at: raised_at.toISOString(),
      acknowledged_at: acknowledged_at?.toISOString() ?? null,
    })),
  };
}

function toBoardUnit(row: BoardRow, newest: NewestCount, now: Date): BoardUnit {
  const { snapshot, present, beds, last_known, is_restated, is_provisional, is_unreconciled, ...unit } = row;
  const isIn = isHandedIn(row.status);
  return {
    ...unit,
    conditions: conditionsOf(row, newest, now),
    ...countOf(row, newest),
    beds: snapshot ? { ...beds, blocked: snapshot.blocked, staffed: snapshot.staffed } : beds,
    transfers_in: isIn ? row.transfers_in : null,
    transfers_out: isIn ? row.transfers_out : null,
    is_on_time: isIn ? row.is_on_time : null,
    variance: isIn ? row.variance : null,
    variance_reason: isIn ? row.variance_reason : null,
    variance_for: isIn ? row.variance_for : null,
    last_known: isIn ? null : last_known,
  };
}

/** What was counted last: a snapshot since the census hour is newer than the report of that hour. */
function countOf({ snapshot, status, present }: BoardRow, { censusAt }: NewestCount) {
  if (snapshot) {
    const counted_at = new Date(snapshot.taken_at).toISOString();
    return { occupied: snapshot.occupied, basis: 'snapshot' as const, counted_at };
  }
  if (!isHandedIn(status) || present === null) return { occupied: null, basis: null, counted_at: null };
  return { occupied: present, basis: 'report' as const, counted_at: censusAt.toISOString() };
}

function conditionsOf(row: BoardRow, { censusAt, dueAt }: NewestCount, now: Date): UnitDayCondition[] {
  const report = row.status === null ? null : { status: row.status, is_on_time: row.is_on_time };
  const urgency = urgencyOf(report, { census_at: censusAt, due_at: dueAt }, now);
  return [
    ...(urgency === null ? [] : [urgency]),
    ...(row.is_restated ? (['restated'] as const) : []),
    ...(row.is_unreconciled ? (['unreconciled'] as const) : []),
    ...(row.is_provisional ? (['provisional'] as const) : []),
  ];
}

interface BoardRow {
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  readonly population: Population;
  readonly counts_in_occupancy: boolean;
  /** Null while nothing is stored. */
  readonly status: UnitDayStatus | null;
  readonly is_restated: boolean;
  readonly is_provisional: boolean;
  readonly is_unreconciled: boolean;
  readonly is_on_time: boolean | null;
  readonly present: number | null;
  readonly variance: number | null;
  readonly variance_reason: string | null;
  readonly variance_for: number | null;
  readonly transfers_in: number | null;
  readonly transfers_out: number | null;
  /** Of the report, or of the complement that holds on the date while there is none. */
  readonly beds: Beds;
  readonly snapshot: {
    readonly taken_at: string;
    readonly occupied: number;
    readonly blocked: number;
    readonly staffed: number;
  } | null;
  /** The newest count that was handed in before the date. */
  readonly last_known: { readonly census_date: string; readonly present: number } | null;
  readonly people: { id: string; name: string }[];
  readonly discussion_chat_id: string | null;
  readonly estimate: Estimate | null;
  readonly boarding_over: number | null;
}

interface BoardQuestion {
  readonly facilityNo: number;
  readonly date: string;
  readonly censusAt: Date;
  readonly now: Date;
  readonly boardingHours: number;
}

/** All units of a facility on a census date, with the newest snapshot since it was counted; one statement. */
export async function findBoardRows(
  db: Database,
  { facilityNo, date, censusAt, now, boardingHours }: BoardQuestion,
): Promise<BoardRow[]> {
  const found = await sql<BoardRow>`
    select u.unit_id, n.code as unit_code, n.name as unit_name, k.population, u.counts_in_occupancy, c.status, c.is_on_time,
      c.closing - c.on_leave as present, c.counted - (c.closing - c.on_leave) as variance, c.variance_reason, c.variance_for,
      c.transfers_in, c.transfers_out,
      c.restatement_no is not null as is_restated, coalesce(c.opening_from < c.census_date - 1, false) as is_provisional,
      exists (select from census_transfers x
        where x.facility_no = u.facility_no and x.census_date = ${date}::date and x.population = k.population
          and u.unit_no in (x.from_unit, x.to_unit) and x.gap > 0) as is_unreconciled,
      json_build_object('licensed', coalesce(c.beds_licensed, b.licensed, 0),
        'physical', coalesce(c.beds_physical, b.physical, 0), 'staffed', coalesce(c.beds_staffed, b.staffed, 0),
        'surge', coalesce(c.beds_surge, b.surge, 0), 'blocked', coalesce(c.beds_blocked, 0)) as beds,
      (select json_build_object('taken_at', s.taken_at, 'occupied', s.occupied, 'blocked', s.blocked, 'staffed', s.staffed)
        from census_snapshots s
        where s.unit_no = u.unit_no and s.population = k.population and s.taken_at > ${censusAt} and s.taken_at <= ${now}
        order by s.taken_at desc, s.created_at desc limit 1) as snapshot,
      (select json_build_object('census_date', p.census_date, 'present', p.closing - p.on_leave) from unit_census p
        where p.unit_no = u.unit_no and p.population = k.population and p.census_date < ${date}::date
          and p.status in ('submitted', 'approved', 'locked', 'amending') and p.closing is not null
        order by p.census_date desc limit 1) as last_known,
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name collate "und-x-icu", p.id), '[]')
        from census_assignments a
        join memberships m on m.user_id = a.user_id and m.facility_id = u.facility_id and m.ended_at is null
        join users p on p.id = a.user_id and p.disabled_at is null
        where a.unit_no = u.unit_no) as people,
      t.chat_id as discussion_chat_id, ${estimateJson} as estimate,
      case when not u.counts_in_occupancy then ${boardersOver({ facilityNo, now, boardingHours })} end as boarding_over
    from census_units u
    join units n on n.id = u.unit_id
    join unit_populations k on k.unit_no = u.unit_no and k.during @> ${date}::date
    left join unit_census c on c.unit_no = u.unit_no and c.census_date = ${date}::date and c.population = k.population
    left join bed_complements b on b.unit_no = u.unit_no and b.population = k.population and b.valid @> ${date}::date
    left join census_discussions t on t.unit_no = u.unit_no and t.census_date = ${date}::date and t.population = k.population
    ${joinEstimate(date)}
    where u.facility_no = ${facilityNo} and u.counts_in_census
    order by n.position, n.name collate "und-x-icu", u.unit_no, k.population`.execute(db);
  return found.rows;
}

/** Alerts that still hold, raised since an instant: those that nobody has taken on first, then the newest. */
export async function findStandingAlerts(
  db: Database,
  { facilityNo, since }: { facilityNo: number; since: Date },
): Promise<(Omit<CensusAlert, 'raised_at' | 'acknowledged_at'> & { raised_at: Date; acknowledged_at: Date | null })[]> {
  const found = await sql<
    Omit<CensusAlert, 'raised_at' | 'acknowledged_at'> & { raised_at: Date; acknowledged_at: Date | null }
  >`
    select a.id, a.rule, u.unit_id, n.code as unit_code, a.population, a.census_date, a.message, a.raised_at, a.acknowledged_at,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as acknowledged_by
    from census_alerts a
    left join census_units u on u.unit_no = a.unit_no
    left join units n on n.id = u.unit_id
    left join users p on p.id = a.acknowledged_by
    where a.facility_no = ${facilityNo} and a.raised_at >= ${since} and a.cleared_at is null
    order by a.acknowledged_at is not null, a.raised_at desc, a.id
    limit ${MOST_ALERTS}`.execute(db);
  return found.rows;
}
