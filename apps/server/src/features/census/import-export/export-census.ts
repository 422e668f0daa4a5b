import {
  addDays,
  datesFrom,
  daysBetween,
  firstInstant,
  isCalendarDate,
  zonedInstant,
} from '@wardline/census/calendar.ts';
import type * as contract from '@wardline/contract/census-exchange.ts';
import { sql } from 'kysely';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { listEstimates } from '#/features/census/core/estimate-queries.ts';
import { exportData, reportUnit } from '#/features/census/core/policy.ts';
import { requireFacilityOn } from '#/features/census/core/require-facility.ts';
import { refuse } from '#/features/census/log/note-once.ts';
import type { Database } from '#/platform/db/database.ts';
import { csvLine } from '#/platform/files/csv.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import type { OwedRow, UnitDayRow } from './exchange-queries.ts';
import { bundleOf, type ReportedDay, safrReport, sanerCounts, sanerReport } from './measure-report.ts';
import { NHSN_COLUMNS, nhsnLine } from './nhsn.ts';
import { estimateLine, templateLine, unitDayCsv, unitDayLine, unitDayWorkbook } from './unit-day-file.ts';

type Endpoint = typeof contract.exportCensus;
type Context = Pick<RequestContext, 'actor' | 'db' | 'write' | 'http'>;

const LONGEST_DAYS = 400;
const CSV = 'text/csv; charset=utf-8';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const FHIR = 'application/fhir+json; charset=utf-8';

/** A file of the census. Whoever reports for units may have the template of what they owe; everything else is an export. */
export async function exportCensus(ctx: Context, { params, query }: InputOf<Endpoint>): Promise<Download> {
  const { facility: facilityId, from, to } = query;
  const place = await requireFacilityOn(ctx, { facilityId, date: to });
  const isFull = can(ctx.actor, exportData, { facilityId, splitPermissions: place.split_permissions });
  const mayTake =
    isFull || (params.kind === 'template' && can(ctx.actor, reportUnit, { facilityId, isAssigned: true }));
  if (!mayTake) return refuse(ctx, place, 'data.export');
  if (!isCalendarDate(from)) throw invalidField('from', 'This day is out of range.');
  if (from > to) throw invalidField('to', 'The range ends before it begins.');
  if (daysBetween(from, to) >= LONGEST_DAYS) throw invalidField('to', `At most ${LONGEST_DAYS} days in one file.`);
  const rows =
    params.kind === 'template' ? [] : await findUnitDays(ctx.db, { facilityNo: place.facility_no, from, to });
  const file = await makeFile(ctx, { place, rows, isFull, kind: params.kind, ...query });
  await logExport(ctx, place, { kind: params.kind, from, to, format: query.format ?? null, unit_days: rows.length });
  const ending = file.contentType === CSV ? 'csv' : file.contentType === XLSX ? 'xlsx' : 'json';
  return { ...file, fileName: `census-${place.facility_code}-${params.kind}-${from}-${to}.${ending}` };
}

interface Wanted {
  readonly place: FacilityConfig;
  readonly rows: readonly UnitDayRow[];
  readonly isFull: boolean;
  readonly kind: contract.ExportKind;
  readonly from: string;
  readonly to: string;
  readonly format?: 'csv' | 'xlsx' | undefined;
}

async function makeFile(ctx: Context, wanted: Wanted): Promise<Omit<Download, 'fileName'>> {
  const { kind, format } = wanted;
  switch (kind) {
    case 'unit-days':
    case 'template': {
      const lines = kind === 'unit-days' ? await unitDayLines(ctx, wanted) : await templateLines(ctx, wanted);
      if (format === 'xlsx') return { contentType: XLSX, body: await unitDayWorkbook(lines) };
      return { contentType: CSV, body: [...unitDayCsv(lines)].join('') };
    }
    case 'saner-measure-report':
    case 'safr-measure-report': {
      const report = kind === 'saner-measure-report' ? sanerReport : safrReport;
      const now = new Date();
      const reports = (await reportedDays(ctx, wanted)).map((day) => report(day, now));
      return { contentType: FHIR, body: JSON.stringify(reports.length === 1 ? reports[0] : bundleOf(reports)) };
    }
    case 'saner-csv':
      return { contentType: CSV, body: sanerCsv(await reportedDays(ctx, wanted)) };
    case 'nhsn-csv': {
      const lines = (await reportedDays(ctx, wanted)).map((day) => csvLine(nhsnLine(day)));
      return { contentType: CSV, body: [csvLine(NHSN_COLUMNS), ...lines].join('') };
    }
  }
}

