import {
  addDays,
  datesFrom,
  daysBetween,
  firstInstant,
  isCalendarDate,
  zonedInstant,
} from '@wardline/census/calendar.ts';
import * as contract from '@wardline/contract/census/exchange.ts';
import type { SummaryStep } from '@wardline/contract/census/summary.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { newestCount } from '#/features/census/board/newest-count.ts';
import { findCensusFacility } from '#/features/census/board/require-census.ts';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { listEstimates } from '#/features/census/core/estimate-queries.ts';
import { exportData, reportUnit } from '#/features/census/core/policy.ts';
import { requireFacilityOn } from '#/features/census/core/require-facility.ts';
import { refuse } from '#/features/census/log/note-once.ts';
import { FHIR_JSON } from '#/platform/fhir/fhir-json.ts';
import { type Cell, csvLine } from '#/platform/files/csv.ts';
import { workbookOf } from '#/platform/files/workbook-stream.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import { countUnitDays, findMissing, findOwedDays, findUnitDays, type UnitDayRow } from './exchange-queries.ts';
import { measurePages } from './export-measures.ts';
import { measureCells } from './measure-lines.ts';
import { bundleOf, type ReportedDay, safrReport, sanerCounts, sanerReport } from './measure-report.ts';
import { NHSN_COLUMNS, nhsnLine } from './nhsn.ts';
import { estimateLine, templateLine, unitDayCells, unitDayLine } from './unit-day-file.ts';

type Endpoint = typeof contract.exportCensus;
type Context = Pick<RequestContext, 'actor' | 'db' | 'write' | 'http'>;

/** Ten years. */
const LONGEST_DAYS = 3_700;
/** So many days are read at once, whatever is asked for. */
const DAYS_AT_ONCE = 31;
const CSV = 'text/csv; charset=utf-8';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * A file of the census, read as it is sent: ten years of it need no more room than a month. Whoever reports for units may
 * have the template of what they owe; everything else is an export.
 */
export async function exportCensus(ctx: Context, { params, query }: InputOf<Endpoint>): Promise<Download> {
  const { facility: facilityId, from, to } = query;
  const place = await requireFacilityOn(ctx, { facilityId, date: to });
  const isFull = can(ctx.actor, exportData, { facilityId, splitPermissions: place.split_permissions });
  const mayTake =
    isFull || (params.kind === 'template' && can(ctx.actor, reportUnit, { facilityId, isAssigned: true }));
  if (!mayTake) return refuse(ctx, place, 'data.export');
  if (!isCalendarDate(from)) throw invalidField('from', 'This day is out of range.');
  if (from > to) throw invalidField('to', 'The range ends before it begins.');
  if (daysBetween(from, to) >= LONGEST_DAYS) {
    throw invalidField('to', `At most ${formatCount(LONGEST_DAYS)} days in one file.`);
  }
  const wanted: Wanted = { place, isFull, kind: params.kind, ...query };
  const file = await makeFile(ctx, wanted);
  const unit_days = isOfUnitDays(params.kind)
    ? await countUnitDays(ctx.db, { facilityNo: place.facility_no, from, to })
    : 0;
  // Before the first byte leaves: a file that somebody has is one that the log knows of.
  await logExport(ctx, place, { kind: params.kind, from, to, format: query.format ?? null, unit_days });
  const ending = file.contentType === CSV ? 'csv' : file.contentType === XLSX ? 'xlsx' : 'json';
  return { ...file, fileName: `census-${place.facility_code}-${params.kind}-${from}-${to}.${ending}` };
}

interface Wanted {
  readonly place: FacilityConfig;
  readonly isFull: boolean;
  readonly kind: contract.ExportKind;
  readonly from: string;
  readonly to: string;
  readonly format?: 'csv' | 'xlsx' | undefined;
  readonly by?: SummaryStep | undefined;
}

function isOfUnitDays(kind: contract.ExportKind): boolean {
  return kind !== 'template' && kind !== 'measures';
}

async function makeFile(ctx: Context, wanted: Wanted): Promise<Omit<Download, 'fileName'>> {
  const { kind } = wanted;
  switch (kind) {
    case 'measures':
      return tableOf(wanted, {
        sheet: 'Measures',
        head: contract.MEASURE_COLUMNS,
        pages: await measureLines(ctx, wanted),
      });
    case 'unit-days':
    case 'template': {
      const linesOf = kind === 'unit-days' ? unitDayLines : templateLines;
      const pages = inMonths(wanted, async (part) => (await linesOf(ctx, part)).map(unitDayCells));
      return tableOf(wanted, { sheet: 'Unit days', head: contract.UNIT_DAY_COLUMNS, pages });
    }
    case 'saner-measure-report':
    case 'safr-measure-report':
      return { contentType: FHIR_JSON, body: measureReports(ctx, wanted) };
    case 'saner-csv': {
      const codes = sanerCounts({ units: [], missing: [] }).map(([code]) => code);
      const head = ['subject', 'reporter', 'period-start', 'period-end', ...codes];
      return {
        contentType: CSV,
        body: csvOf(
          head,
          inMonths(wanted, async (part) => sanerLines(await reportedDays(ctx, part))),
        ),
      };
    }
    case 'nhsn-csv': {
      const pages = inMonths(wanted, async (part) => (await reportedDays(ctx, part)).map(nhsnLine));
      return { contentType: CSV, body: csvOf(NHSN_COLUMNS, pages) };
    }
  }
}

