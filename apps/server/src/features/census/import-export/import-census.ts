import { createHash } from 'node:crypto';
import { addDays } from '@wardline/census/calendar.ts';
import { differenceOf, submitFindings } from '@wardline/census/rules.ts';
import { COUNT_FIELDS, type Counts, type Population } from '@wardline/contract/census/census.ts';
import type * as contract from '@wardline/contract/census/exchange.ts';
import type { GivenTransfer } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendAfter, appendLog, type LogHead, lockHead } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { type CensusChange, censusChanged } from '#/features/census/core/change-events.ts';
import {
  analyzeCensus,
  type ChangedReports,
  type FacilityConfig,
  refreshSums,
} from '#/features/census/core/config-queries.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { importData, reportUnit } from '#/features/census/core/policy.ts';
import {
  dateOfNow,
  requireFacilityFor,
  requireFacilityNow,
  toFacilityContext,
} from '#/features/census/core/require-facility.ts';
import { requireUnitOn, unitSubject } from '#/features/census/core/require-unit.ts';
import { refuse } from '#/features/census/log/note-once.ts';
import { type ActContext, changeHeld } from '#/features/census/reports/change-unit-day.ts';
import { type EntryBody, put } from '#/features/census/reports/put-unit-day.ts';
import { bedsOf, loadUnitDay, type UnitDayState } from '#/features/census/reports/unit-day/unit-day-state.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import { actorNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import type { FileReader } from './file-reader.ts';
import { countsOf, giveUpIfGone, problemsOf, type Row, replyOf, rowOf } from './import-rows.ts';
import type { CellProblem, FileLine } from './read-unit-day-file.ts';

type Endpoint = typeof contract.importCensus;
type Reply = ReplyOf<Endpoint>;

/** So many lines change what the database must know of its tables to read them quickly. */
const MANY_ROWS = 500;
/** Lines are applied in this order: what a day closes with is what the next one opens with. */
const byDate = (a: FileLine, b: FileLine) =>
  (a.census_date ?? '').localeCompare(b.census_date ?? '') || a.line - b.line;

/**
 * Imports a file of unit-days. A dry run does all that applying does, in a transaction that is given up at the end, so that it
 * says exactly what applying would. One refused line keeps the whole file out.
 */
export function importCensus(deps: CensusDeps, files: FileReader) {
  return async (ctx: RequestContext, file: Buffer, { query }: InputOf<Endpoint>): Promise<Reply> => {
    const place = await requireFacilityNow(ctx, query.facility);
    if (!can(ctx.actor, importData, toFacilityContext(place))) return refuse(ctx, place, 'data.import');
    const lines = await files.read(file);
    const hash = createHash('sha256').update(file).digest('hex');
    return run(ctx, deps, { place, lines, hash, isApplying: query.apply === 'true' });
  };
}

interface Import {
  readonly place: FacilityConfig;
  readonly lines: readonly FileLine[];
  readonly hash: string;
  readonly isApplying: boolean;
}

/** A file brings nothing in that its sender could not type: who reports for a unit is one rule (CEN-3). */
class NotTheirUnit extends AppError {
  constructor(unitCode: string) {
    super('forbidden', { message: `You don’t report for ${unitCode}.` });
  }
}

/** Carries the answer out of a transaction that is given up. */
class GivenUp extends Error {
  readonly rows: readonly Row[];
  constructor(rows: readonly Row[]) {
    super('the import was not applied');
    this.rows = rows;
  }
}