/** What is stored, with what is estimated in its own column; of a day with several, those that are mere estimates last. */
async function unitDayLines({ db }: Context, { place, rows, from, to }: Wanted) {
  const nameOf = (day: Pick<UnitDayRow, 'unit_no' | 'census_date' | 'class'>) =>
    `${day.unit_no} ${day.census_date} ${day.class}`;
  const estimates = await listEstimates(db, { facilityNo: place.facility_no, from, to });
  const censusOf = new Map(estimates.map((estimate) => [nameOf(estimate), estimate.census]));
  const stored = new Set(rows.map(nameOf));
  const code = place.facility_code;
  return [
    ...rows.map((row) => ({ date: row.census_date, line: unitDayLine(code, row, censusOf.get(nameOf(row))) })),
    ...estimates
      .filter((estimate) => !stored.has(nameOf(estimate)))
      .map((estimate) => ({ date: estimate.census_date, line: estimateLine(code, estimate) })),
  ]
    .sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)))
    .map(({ line }) => line);
}

async function templateLines({ db, actor }: Context, { place, from, to, isFull }: Wanted) {
  const userId = isFull ? null : actor.userId;
  const owed = await findOwedDays(db, { facilityNo: place.facility_no, from, to, userId });
  return owed.map((row) => templateLine(place.facility_code, row));
}

/** SANER's CSV: one column for each code of the measure. */
function sanerCsv(days: readonly ReportedDay[]): string {
  const codes = sanerCounts({ units: [], missing: [] }).map(([code]) => code);
  const head = csvLine(['subject', 'reporter', 'period-start', 'period-end', ...codes]);
  const lines = days.map((day) => {
    const period = [day.startsAt, new Date(day.endsAt.getTime() - 1000)];
    return csvLine([
      `Location/${day.facilityId}`,
      `Organization/${day.facilityId}`,
      ...period.map((instant) => zonedInstant(instant, day.timeZone)),
      ...sanerCounts(day).map(([, value]) => value),
    ]);
  });
  return [head, ...lines].join('');
}

async function reportedDays({ db }: Context, { place, rows, from, to }: Wanted): Promise<ReportedDay[]> {
  const unitsOn = byDate(rows);
  const missingOn = byDate(await findMissing(db, { facilityNo: place.facility_no, from, to }));
  return datesFrom(from, to).map((date) => {
    const units = unitsOn.get(date) ?? [];
    const { units_expected: expected = 0, units_submitted: submitted = 0 } = units[0] ?? {};
    const isComplete = expected > 0 && submitted >= expected;
    const timeZone = units[0]?.time_zone ?? place.time_zone;
    return {
      facilityId: place.facility_id,
      facilityCode: place.facility_code,
      facilityName: place.facility_name,
      timeZone,
      date,
      startsAt: firstInstant(date, '00:00', timeZone),
      endsAt: firstInstant(addDays(date, 1), '00:00', timeZone),
      isComplete,
      units,
      // A unit that is expected only since the day was signed is missing in nothing.
      missing: isComplete ? [] : (missingOn.get(date) ?? []),
    };
  });
}

function byDate<Row extends { readonly census_date: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const dates = new Map<string, Row[]>();
  for (const row of rows) {
    const known = dates.get(row.census_date);
    if (known) known.push(row);
    else dates.set(row.census_date, [row]);
  }
  return dates;
}

async function logExport(ctx: Context, place: FacilityConfig, after: Record<string, unknown>): Promise<void> {
  await ctx.write('census.export', async (tx) => {
    const author = authorOf(ctx, place.facility_id);
    await appendLog(tx, { facilityNo: place.facility_no, author, entries: [{ action: 'data.export', after }] });
    return { result: undefined, audit: { facilityId: place.facility_id, detail: after } };
  });
}

interface Range {
  readonly facilityNo: number;
  readonly from: string;
  readonly to: string;
}

