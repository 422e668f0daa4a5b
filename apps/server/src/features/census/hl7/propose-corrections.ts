import { FEED_FIELDS, type Population } from '@wardline/contract/census/census.ts';
import type { ProposedCount } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import { appendLog, type LogAuthor, lockHead, type NewLogEntry } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { findFeedDay } from './feed-queries.ts';
import { mergeTouched, type Touched } from './outcome.ts';
import {
  closeProposal,
  findSignedReports,
  insertProposal,
  isAnyHandedIn,
  type SignedReport,
} from './proposal-queries.ts';
import { proposalValues } from './proposal-values.ts';
import type { Stay } from './replay.ts';

/** A proposed correction, and of which date. */
export interface ProposedDay {
  readonly id: string;
  readonly date: string;
}

/** What the patient system says differently of a visit than before. */
export interface Told {
  readonly touched: readonly Touched[];
  /** Absences that are told differently. */
  readonly leaves: readonly Stay[];
  /** Whether the report of a touched unit-day is in. */
  readonly isAnyIn: boolean;
  /** The census date about which somebody is asked, or no more, whether a patient was in. */
  readonly asked: string | null;
}

/**
 * What comes late never changes a signed report: where the patient system now tells another count of one than before, and
 * another than was signed, that is proposed. What differed already when it was signed is not: the signer has judged it.
 */
export async function proposeCorrections(
  tx: Transaction,
  { place, author }: { readonly place: FacilityConfig; readonly author: LogAuthor },
  told: readonly Told[],
): Promise<ProposedDay[]> {
  const { facility_no: facilityNo } = place;
  const leaves = told.flatMap((visit) => visit.leaves);
  const onLeave = leaves.length === 0 ? [] : await findLeaveDays(tx, { facilityNo, leaves });
  if (!told.some(({ isAnyIn }) => isAnyIn) && !(await isAnyHandedIn(tx, onLeave))) return [];
  const days = mergeTouched([...told.flatMap(({ touched }) => touched), ...onLeave]);
  // From here on nobody signs until this is committed, and whatever was signed before is seen.
  await lockHead(tx, facilityNo);
  const done: ActResult[] = [];
  for (const report of await findSignedReports(tx, { facilityNo, days })) {
    const change = await compare(tx, facilityNo, report);
    if (change) done.push({ ...change, date: report.date });
  }
  await appendLog(tx, { facilityNo, author, entries: done.map(({ entry }) => entry) });
  return done.map(({ id, date }) => ({ id, date }));
}

interface ActResult extends ProposedDay {
  readonly entry: NewLogEntry;
}

/** Opens, changes or closes the proposal about a signed report; null where it stays as it is. */
async function compare(tx: Transaction, facilityNo: number, report: SignedReport) {
  const { unitNo, date, population, censusAt, open } = report;
  const feed = await findFeedDay(tx, { facilityNo, unitNo, date, population, censusAt });
  const proposed = new Set([...report.fields, ...(open?.counts.map(({ field }) => field) ?? [])]);
  const counts = FEED_FIELDS.filter((field) => proposed.has(field))
    .map((field) => ({ field, signed: report.signed[field], told: feed?.counts[field] ?? 0 }))
    .filter(({ signed, told }) => signed !== told);
  if (!open) {
    if (counts.length === 0) return null;
    const id = await insertProposal(tx, { facilityNo, unitNo, date, population, counts });
    return { id, entry: raised(report, counts) };
  }
  if (counts.length === 0) {
    await closeProposal(tx, { id: open.id, state: 'agreed', by: null, reason: null });
    return { id: open.id, entry: { action: 'proposal.agree', ...placeOf(report) } as const };
  }
  if (isSame(counts, open.counts)) return null;
  await updateProposal(tx, { id: open.id, counts });
  return { id: open.id, entry: raised(report, counts) };
}

function isSame(one: readonly ProposedCount[], other: readonly ProposedCount[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ field, told }) => other.some((count) => count.field === field && count.told === told))
  );
}

function raised(report: SignedReport, counts: readonly ProposedCount[]): NewLogEntry {
  const { signed: before, told: after } = proposalValues(counts);
  return { action: 'proposal.raise', ...placeOf(report), before, after };
}

function placeOf({ unitNo, unitId, unitCode, date, population }: SignedReport) {
  return { unit: { unitNo, unitId, unitCode }, date, population };
}

/** The unit-days whose census hours lie in these absences, as far as they have come. */
async function findLeaveDays(
  tx: DatabaseTransaction,
  { facilityNo, leaves }: { facilityNo: number; leaves: readonly Stay[] },
): Promise<Touched[]> {
  const found = await sql<{ unit_no: number; population: Population; census_date: string }>`
    select distinct l.unit_no, l.population, d.census_date
    from jsonb_to_recordset(${JSON.stringify(leaves.map(leaveRow))}::jsonb)
      as l (unit_no integer, population text, since timestamptz, until timestamptz)
    join facility_days d on d.facility_no = ${facilityNo} and tstzrange(l.since, l.until) @> d.census_at
    order by d.census_date`.execute(tx);
  return found.rows.map((row) => ({
    unitNo: row.unit_no,
    date: row.census_date,
    population: row.population,
    fields: new Set(['on_leave'] as const),
  }));
}

function leaveRow({ unitNo, population, from, to }: Stay) {
  return { unit_no: unitNo, population, since: from, until: to };
}

/** It says something else now; whoever looked at it before has to look again. */
async function updateProposal(
  tx: DatabaseTransaction,
  { id, counts }: { id: string; counts: readonly ProposedCount[] },
): Promise<void> {
  const { signed, told } = proposalValues(counts);
  await sql`
    update census_proposals set signed = ${JSON.stringify(signed)}::jsonb, told = ${JSON.stringify(told)}::jsonb,
      told_at = now(), version = version + 1
    where id = ${id}`.execute(tx);
}