async function run(ctx: RequestContext, deps: CensusDeps, wanted: Import): Promise<Reply> {
  const { place, hash, isApplying } = wanted;
  try {
    const rows = await ctx.write('census.import', async (tx) => {
      const trying = { ...wanted, tx, head: await lockHead(tx, place.facility_no) };
      const actor = await actorNow(tx, ctx.actor, place.facility_id);
      await requireFacilityFor({ actor, db: tx }, { facilityId: place.facility_id, date: dateOfNow() }, importData);
      const { rows: tried, publish, changes, head } = await tryAll({ ...ctx, actor }, deps, trying);
      if (!isApplying || tried.some(({ outcome }) => outcome === 'refused')) throw new GivenUp(tried);
      if (tried.length >= MANY_ROWS) await analyzeCensus(tx);
      const after = { file_hash: hash, ...countsOf(tried) };
      const author = { ...authorOf(ctx, place.facility_id), source: 'import' } as const;
      await appendAfter(tx, head, {
        facilityNo: place.facility_no,
        author,
        entries: [{ action: 'data.import', after }],
      });
      const { facility_id: facilityId } = place;
      const told = [...publish, ...censusChanged(facilityId, changes)];
      return { result: tried, audit: { facilityId, detail: after }, publish: told };
    });
    return replyOf(rows, hash, true);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    if (isApplying) await noteRefused(ctx, wanted, error.rows);
    return replyOf(error.rows, hash, false);
  }
}

/**
 * Who would have changed what is locked, or a unit that is not theirs, is written down, as on the page; what is merely filled in
 * wrongly is not.
 */
async function noteRefused(ctx: RequestContext, { place, hash }: Import, rows: readonly Row[]): Promise<void> {
  const codes = new Set(rows.flatMap(({ problems }) => problems.map(({ code }) => code)));
  const refused = ['LOCKED', 'forbidden'].find((code) => codes.has(code));
  if (refused === undefined) return;
  await ctx.write('census.refused', async (tx) => {
    const after = { refused, file_hash: hash };
    const author = { ...authorOf(ctx, place.facility_id), source: 'import' } as const;
    const entry = { action: 'data.import', outcome: 'refused', after } as const;
    await appendLog(tx, { facilityNo: place.facility_no, author, entries: [entry] });
    const detail = { action: entry.action, ...after };
    return { result: undefined, audit: { facilityId: place.facility_id, outcome: 'refused', detail } };
  });
}

interface Trying extends Import {
  readonly tx: Transaction;
  readonly head: LogHead;
}

async function tryAll(ctx: RequestContext, deps: CensusDeps, { place, lines, tx, ...known }: Trying) {
  let { head } = known;
  const units = await findUnitIds(tx, place.facility_no);
  const rows: Row[] = [];
  const publish: Publication[] = [];
  const changes: CensusChange[] = [];
  const toSum = new Map<string, ChangedReports[]>();
  const seen = new Set<string>();
  for (const line of [...lines].sort(byDate)) {
    giveUpIfGone(ctx);
    const key = `${line.unit_code} ${line.census_date} ${line.population}`;
    const unitId = units.get(line.unit_code ?? '');
    const problems = [...line.problems, ...placeProblems(line, place, { unitId, isRepeated: seen.has(key), units })];
    seen.add(key);
    if (problems.length > 0 || unitId === undefined || line.census_date === null) {
      rows.push(rowOf(line, 'refused', problems));
      continue;
    }
    if (line.is_mere_estimate) {
      rows.push(rowOf(line, 'unchanged', []));
      continue;
    }
    await setSavepoint(tx);
    try {
      const done = await tryLine(ctx, deps, { tx, line, date: line.census_date, unitId, units, head });
      head = done.head;
      publish.push(...done.publish);
      changes.push(...done.changes);
      noteToSum(toSum, done.toSum);
      rows.push(rowOf(line, done.outcome, []));
      await releaseSavepoint(tx);
    } catch (error) {
      await rollBackTo(tx);
      const problem = problemsOf(error);
      rows.push(rowOf(line, 'refused', error instanceof NotTheirUnit ? problem.map(atUnit) : problem));
    }
  }
  giveUpIfGone(ctx);
  for (const changed of [...toSum.values()].flat()) await refreshSums(tx, changed);
  return { rows, publish, changes, head };
}

/** Dates of a unit that follow on each other are summed up once; the lines come by date. What lies between is left alone. */
function noteToSum(toSum: Map<string, ChangedReports[]>, changed: ChangedReports | null): void {
  if (changed === null) return;
  const key = `${changed.unitNo} ${changed.population}`;
  const noted = toSum.get(key) ?? [];
  const last = noted.at(-1);
  if (last && changed.from <= addDays(last.to, 1)) {
    const to = changed.to > last.to ? changed.to : last.to;
    noted.splice(-1, 1, { ...last, to });
  } else noted.push(changed);
  toSum.set(key, noted);
}

