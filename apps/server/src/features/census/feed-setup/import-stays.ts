import { createHash } from 'node:crypto';
import type { importStays as endpoint, StayRow } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { stayControlId } from '#/features/census/core/feed-messages.ts';
import { configure } from '#/features/census/core/policy.ts';
import { requireFacilityNow } from '#/features/census/core/require-facility.ts';
import { eventDate } from '#/features/census/hl7/event-date.ts';
import { type Feed, unitKey, visitKeyOf } from '#/features/census/hl7/feed.ts';
import { proposeCorrections, type Told } from '#/features/census/hl7/propose-corrections.ts';
import { openFeed } from '#/features/census/hl7/receive-hl7.ts';
import { recount } from '#/features/census/hl7/recount-visit.ts';
import { IN_BEFORE, replayVisit } from '#/features/census/hl7/replay.ts';
import { findMergedInto, findVisit, insertEvent, lockVisit } from '#/features/census/hl7/visit-queries.ts';
import { giveUpIfGone } from '#/features/census/import-export/import-rows.ts';
import type { CellProblem } from '#/features/census/import-export/read-unit-day-file.ts';
import { refuse } from '#/features/census/log/note-once.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { readStayFile, type StayLine } from './read-stay-file.ts';

type Endpoint = typeof endpoint;
type Reply = ReplyOf<Endpoint>;

const MOST_ROWS = 500;

/** Carries the answer out of a transaction that is given up. */
class GivenUp extends Error {
  readonly rows: readonly StayRow[];
  constructor(rows: readonly StayRow[]) {
    super('the file was not applied');
    this.rows = rows;
  }
}

/**
 * Brings in who is in beds. A dry run does all that applying does, in a transaction that is given up at the end; one refused
 * line keeps the whole file out. What the patient system tells of a visit itself goes before what the file says.
 */
export function importStays(secret: Buffer) {
  return async (ctx: RequestContext, file: Buffer, { params, query }: InputOf<Endpoint>): Promise<Reply> => {
    const { facility: facilityId } = params;
    const place = await requireFacilityNow(ctx, facilityId);
    if (!can(ctx.actor, configure, { facilityId })) return refuse(ctx, place, 'data.import');
    const lines = readStayFile(file, place.time_zone);
    const file_hash = createHash('sha256').update(file).digest('hex');
    const author = { ...authorOf(ctx, facilityId), source: 'import' } as const;
    const feed = await openFeed(ctx.db, { place, secret, author });
    try {
      const rows = await ctx.write('census.feed.import', async (tx) => {
        const { rows: tried, told } = await tryAll(ctx, { tx, feed, lines });
        if (query.apply !== 'true' || countsOf(tried).refused > 0) throw new GivenUp(tried);
        // The visits are held by now, which may have been waited for.
        await authorizeNow(tx, ctx.actor, configure, { facilityId });
        const proposals = await proposeCorrections(tx, feed, told);
        const after = { kind: 'stays', file_hash, ...countsOf(tried) };
        const { facility_no: facilityNo } = place;
        await appendLog(tx, { facilityNo, author, entries: [{ action: 'data.import', after }] });
        const dates = [...told.flatMap(({ touched }) => touched), ...proposals].map(({ date }) => date);
        const publish = censusChanged(facilityId, [
          { dates: [...dates, eventDate(feed.now, feed.clocks)], unitId: null },
        ]);
        return { result: tried, audit: { facilityId, detail: after }, publish };
      });
      return replyOf(rows, { file_hash, is_applied: true });
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      return replyOf(error.rows, { file_hash, is_applied: false });
    }
  };
}

interface Trying {
  readonly tx: Transaction;
  readonly feed: Feed;
  readonly lines: readonly StayLine[];
}

async function tryAll(ctx: RequestContext, { tx, feed, lines }: Trying) {
  const seen = { visits: new Set<string>(), beds: new Set<string>() };
  const populations = await findPopulations(tx, feed.place);
  const checked = lines.map((line) => {
    const unitNo = feed.units.get(unitKey(line.unit_code ?? ''));
    return { line, unitNo, problems: [...line.problems, ...problemsOf(line, feed, { unitNo, populations, seen })] };
  });
  const rows: StayRow[] = [];
  const told: Told[] = [];
  const stays = checked.flatMap(({ line, unitNo, problems }) => {
    if (problems.length === 0 && unitNo !== undefined && line.admitted_at && line.visit_number) {
      const visitKey = visitKeyOf(feed, `visit ${line.visit_number}`);
      return [{ line, unitNo, at: line.admitted_at, visitKey }];
    }
    rows.push(rowOf(line, 'refused', problems));
    return [];
  });
  // Visits are held in one order, as messages about two of them hold them.
  for (const stay of stays.sort((a, b) => Buffer.compare(a.visitKey, b.visitKey))) {
    giveUpIfGone(ctx);
    const { row, told: changes } = await bringIn(tx, feed, stay);
    rows.push(row);
    told.push(...changes);
  }
  giveUpIfGone(ctx);
  return { rows, told };
}

