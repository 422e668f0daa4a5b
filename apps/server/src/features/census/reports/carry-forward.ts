import type { Finding } from '@wardline/contract/census/census.ts';
import { counted, formatCount } from '@wardline/format/counts.ts';
import { type RawBuilder, sql } from 'kysely';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { reopenDays } from '#/features/census/core/policy.ts';
import { unitSubject } from '#/features/census/core/require-unit.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { ActContext, ActResult } from './change-unit-day.ts';
import { findMoved, type LaterReport, STORED_PARTS } from './unit-day/later-reports.ts';
import type { UnitDayKey } from './unit-day/unit-day-queries.ts';

type Carried = Pick<ActResult, 'entries' | 'moved'>;

const NOTHING: Carried = { entries: [], moved: [] };

/**
 * After a closing was handed in: the later reports open with it, up to the first that is signed. That one and those after it
 * keep their numbers until somebody who may reopen days approves the change. What would make a later report impossible is
 * refused, naming its day.
 */
export async function carryForward(at: ActContext, closing: number): Promise<Carried> {
  const moved = await findMoved(at.tx, at.unitDay.key, closing);
  guardPossible(at, moved);
  const firstClosed = moved.find((report) => report.is_closed)?.census_date ?? null;
  const open = firstClosed === null ? moved : moved.filter((report) => report.census_date < firstClosed);
  return move(at, open, null);
}

/** At the approval: what waits for it behind a signature moves too, under the approver's name. */
export async function restateSigned(at: ActContext): Promise<Carried> {
  const { report } = at.unitDay;
  if (report?.closing == null) return NOTHING;
  const moved = await findMoved(at.tx, at.unitDay.key, report.closing);
  const signed = moved.find((later) => later.is_closed);
  if (signed && !can(at.actor, reopenDays, unitSubject(at.unitDay.place))) {
    throw brokenRule({
      code: 'LOCKED',
      field: null,
      message: `${formatDay(signed.census_date, at.unitDay.place)} is signed and would be restated. Someone who can reopen days has to approve this.`,
    });
  }
  guardPossible(at, moved);
  return move(at, moved, signed ? at.actor.userId : null);
}

function guardPossible({ unitDay: { place } }: ActContext, moved: readonly LaterReport[]): void {
  const impossible = moved.flatMap((later) => whatIsWrong(later, place))[0];
  if (impossible) throw brokenRule(impossible);
}

async function move(at: ActContext, moved: readonly LaterReport[], approvedBy: string | null): Promise<Carried> {
  if (moved.length === 0) return NOTHING;
  const { key } = at.unitDay;
  const text = { ...whyOf(at, moved), by: at.actor.userId, approvedBy };
  const restated = moved.filter((report) => report.was_handed_in && report.opening !== report.new_opening);
  const restatementNo =
    restated.length > 0 ? await insertRestatement(at.tx, key, { ...text, rows: restated.length }) : null;
  await moveOpenings(at.tx, key, { ...text, moved, restatementNo });
  return {
    entries: restated.map((report) => ({
      action: 'unit_day.restate',
      date: report.census_date,
      before: { opening: report.opening, opening_from: report.opening_from },
      after: { opening: report.new_opening, opening_from: report.new_from, restatement_no: restatementNo },
      afterApproval: report.after_approval,
      reasonCode: text.reasonCode,
      reason: text.reason,
    })),
    moved: moved.map((report) => report.census_date),
  };
}

/**
 * The words of the correction, or of the return. A report that came after later ones has its own: the next one opens with an
 * earlier date, or with one that was moved since, and then it was not in when it was due.
 */
function whyOf(
  { unitDay: { report, key, place } }: ActContext,
  [next]: readonly LaterReport[],
): Pick<Restatement, 'reasonCode' | 'reason'> {
  if (report?.amend_code && report.amend_reason) return { reasonCode: report.amend_code, reason: report.amend_reason };
  const day = formatDay(key.date, place);
  const from = next?.opening_from ?? '';
  if (from >= key.date && report?.last_reason) return { reasonCode: 'other', reason: report.last_reason };
  if (from === key.date || (from > key.date && report?.is_on_time)) {
    return { reasonCode: 'other', reason: `The report of ${day} was taken back and changed.` };
  }
  return { reasonCode: 'late_slip', reason: `The report of ${day} came after it.` };
}

const MOST = 9999;

function whatIsWrong(
  { census_date, new_opening, new_closing, ends_unit, most, parts }: LaterReport,
  place: ActContext['unitDay']['place'],
): Finding[] {
  const day = formatDay(census_date, place);
  const say = (code: Finding['code'], message: string): Finding[] => [{ code, field: null, message }];
  if (new_opening < 0)
    return say('NEGATIVE_CLOSING', `${day} would open with ${formatCount(new_opening)}. Correct that day first.`);
  if (most > MOST) return say('INVALID_COUNT', `${day} would have more patients than can be counted.`);
  if (new_closing === null) return [];
  if (new_closing < 0)
    return say('NEGATIVE_CLOSING', `${day} would close with ${formatCount(new_closing)}. Correct that day first.`);
  if (ends_unit && new_closing > 0) {
    const left = counted(new_closing, 'patient');
    const message = `${day} is the unit’s last day and would close with ${left}. Have that report returned or opened for a correction first, or the last day changed.`;
    return say('UNIT_CLOSES', message);
  }
  const part = STORED_PARTS.find(({ field }) => (parts[field] ?? 0) > new_closing);
  if (!part) return [];
  return say(part.code, `${day} would close with ${new_closing}, fewer than are ${part.name}. Correct that day first.`);
}