function placeProblems(
  line: FileLine,
  place: FacilityConfig,
  {
    unitId,
    isRepeated,
    units,
  }: { unitId: string | undefined; isRepeated: boolean; units: ReadonlyMap<string, string> },
): CellProblem[] {
  const problems: CellProblem[] = [];
  const add = (column: string | null, code: string, message: string) => problems.push({ column, code, message });
  if (line.facility_code !== null && line.facility_code !== place.facility_code) {
    add(
      'facility_code',
      'UNKNOWN_FACILITY',
      `This file is for ${line.facility_code}; you import into ${place.facility_code}.`,
    );
  }
  if (line.unit_code !== null && unitId === undefined) {
    add('unit_code', 'UNKNOWN_UNIT', `${line.unit_code} is not a unit of ${place.facility_name}.`);
  }
  for (const column of ['transfers_from', 'transfers_to'] as const) {
    const unknown = line[column]?.find(({ unit_code }) => !units.has(unit_code));
    if (unknown) add(column, 'UNKNOWN_UNIT', `${unknown.unit_code} is not a unit of ${place.facility_name}.`);
  }
  if (isRepeated) add(null, 'DUPLICATE', 'This unit, date and population is in the file twice.');
  return problems;
}

const atUnit = (problem: CellProblem): CellProblem => ({ ...problem, column: 'unit_code' });

interface OneLine {
  readonly tx: Transaction;
  readonly line: FileLine;
  readonly date: string;
  readonly unitId: string;
  readonly units: ReadonlyMap<string, string>;
  readonly head: LogHead;
}

async function tryLine(ctx: RequestContext, deps: CensusDeps, { tx, line, date, unitId, units, head }: OneLine) {
  const place = await requireUnitOn(tx, { actor: ctx.actor, unitId, date });
  const unitDay = await loadUnitDay(tx, place, { date, population: line.population });
  const body = bodyOf(unitDay, line, units);
  if (!isChange(unitDay, body)) return { outcome: 'unchanged' as const, publish: [], changes: [], toSum: null, head };
  if (!can(ctx.actor, reportUnit, unitSubject(place))) throw new NotTheirUnit(place.unit_code);
  const change = { act: (at: ActContext) => put(at, body) };
  const request = { params: { unit: unitId, date, population: line.population }, body };
  const { publish, changes, toSum, ...after } = await changeHeld(ctx, deps, {
    ...{ tx, request, change, unitDay, head, now: new Date() },
  });
  const outcome = unitDay.report ? ('changed' as const) : ('new' as const);
  return { outcome, publish, changes, toSum, head: after.head };
}

/** What the line makes of the report: what is blank in it stays as it is. A whole report that is not in yet is handed in. */
function bodyOf(unitDay: UnitDayState, line: FileLine, units: ReadonlyMap<string, string>): EntryBody {
  const { report } = unitDay;
  const counts = Object.fromEntries(
    COUNT_FIELDS.map((field) => [
      field,
      line.counts[field] ?? report?.[field] ?? impliedOf(field, unitDay.key.population),
    ]),
  ) as Counts;
  const beds = bedsOf(unitDay);
  const opening = line.counts['opening'];
  const body = {
    client_id: newId(),
    version: report?.version ?? 0,
    counts,
    ...(opening === undefined ? {} : { seed: opening }),
    // It is not stored, but must be what the counts come to (CEN-R1).
    ...(line.counts.closing === undefined ? {} : { closing: line.counts.closing }),
    transfers: transfersOf(unitDay, line, units),
    beds_staffed: line.counts['beds_staffed'] ?? beds.staffed,
    beds_blocked: line.counts['beds_blocked'] ?? beds.blocked,
    variance_reason: line.notes.variance_reason ?? report?.variance_reason ?? null,
    capacity_reason: line.notes.capacity_reason ?? report?.capacity_reason ?? null,
    note: line.notes.note ?? report?.note ?? null,
    source: 'import' as const,
    submit: false,
    // What a line says why is of the numbers of the line.
    ...(line.notes.variance_reason
      ? { variance_for: differenceOf({ opening: unitDay.link?.closing ?? opening ?? report?.opening ?? null, counts }) }
      : {}),
  };
  return { ...body, submit: isWhole(unitDay, body) };
}

