import { sql } from 'kysely';
import {
  insertLogRows,
  type LogAuthor,
  lockHead,
  type NewLogEntry,
  rowsAfter,
} from '#/features/census/core/append-log.ts';
import { readDay } from '#/features/census/day/serialize-facility-day.ts';
import {
  insertSignedDay,
  type KeptFigures,
  keepFigures,
  toSignedFigures,
} from '#/features/census/day/signed-figures.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { idOf, PEOPLE, type PersonKey } from '../people.ts';
import { slipOn } from './story.ts';
import { minutesAfter, type TimedDay, type TimedReport } from './timing.ts';
import { type DemoCensus, unitOf } from './write-census.ts';

export const LOGGED_DAYS = 30;
const ROWS_AT_ONCE = 500;

/** Something that was done, when and by whom. */
export interface Said {
  readonly at: Date;
  readonly by: PersonKey;
  readonly entry: NewLogEntry;
}

/** The log of the newest days, in the order of its clock, each entry chained to the one before; signed days keep its head. */
export async function writeLog(tx: DatabaseTransaction, seed: DemoCensus, more: readonly Said[]): Promise<void> {
  const signed = await signedFigures(tx, seed);
  const said = [...reportEntries(seed), ...dayEntries(seed, signed), ...slipEntries(seed), ...more];
  const ordered = said.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const head = await lockHead(tx, seed.facilityNo);
  const authors = new Map<PersonKey, LogAuthor>();
  const authorOf = (key: PersonKey) => {
    const author = authors.get(key) ?? personAuthor(seed, key);
    authors.set(key, author);
    return author;
  };
  const rows = rowsAfter(
    { facilityNo: seed.facilityNo, ...head },
    ordered.map(({ at, by, entry }) => ({ at, author: authorOf(by), entry })),
  );
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await insertLogRows(tx, seed.facilityNo, rows.slice(from, from + ROWS_AT_ONCE));
  }
  const signedBy = idOf(seed.ids, seed.plan.signer);
  for (const [date, kept] of signed) {
    const last = rows.findLast((row) => row.action === 'facility_day.sign' && row.date === date);
    const signature = { facilityNo: seed.facilityNo, date, signedAt: last?.at ?? new Date(0), signedBy };
    await insertSignedDay(tx, { ...signature, logSeq: last?.seq ?? 0 }, kept);
  }
  await sql`
    update facility_days d set log_seq = l.seq, log_hash = l.hash
    from (select distinct on (census_date) census_date, seq, hash from census_log
      where facility_no = ${seed.facilityNo} and action = 'facility_day.sign' order by census_date, seq desc) l
    where d.facility_no = ${seed.facilityNo} and d.census_date = l.census_date`.execute(tx);
}

/** What each signed day that the log tells of says; of one that was corrected, as it was signed last. */
async function signedFigures(tx: DatabaseTransaction, seed: DemoCensus): Promise<Map<string, KeptFigures>> {
  const signed = new Map<string, KeptFigures>();
  for (const { daysBack, signedAt, clock } of seed.days) {
    if (daysBack >= LOGGED_DAYS || !signedAt) continue;
    const state = await readDay(tx, seed.place, clock.date);
    const signature = { at: signedAt, by: state.day.signed_by, overrideReason: state.day.override_reason };
    signed.set(clock.date, keepFigures(toSignedFigures({ ...state, place: seed.place, date: clock.date }, signature)));
  }
  return signed;
}

function personAuthor({ plan, ids }: DemoCensus, key: PersonKey): LogAuthor {
  const person: { name: string; brigid?: { title: string }; harbour?: { title: string } } = PEOPLE[key];
  const place = plan.everywhere ? person.brigid : person.harbour;
  return {
    actorId: idOf(ids, key),
    actorName: person.name,
    actorTitle: place?.title ?? null,
    source: 'web',
    requestId: null,
    ip: null,
    device: null,
  };
}

function reportEntries(seed: DemoCensus): Said[] {
  return seed.reports
    .filter(({ daysBack }) => daysBack < LOGGED_DAYS)
    .flatMap((report) => [...handedIn(report, seed), ...reviewed(report, seed)]);
}

/** As it was handed in: a late slip was not known then. */
function handedIn(report: TimedReport, seed: DemoCensus): Said[] {
  const { ward, daysBack, counts, opening, closing, submittedAt } = report;
  const slip = slipOn(seed.story, { code: ward.code, daysBack });
  const said = {
    ...counts,
    opening: slip?.isNext ? opening + 1 : opening,
    discharges: slip && !slip.isNext ? counts.discharges - 1 : counts.discharges,
    closing: slip ? closing + 1 : closing,
  };
  const place = placeOf(report, seed);
  return [
    {
      at: minutesAfter(submittedAt, -0.7),
      by: ward.reporter,
      entry: { ...place, action: 'unit_day.save', before: null, after: said },
    },
    {
      at: submittedAt,
      by: ward.reporter,
      entry: {
        ...place,
        action: 'unit_day.submit',
        before: { status: 'draft' },
        after: { status: 'submitted', closing: said.closing, counted: said.counted },
      },
    },
  ];
}