type Page = readonly (readonly Cell[])[];

interface Table {
  readonly sheet: string;
  readonly head: readonly string[];
  readonly pages: AsyncIterable<Page>;
}

/** As a workbook where that is asked for; else CSV. */
function tableOf({ format }: Wanted, { sheet, head, pages }: Table): Omit<Download, 'fileName'> {
  if (format === 'xlsx') return { contentType: XLSX, body: workbookOf({ sheet, head, pages }) };
  // A byte order mark: without one a spreadsheet reads the notes wrong, and saves them so.
  return { contentType: CSV, body: csvOf(head, pages, '\uFEFF') };
}

async function* csvOf(head: readonly string[], pages: AsyncIterable<Page>, mark = ''): AsyncGenerator<string> {
  yield `${mark}${csvLine(head)}`;
  for await (const page of pages) if (page.length > 0) yield page.map(csvLine).join('');
}

/** What is made of each part of the range, one after the other; the next is read when the one before has been sent. */
async function* inMonths<Made>(wanted: Wanted, make: (part: Wanted) => Promise<Made>): AsyncGenerator<Made> {
  for (let { from } = wanted; from <= wanted.to; from = addDays(from, DAYS_AT_ONCE)) {
    const end = addDays(from, DAYS_AT_ONCE - 1);
    yield await make({ ...wanted, from, to: end < wanted.to ? end : wanted.to });
  }
}

async function measureLines({ db }: Context, { place, from, to, by = 'total' }: Wanted): Promise<AsyncIterable<Page>> {
  const facility = await findCensusFacility(db, place.facility_id);
  if (!facility) throw new AppError('not_found');
  const { date: newest } = newestCount(facility, new Date());
  const pages = measurePages(db, { place, from, to, by, newest });
  return (async function* () {
    for await (const page of pages) yield page.map(measureCells);
  })();
}

/** What is stored, with what is estimated in its own column; of a day with several, those that are mere estimates last. */
async function unitDayLines({ db }: Context, { place, from, to }: Wanted) {
  const range = { facilityNo: place.facility_no, from, to };
  const nameOf = (day: Pick<UnitDayRow, 'unit_no' | 'census_date' | 'population'>) =>
    `${day.unit_no} ${day.census_date} ${day.population}`;
  const [rows, estimates] = await Promise.all([findUnitDays(db, range), listEstimates(db, range)]);
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

/** One day's report as it is, those of several as a bundle, written a month at a time. */
async function* measureReports(ctx: Context, wanted: Wanted): AsyncGenerator<string> {
  const report = wanted.kind === 'saner-measure-report' ? sanerReport : safrReport;
  const now = new Date();
  const pages = inMonths(wanted, async (part) => (await reportedDays(ctx, part)).map((day) => report(day, now)));
  if (wanted.from === wanted.to) {
    for await (const [only] of pages) yield JSON.stringify(only);
    return;
  }
  const { entry, ...bundle } = bundleOf([]);
  yield `${JSON.stringify(bundle).slice(0, -1)},"entry":[`;
  let between = '';
  for await (const reports of pages) {
    yield between +
      bundleOf(reports)
        .entry.map((one) => JSON.stringify(one))
        .join(',');
    between = ',';
  }
  yield ']}';
}

/** SANER's CSV: one column for each code of the measure. */
function sanerLines(days: readonly ReportedDay[]): Cell[][] {
  return days.map((day) => {
    const period = [day.startsAt, new Date(day.endsAt.getTime() - 1000)];
    return [
      `Location/${day.facilityId}`,
      `Organization/${day.facilityId}`,
      ...period.map((instant) => zonedInstant(instant, day.timeZone)),
      ...sanerCounts(day).map(([, value]) => value),
    ];
  });
}

async function reportedDays({ db }: Context, { place, from, to }: Wanted): Promise<ReportedDay[]> {
  const range = { facilityNo: place.facility_no, from, to };
  const [rows, missing] = await Promise.all([findUnitDays(db, range), findMissing(db, range)]);
  const unitsOn = byDate(rows);
  const missingOn = byDate(missing);
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