/** A unit that reports no newborns has no births, though the file leaves them blank. */
function impliedOf(field: (typeof COUNT_FIELDS)[number], population: Population): number | null {
  return field === 'births' && population !== 'newborn' ? 0 : null;
}

function transfersOf({ transfers }: UnitDayState, line: FileLine, units: ReadonlyMap<string, string>): GivenTransfer[] {
  return (['in', 'out'] as const).flatMap((direction): GivenTransfer[] => {
    const named = direction === 'in' ? line.transfers_from : line.transfers_to;
    if (named !== null) {
      return named.map(({ unit_code, count }) => ({ unit_id: units.get(unit_code) ?? '', direction, count }));
    }
    const stored = transfers.filter((transfer) => transfer.direction === direction);
    return stored.flatMap(({ unit_id, mine }) => (mine === null ? [] : [{ unit_id, direction, count: mine }]));
  });
}

function isWhole({ place, key, link, report }: UnitDayState, body: Omit<EntryBody, 'submit'>): boolean {
  if (report && report.status !== 'draft' && report.status !== 'returned' && report.status !== 'amending') return false;
  const findings = submitFindings({
    unit_id: place.unit_id,
    population: key.population,
    opening: link?.closing ?? body.seed ?? null,
    previous_closing: link?.closing ?? null,
    counts: body.counts,
    transfers: body.transfers,
    beds: { licensed: 0, physical: 0, staffed: 0, surge: 0, blocked: 0 },
    variance_reason: body.variance_reason ?? null,
    capacity_reason: body.capacity_reason ?? null,
  });
  return findings.every(({ code }) => code !== 'MISSING_VALUE');
}

function isChange(unitDay: UnitDayState, body: EntryBody): boolean {
  const { report } = unitDay;
  if (!report) return true;
  const beds = bedsOf(unitDay);
  const said = (moves: readonly { unit_id: string; direction: string; count: number }[]) =>
    moves
      .filter(({ count }) => count > 0)
      .map((move) => `${move.direction} ${move.unit_id} ${move.count}`)
      .sort()
      .join();
  const stored = unitDay.transfers.flatMap(({ unit_id, direction, mine }) =>
    mine === null ? [] : [{ unit_id, direction, count: mine }],
  );
  return (
    COUNT_FIELDS.some((field) => body.counts[field] !== report[field]) ||
    (body.seed ?? report.opening) !== report.opening ||
    body.beds_staffed !== beds.staffed ||
    body.beds_blocked !== beds.blocked ||
    body.variance_reason !== report.variance_reason ||
    (body.variance_for ?? report.variance_for) !== report.variance_for ||
    body.capacity_reason !== report.capacity_reason ||
    body.note !== report.note ||
    said(body.transfers) !== said(stored)
  );
}

/** The facility's units: code → id. */
async function findUnitIds(tx: DatabaseTransaction, facilityNo: number): Promise<Map<string, string>> {
  const found = await sql<{ code: string; unit_id: string }>`
    select n.code, u.unit_id from census_units u join units n on n.id = u.unit_id
    where u.facility_no = ${facilityNo}`.execute(tx);
  return new Map(found.rows.map(({ code, unit_id }) => [code, unit_id]));
}

/** From here on the transaction can be taken back by {@link rollBackTo}. */
async function setSavepoint(tx: DatabaseTransaction): Promise<void> {
  await sql`savepoint import_line`.execute(tx);
}

/** Of thousands within each other every look at a row would ask them all. */
async function releaseSavepoint(tx: DatabaseTransaction): Promise<void> {
  await sql`release savepoint import_line`.execute(tx);
}

async function rollBackTo(tx: DatabaseTransaction): Promise<void> {
  await sql`rollback to savepoint import_line`.execute(tx);
  await releaseSavepoint(tx);
}