function reviewed(report: TimedReport, seed: DemoCensus): Said[] {
  const { ward, daysBack, reviewedAt, status } = report;
  if (!reviewedAt) return [];
  const place = placeOf(report, seed);
  const before = { status: 'submitted' };
  const told = seed.story.returned.find((one) => one.code === ward.code && one.daysBack === daysBack);
  const entry: NewLogEntry =
    status === 'returned'
      ? { ...place, action: 'unit_day.return', before, after: { status }, reason: told?.reason ?? null }
      : { ...place, action: 'unit_day.approve', before, after: { status: 'approved' } };
  return [{ at: reviewedAt, by: status === 'returned' ? seed.plan.returner : seed.plan.approver, entry }];
}

/** Signing and locking; a corrected day was signed before it was corrected, too. */
function dayEntries({ days, story, plan }: DemoCensus, signed: ReadonlyMap<string, KeptFigures>): Said[] {
  return days
    .filter(({ daysBack }) => daysBack < LOGGED_DAYS)
    .flatMap((day) => {
      const { signedAt, lockedAt, clock, daysBack } = day;
      if (!signedAt) return [];
      const sign = (at: Date, kept?: KeptFigures): Said => {
        const after = { ...signature(day), ...(kept && { figures_hash: kept.hash.toString('hex') }) };
        const entry = { action: 'facility_day.sign', date: clock.date, before: { status: 'open' }, after } as const;
        return { at, by: plan.signer, entry };
      };
      const first = slipOn(story, { daysBack }) ? [sign(minutesAfter(clock.censusAt, 664))] : [];
      const lock = lockedAt && {
        at: lockedAt,
        by: plan.signer,
        entry: {
          action: 'facility_day.lock' as const,
          date: clock.date,
          before: { status: 'approved' },
          after: { status: 'locked' },
        },
      };
      return [...first, sign(signedAt, signed.get(clock.date)), ...(lock ? [lock] : [])];
    });
}

function signature({ status }: TimedDay) {
  return { status: status === 'locked' ? 'approved' : status, transfer_gap: 0 };
}

/** A correction: the signed day is reopened, the unit corrects it, the next day’s opening follows, both are signed anew. */
function slipEntries(seed: DemoCensus): Said[] {
  const { story, plan, reports, days } = seed;
  return story.lateSlips.flatMap(({ code, daysBack, reason }) => {
    const report = reports.find((told) => told.ward.code === code && told.daysBack === daysBack);
    const next = reports.find((told) => told.ward.code === code && told.daysBack === daysBack - 1);
    const signedAt = days.find((day) => day.daysBack === daysBack)?.signedAt;
    if (!report || !next || !signedAt) return [];
    const at = (minutes: number) => minutesAfter(signedAt, minutes);
    const why = { afterApproval: true, reasonCode: 'late_slip', reason };
    const place = placeOf(report, seed);
    const { counts, closing } = report;
    const reopened = { before: { status: 'approved' }, after: { status: 'reopened' } };
    const amended = { before: { status: 'approved' }, after: { status: 'amending' } };
    const corrected = {
      before: { discharges: counts.discharges - 1, closing: closing + 1 },
      after: { discharges: counts.discharges, closing },
    };
    const moved = {
      before: { opening: next.opening + 1, closing: next.closing + 1 },
      after: { opening: next.opening, closing: next.closing },
    };
    const submitted = {
      before: { status: 'amending' },
      after: { status: 'submitted', closing, counted: counts.counted },
    };
    const approved = { before: { status: 'submitted' }, after: { status: 'approved' } };
    const entry = (by: PersonKey, minutes: number, said: NewLogEntry): Said => ({ at: at(minutes), by, entry: said });
    return [
      entry(plan.signer, -45, { action: 'facility_day.reopen', date: report.date, ...reopened, ...why }),
      entry(report.ward.reporter, -32, { ...place, action: 'unit_day.amend', ...amended, ...why }),
      entry(report.ward.reporter, -30, { ...place, action: 'unit_day.save', ...corrected, ...why }),
      entry(report.ward.reporter, -29.9, { ...place, action: 'unit_day.submit', ...submitted, afterApproval: true }),
      entry(plan.approver, -12, { ...place, action: 'unit_day.approve', ...approved, afterApproval: true }),
      entry(plan.approver, -11.9, { ...placeOf(next, seed), action: 'unit_day.restate', ...moved, ...why }),
    ];
  });
}

function placeOf({ ward, date }: TimedReport, seed: DemoCensus): Pick<NewLogEntry, 'unit' | 'date' | 'population'> {
  return { unit: unitOf(seed, ward), date, population: ward.population };
}