/** Under whose words signed or submitted numbers move. */
interface Restatement {
  readonly reasonCode: string;
  readonly reason: string;
  readonly by: string;
  /** Who may reopen days and let signed ones move; null where none of them was signed. */
  readonly approvedBy: string | null;
}

async function insertRestatement(
  tx: DatabaseTransaction,
  key: UnitDayKey,
  { rows, ...text }: Restatement & { readonly rows: number },
): Promise<number> {
  const made = await tx
    .insertInto('census_restatements')
    .values({
      facility_no: key.facilityNo,
      unit_no: key.unitNo,
      population: key.population,
      from_date: key.date,
      reason_code: text.reasonCode,
      reason: text.reason,
      rows,
      created_by: text.by,
      approved_by: text.approvedBy,
    })
    .returning('restatement_no')
    .executeTakeFirstOrThrow();
  return made.restatement_no;
}

interface Moving extends Restatement {
  readonly moved: readonly LaterReport[];
  /** Null where nothing that was handed in moves. */
  readonly restatementNo: number | null;
}

/** Before the words of a restatement, where they stand for somebody's own. */
const RESTATED = 'The opening was restated: ';

/**
 * Gives the later reports their openings. A head count or a capacity that agreed before and does not now is explained by the
 * restatement's words, since nobody is there to ask. The next restatement writes them anew, or takes them away where nothing is
 * left to explain; what somebody wrote stays as it is.
 */
async function moveOpenings(tx: DatabaseTransaction, key: UnitDayKey, moving: Moving): Promise<void> {
  const { moved, by, reasonCode, reason, restatementNo } = moving;
  const column = <T>(of: (report: LaterReport) => T) => moved.map(of);
  const dates = column((report) => report.census_date);
  const textOf = (given: RawBuilder<string>) => sql<string>`left(${RESTATED}::text || ${given}, 500)`;
  const isRestated = sql`c.submitted_at is not null and c.opening is distinct from m.opening`;
  const asExplained = (why: RawBuilder<unknown>, isOdd: RawBuilder<unknown>) => {
    const isOurs = sql`starts_with(${why}, ${RESTATED}) and ${why} in (
      select ${textOf(sql`r.reason`)} from census_restatements r
      where r.facility_no = ${key.facilityNo} and r.unit_no = ${key.unitNo} and r.population = ${key.population})`;
    return (said: RawBuilder<unknown>, kept: RawBuilder<unknown>) => sql`case
      when ${isRestated} and ${isOdd} and (coalesce(char_length(btrim(${why})), 0) < 5 or ${isOurs}) then ${said}
      when ${isRestated} and ${isOurs} then null
      else ${kept} end`;
  };
  const variance = asExplained(sql`c.variance_reason`, sql`c.counted <> m.closing - c.on_leave`);
  const capacity = asExplained(
    sql`c.capacity_reason`,
    sql`c.beds_physical > 0 and m.closing - c.on_leave + c.beds_blocked > c.beds_physical`,
  );
  const text = textOf(sql`${reason}::text`);
  await sql`
    insert into unit_census_revisions (unit_no, census_date, population, version, row_data, changed_by, reason_code, reason)
    select c.unit_no, c.census_date, c.population, c.version, to_jsonb(c), ${by}, ${reasonCode}, ${reason}
    from unnest(${dates}::date[]) as m (census_date)
    join unit_census c on c.unit_no = ${key.unitNo} and c.population = ${key.population} and c.census_date = m.census_date
    where c.submitted_at is not null`.execute(tx);
  await sql`
    update unit_census c set
      opening = m.opening, opening_from = m.opening_from, version = c.version + 1,
      restatement_no = case when ${isRestated} then ${restatementNo}::integer else c.restatement_no end,
      variance_reason = ${variance(text, sql`c.variance_reason`)},
      variance_for = ${variance(sql`c.counted - (m.closing - c.on_leave)`, sql`c.variance_for`)},
      variance_by = ${variance(sql`${by}::uuid`, sql`c.variance_by`)},
      capacity_reason = ${capacity(text, sql`c.capacity_reason`)}
    from unnest(${dates}::date[], ${column((report) => report.new_opening)}::integer[],
      ${column((report) => report.new_from)}::date[], ${column((report) => report.new_closing)}::integer[]
    ) as m (census_date, opening, opening_from, closing)
    where c.unit_no = ${key.unitNo} and c.population = ${key.population} and c.census_date = m.census_date`.execute(tx);
}