interface Stay {
  readonly line: StayLine;
  readonly unitNo: number;
  readonly at: Date;
  readonly visitKey: Buffer;
}

async function bringIn(
  tx: Transaction,
  feed: Feed,
  { line, unitNo, at, visitKey: given }: Stay,
): Promise<{ row: StayRow; told: readonly Told[] }> {
  const { facility_no: facilityNo } = feed.place;
  await lockVisit(tx, { facilityNo, visitKey: given });
  const visitKey = await findMergedInto(tx, { facilityNo, visitKey: given });
  const { events } = await findVisit(tx, { facilityNo, visitKey });
  const { movements, stays } = replayVisit(events);
  if (movements.length > 0) {
    const now = stays.find(({ to }) => to === null);
    const message = knownMessage(now && { isElsewhere: now.unitNo !== unitNo, unit: codeOf(feed, now.unitNo) });
    return { row: rowOf(line, 'known', message), told: [] };
  }
  const known = await insertEvent(tx, {
    ...{ facilityNo, visitKey, controlId: stayControlId({ at, unitNo }), trigger: IN_BEFORE, at, unitNo },
    ...{ population: line.population, isBirth: line.population === 'newborn', isDeath: false },
  });
  return { row: rowOf(line, known ? 'new' : 'known', []), told: known ? await recount(tx, feed, known) : [] };
}

function knownMessage(now: { readonly isElsewhere: boolean; readonly unit: string } | undefined): CellProblem[] {
  if (!now) {
    return [{ column: null, code: 'LEFT', message: 'The patient system says that this patient has left.' }];
  }
  if (!now.isElsewhere) return [];
  return [{ column: 'unit_code', code: 'ELSEWHERE', message: `The patient system has this patient in ${now.unit}.` }];
}

function codeOf({ units }: Feed, unitNo: number): string {
  return [...units].find(([, no]) => no === unitNo)?.[0] ?? 'another unit';
}

interface Checking {
  readonly unitNo: number | undefined;
  readonly populations: ReadonlyMap<number, readonly string[]>;
  readonly seen: { readonly visits: Set<string>; readonly beds: Set<string> };
}

function problemsOf(line: StayLine, { place, now }: Feed, { unitNo, populations, seen }: Checking): CellProblem[] {
  const problems: CellProblem[] = [];
  const { unit_code: unit, bed, visit_number: visit, admitted_at: at } = line;
  const add = (column: string, code: string, message: string) => problems.push({ column, code, message });
  if (unit !== null && unitNo === undefined) {
    add('unit_code', 'UNKNOWN_UNIT', `${unit} is not a unit of ${place.facility_name}.`);
  }
  if (unitNo !== undefined && !populations.get(unitNo)?.includes(line.population)) {
    add(
      'population',
      'POPULATION_NOT_REPORTED',
      `${unit} does not report ${line.population === 'newborn' ? 'newborns' : 'adults'}.`,
    );
  }
  if (at !== null && at > now) add('admitted_at', 'INVALID_TIME', 'This time is still to come.');
  if (visit !== null && seen.visits.has(visit)) add('visit_number', 'DUPLICATE', 'This visit is in the file twice.');
  const spot = `${unitNo} ${bed?.toUpperCase()}`;
  if (bed !== null && seen.beds.has(spot)) add('bed', 'DUPLICATE', 'This bed is in the file twice.');
  if (visit !== null) seen.visits.add(visit);
  if (bed !== null) seen.beds.add(spot);
  return problems;
}

/** What each unit reports: unit_no → populations. */
async function findPopulations(
  tx: DatabaseTransaction,
  { facility_no }: FacilityConfig,
): Promise<Map<number, string[]>> {
  const rows = await tx
    .selectFrom('census_units')
    .select(['unit_no', 'populations'])
    .where('facility_no', '=', facility_no)
    .execute();
  return new Map(rows.map(({ unit_no, populations }) => [unit_no, populations]));
}

function rowOf({ line, unit_code, bed }: StayLine, outcome: StayRow['outcome'], problems: CellProblem[]): StayRow {
  return { line, unit_code, bed, outcome, problems };
}

function countsOf(rows: readonly StayRow[]): Reply['counts'] {
  const counts = { new: 0, known: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

function replyOf(rows: readonly StayRow[], done: Pick<Reply, 'file_hash' | 'is_applied'>): Reply {
  const isRefused = ({ outcome }: StayRow) => Number(outcome === 'refused');
  const shown = [...rows].sort((a, b) => isRefused(b) - isRefused(a) || a.line - b.line).slice(0, MOST_ROWS);
  return { ...done, counts: countsOf(rows), rows: shown };
}
