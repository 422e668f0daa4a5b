import {
  addDays,
  datesFrom,
  daysBetween,
  firstInstant,
  isCalendarDate,
  zonedInstant,
} from '@wardline/census/calendar.ts';
import type * as contract from '@wardline/contract/census-exchange.ts';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import type { FacilityPlace } from '#/features/census/core/config-queries.ts';
import { listEstimates } from '#/features/census/core/estimate-queries.ts';
import { exportData, reportUnit } from '#/features/census/core/policy.ts';
import { requireFacilityOn } from '#/features/census/core/require-facility.ts';
import { refuse } from '#/features/census/log/note-once.ts';
import { csvLine } from '#/platform/files/csv.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import { findMissing, findOwedDays, findUnitDays, type UnitDayRow } from './exchange-queries.ts';
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
  readonly place: FacilityPlace;
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

async function logExport(ctx: Context, place: FacilityPlace, after: Record<string, unknown>): Promise<void> {
  await ctx.write('census.export', async (tx) => {
    const author = authorOf(ctx, place.facility_id);
    await appendLog(tx, { facilityNo: place.facility_no, author, entries: [{ action: 'data.export', after }] });
    return { result: undefined, audit: { facilityId: place.facility_id, detail: after } };
  });
}
