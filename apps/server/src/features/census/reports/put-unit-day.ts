import type { UnitDayStatus } from '@wardline/contract/census/census.ts';
import type * as contract from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { brokenRule, brokenRules } from '#/features/census/core/broken-rules.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { hasBegun } from '#/features/census/core/facility-day-clock.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { reportUnit } from '#/features/census/core/policy.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import {
  type ActContext,
  type ActResult,
  type CheckContext,
  changeUnitDay,
  makeDay,
  transition,
} from './change-unit-day.ts';
import { differences, type Entered, enteredValues } from './entered-values.ts';
import { afterHandIn, clockFindings, guardActive, handedIn } from './hand-in.ts';
import { findPartners, listTransfers, type SaidTransfer } from './unit-day/transfer-queries.ts';
import {
  type Authors,
  findReport,
  type Report,
  type StoredEntry,
  type StoredState,
  type UnitDayKey,
  updateReport,
} from './unit-day/unit-day-queries.ts';
import { keepConfirmed } from './unit-day/usual-queries.ts';

type Endpoint = typeof contract.putUnitDay;
/** What is entered, and from where. */
export type EntryBody = InputOf<Endpoint>['body'] & { readonly source?: 'import' };

/** Saves what was typed, and hands it in if asked. A save that changes nothing leaves nothing. */
export function putUnitDay(deps: CensusDeps) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    changeUnitDay(ctx, deps, {
      request: { params, body },
      change: {
        endpoint: 'putUnitDay',
        action: body.submit ? 'unit_day.submit' : 'unit_day.save',
        right: reportUnit,
        check: async (at) => void (await decide(at, body)),
        act: (at) => put(at, body),
      },
    });
}

/** Stores an entry, and hands it in if it says so; null where it changes nothing. */
export async function put(at: ActContext, body: EntryBody): Promise<ActResult | null> {
  const { tx, unitDay, actor } = at;
  const { report, key } = unitDay;
  const { status, entered } = await decide(at, body);
  const changed = differencesOf(at, entered);
  if (!changed && !body.submit) return null;
  await makeDay(tx, unitDay);
  const saved = {
    saved_by: actor.userId,
    saved_request: body.client_id,
    ...authorsOf(report, entered.values, actor.userId),
  };
  const state = { ...(body.submit ? handedIn(at) : { status }), ...saved };
  if (report) {
    const note = { by: actor.userId, reasonCode: report.amend_code, reason: report.amend_reason };
    await updateReport(tx, key, { change: { ...entered.values, ...state }, note });
  } else {
    await insertReport(tx, key, { ...entered.values, ...UNTOUCHED, ...state });
  }
  if (changed?.hasTransfers) await replaceTransfers(tx, key, entered.transfers);
  const transfers = changed?.hasTransfers ? await listTransfers(tx, key) : unitDay.transfers;
  const entries = changed ? [entryOf(at, changed)] : [];
  if (!body.submit) return { entries, update: { transfers }, isUnseen: isUnseen(at, changed) };
  await keepConfirmed(tx, unitDay, body);
  const stored = await findReport(tx, key);
  if (!stored) throw new Error('a report was not stored');
  const done = await afterHandIn(at, { report: stored, transfers });
  return { ...done, entries: [...entries, ...done.entries] };
}

/** Whose head count and reason stand in the report then: who changes one of them, or gives it for other numbers, is its author. */
function authorsOf(report: Report | null, values: StoredEntry, userId: string): Authors {
  const isSame = (...fields: readonly (keyof StoredEntry)[]) =>
    report !== null && fields.every((field) => report[field] === values[field]);
  const author = (field: 'counted' | 'variance_reason', isKept: boolean, before: string | null | undefined) =>
    values[field] === null ? null : isKept ? (before ?? null) : userId;
  return {
    counted_by: author('counted', isSame('counted'), report?.counted_by),
    variance_by: author('variance_reason', isSame('variance_reason', 'variance_for'), report?.variance_by),
  };
}

/** What the entry makes of the report; refused where it breaks a rule. */
async function decide(at: CheckContext, body: EntryBody): Promise<{ status: UnitDayStatus; entered: Entered }> {
  const { tx, unitDay } = at;
  guardActive(at);
  const status = transition(unitDay, body.submit ? 'submit' : 'save');
  guardBegun(at);
  const named = body.transfers.map(({ unit_id }) => unit_id);
  const partners = await findPartners(tx, unitDay.key, named);
  // What was signed once is never half empty again, not even while it is corrected.
  const entered = enteredValues(unitDay, body, { partners, isComplete: body.submit || status === 'amending' });
  const findings = [...(body.submit ? clockFindings(at) : []), ...entered.findings];
  if (findings.length > 0) throw brokenRules(findings);
  return { status, entered };
}

const UNTOUCHED: StoredState = {
  status: 'draft',
  is_on_time: null,
  submitted_at: null,
  submitted_by: null,
  reviewed_at: null,
  approved_at: null,
  approved_by: null,
  last_reason: null,
  amend_code: null,
  amend_reason: null,
};