/** The stored unit-days of these dates, by date, unit and class. Walks unit_census_facility_idx. */
async function findUnitDays(db: Database, { facilityNo, from, to }: Range): Promise<UnitDayRow[]> {
  const found = await sql<UnitDayRow>`
    select c.unit_no, n.code as unit_code, u.safr_group, u.counts_in_census, u.counts_in_occupancy, c.census_date,
      c.class, c.status, c.opening, c.admissions, c.births, c.transfers_in, c.discharges, c.deaths,
      c.deaths_u48, c.transfers_out, c.ad_same_day, c.on_leave, c.observation, c.discharge_days, c.counted, c.closing, c.service_days,
      c.beds_staffed, c.beds_blocked, c.variance_reason, c.capacity_reason, c.note,
      coalesce(i.words, '') as transfers_from, coalesce(o.words, '') as transfers_to, d.units_submitted, d.units_expected,
      d.time_zone
    from unit_census c
    join census_units u on u.unit_no = c.unit_no join units n on n.id = u.unit_id
    join facility_days d on d.facility_no = c.facility_no and d.census_date = c.census_date
    left join lateral (
      select string_agg(pn.code || ':' || t.in_count, ' ' order by pn.position, pn.code) as words
      from unit_transfers t join census_units p on p.unit_no = t.from_unit join units pn on pn.id = p.unit_id
      where t.census_date = c.census_date and t.to_unit = c.unit_no and t.class = c.class and t.in_count > 0) i on true
    left join lateral (
      select string_agg(pn.code || ':' || t.out_count, ' ' order by pn.position, pn.code) as words
      from unit_transfers t join census_units p on p.unit_no = t.to_unit join units pn on pn.id = p.unit_id
      where t.census_date = c.census_date and t.from_unit = c.unit_no and t.class = c.class and t.out_count > 0) o on true
    where c.facility_no = ${facilityNo} and c.census_date between ${from} and ${to}
    order by c.census_date, n.position, n.code, c.class`.execute(db);
  return found.rows;
}

/** A unit and class whose report of a date is not in. */
type MissingRow = Pick<UnitDayRow, 'census_date' | 'class' | 'safr_group' | 'counts_in_occupancy'>;

/** Whose reports of these dates are not handed in. */
async function findMissing(db: Database, { facilityNo, from, to }: Range): Promise<MissingRow[]> {
  const found = await sql<MissingRow>`
    select d.day::date as census_date, k.class, u.safr_group, u.counts_in_occupancy
    from census_units u
    cross join generate_series(${from}::date, ${to}::date, interval '1 day') as d(day)
    join unit_classes k on k.unit_no = u.unit_no and k.during @> d.day::date
    left join unit_census c on c.unit_no = u.unit_no and c.census_date = d.day::date and c.class = k.class
    where u.facility_no = ${facilityNo} and u.counts_in_census
      and (c.status is null or c.status in ('draft', 'returned'))`.execute(db);
  return found.rows;
}

/** What is not handed in on these dates, of the units that this person reports for; for all units where `userId` is null. */
async function findOwedDays(
  db: Database,
  { facilityNo, from, to, userId }: Range & { userId: string | null },
): Promise<OwedRow[]> {
  const found = await sql<OwedRow>`
    select n.code as unit_code, d.day::date as census_date, k.class, p.closing as opening, b.staffed as beds_staffed
    from census_units u join units n on n.id = u.unit_id
    cross join generate_series(${from}::date, ${to}::date, interval '1 day') as d(day)
    join unit_classes k on k.unit_no = u.unit_no and k.during @> d.day::date
    left join unit_census c on c.unit_no = u.unit_no and c.census_date = d.day::date and c.class = k.class
    left join unit_census p on p.unit_no = u.unit_no and p.census_date = d.day::date - 1 and p.class = k.class
    left join bed_complements b on b.unit_no = u.unit_no and b.class = k.class and b.valid @> d.day::date
    where u.facility_no = ${facilityNo} and u.counts_in_census
      and (c.status is null or c.status in ('draft', 'returned'))
      and (${userId}::uuid is null
        or exists (select from census_assignments a where a.unit_no = u.unit_no and a.user_id = ${userId}::uuid))
    order by d.day, n.position, n.code, k.class`.execute(db);
  return found.rows;
}