function guardBegun({ unitDay: { place, key }, now }: CheckContext): void {
  if (hasBegun(place, key.date, now)) return;
  throw brokenRule({ code: 'NOT_YET_DUE', field: null, message: `${formatDay(key.date, place)} has not begun yet.` });
}

interface Changed {
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown>;
  readonly hasTransfers: boolean;
}

/** What other pages say of a report that is not handed in, besides that it is begun: the board its beds, the day its reasons. */
const SHOWN: readonly (keyof StoredEntry)[] = [
  'beds_licensed',
  'beds_physical',
  'beds_staffed',
  'beds_surge',
  'beds_blocked',
  'variance_reason',
  'capacity_reason',
];

/** Whether a saved draft changes nothing for others. What was handed in once opens the next day; partners read the moves. */
function isUnseen({ unitDay: { report } }: ActContext, changed: Changed | null): boolean {
  if (!report || report.submitted_at !== null) return false;
  return !changed || !(changed.hasTransfers || SHOWN.some((field) => field in changed.after));
}

/** Null where everything is as it was. A report that begins has no before. */
function differencesOf({ unitDay }: ActContext, { values, transfers }: Entered): Changed | null {
  const { before, after } = differences(unitDay.report, values);
  const said = unitDay.transfers.flatMap(({ mine, ...move }) => (mine === null ? [] : [{ ...move, count: mine }]));
  const [was, is] = [formatTransfer(said), formatTransfer(transfers)];
  const hasTransfers = was !== is;
  if (unitDay.report && Object.keys(after).length === 0 && !hasTransfers) return null;
  return {
    before: unitDay.report ? { ...before, ...(hasTransfers && { transfers: was }) } : null,
    after: { ...after, ...(hasTransfers && { transfers: is }) },
    hasTransfers,
  };
}

interface Move {
  readonly direction: 'in' | 'out';
  readonly unit_code: string;
  readonly count: number;
}

/** 'in: ICU 1; out: SUR 2B 2'; null where nothing is said. */
function formatTransfer(moves: readonly Move[]): string | null {
  const sides = (['in', 'out'] as const).flatMap((direction) => {
    const said = moves.filter((move) => move.direction === direction);
    const parts = said.map(({ unit_code, count }) => `${unit_code} ${count}`).sort();
    return parts.length > 0 ? [`${direction}: ${parts.join(', ')}`] : [];
  });
  return sides.length > 0 ? sides.join('; ') : null;
}

function entryOf({ unitDay: { report } }: ActContext, { before, after }: Changed): ActResult['entries'][number] {
  return {
    action: 'unit_day.save',
    before,
    after,
    afterApproval: Boolean(report?.amend_code),
    reasonCode: report?.amend_code ?? null,
    reason: report?.amend_reason ?? null,
  };
}

/** Stores all that this unit says of its moves; what the partners say stays. A move of which nobody says anything goes. */
async function replaceTransfers(
  tx: DatabaseTransaction,
  { facilityNo, unitNo, date, population }: UnitDayKey,
  said: readonly SaidTransfer[],
): Promise<void> {
  for (const direction of ['in', 'out'] as const) {
    const given = said.filter((transfer) => transfer.direction === direction);
    const partners = given.map(({ partner_no }) => partner_no);
    const counts = given.map(({ count }) => count);
    const [own, other, mine, theirs] =
      direction === 'out'
        ? (['from_unit', 'to_unit', 'out_count', 'in_count'] as const)
        : (['to_unit', 'from_unit', 'in_count', 'out_count'] as const);
    const unsaid = sql`
      where census_date = ${date} and population = ${population} and ${sql.ref(own)} = ${unitNo}
        and ${sql.ref(mine)} is not null and ${sql.ref(other)} <> all(${partners}::integer[])`;
    await sql`delete from unit_transfers ${unsaid} and ${sql.ref(theirs)} is null`.execute(tx);
    await sql`update unit_transfers set ${sql.ref(mine)} = null ${unsaid}`.execute(tx);
    await sql`
      insert into unit_transfers (facility_no, census_date, population, ${sql.ref(own)}, ${sql.ref(other)}, ${sql.ref(mine)})
      select ${facilityNo}, ${date}, ${population}, ${unitNo}::integer, partner_no, count
      from unnest(${partners}::integer[], ${counts}::smallint[]) as given (partner_no, count) order by partner_no
      on conflict (census_date, from_unit, to_unit, population) do update set ${sql.ref(mine)} = excluded.${sql.ref(mine)}
    `.execute(tx);
  }
}

/** Makes the report; the primary key lets nobody make it twice. */
async function insertReport(
  tx: DatabaseTransaction,
  key: UnitDayKey,
  row: StoredEntry & StoredState & Authors & Pick<Report, 'saved_by' | 'saved_request'>,
) {
  await tx
    .insertInto('unit_census')
    .values({
      ...row,
      facility_no: key.facilityNo,
      unit_no: key.unitNo,
      census_date: key.date,
      population: key.population,
    })
    .execute();
}
