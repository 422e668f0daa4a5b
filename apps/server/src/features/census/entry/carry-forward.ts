import type { Finding } from '@wardline/contract/census.ts';
import { can } from '#/platform/authorise/can.ts';
import { brokenRule } from '../broken-rules.ts';
import { dayWords } from '../day-words.ts';
import { reopenDays } from '../policy.ts';
import { findMoved, insertRestatement, type LaterReport, moveOpenings, type Restatement } from './chain-queries.ts';
import type { Acting, Done } from './change-unit-day.ts';
import { unitFacts } from './require-unit.ts';

type Carried = Pick<Done, 'entries' | 'moved'>;

const NOTHING: Carried = { entries: [], moved: [] };

/**
 * After a closing was handed in: the later reports open with it, up to the first that is signed. That one and those after it
 * keep their numbers until somebody who may reopen days approves the change. What would make a later report impossible is
 * refused, naming its day.
 */
export async function carryForward(at: Acting, closing: number): Promise<Carried> {
  const moved = await findMoved(at.tx, at.facts.key, closing);
  const impossible = moved.flatMap(whatIsWrong)[0];
  if (impossible) throw brokenRule(impossible);
  const firstClosed = moved.find((report) => report.is_closed)?.census_date ?? null;
  const open = firstClosed === null ? moved : moved.filter((report) => report.census_date < firstClosed);
  return move(at, open, null);
}

/** At the approval: what waits for it behind a signature moves too, under the approver's name. */
export async function restateSigned(at: Acting): Promise<Carried> {
  const { report } = at.facts;
  if (report?.closing == null) return NOTHING;
  const moved = await findMoved(at.tx, at.facts.key, report.closing);
  const signed = moved.find((later) => later.is_closed);
  if (signed && !can(at.actor, reopenDays, unitFacts(at.facts.place))) {
    throw brokenRule({
      code: 'LOCKED',
      field: null,
      message: `${dayWords(signed.census_date)} is signed and would be restated. Someone who can reopen days has to approve this.`,
    });
  }
  return move(at, moved, signed ? at.actor.userId : null);
}

async function move(at: Acting, moved: readonly LaterReport[], approvedBy: string | null): Promise<Carried> {
  if (moved.length === 0) return NOTHING;
  const { key } = at.facts;
  const words = { ...whyOf(at), by: at.actor.userId, approvedBy };
  const restated = moved.filter((report) => report.was_handed_in && report.opening !== report.new_opening);
  const restatementNo =
    restated.length > 0 ? await insertRestatement(at.tx, key, { ...words, rows: restated.length }) : null;
  await moveOpenings(at.tx, key, { ...words, moved, restatementNo });
  return {
    entries: restated.map((report) => ({
      action: 'unit_day.restate',
      date: report.census_date,
      before: { opening: report.opening, opening_from: report.opening_from },
      after: { opening: report.new_opening, opening_from: report.new_from, restatement_no: restatementNo },
      afterApproval: report.after_approval,
      reasonCode: words.reasonCode,
      reason: words.reason,
    })),
    moved: moved.map((report) => report.census_date),
  };
}

/** The words of the correction; a report that comes after later ones has its own. */
function whyOf({ facts: { report, key } }: Acting): Pick<Restatement, 'reasonCode' | 'reason'> {
  if (report?.amend_code && report.amend_reason) return { reasonCode: report.amend_code, reason: report.amend_reason };
  return { reasonCode: 'late_slip', reason: `The report of ${dayWords(key.date)} came after it.` };
}

const MOST = 9999;

function whatIsWrong({ census_date, new_opening, new_closing, most, on_leave }: LaterReport): Finding[] {
  const day = dayWords(census_date);
  const say = (code: Finding['code'], message: string): Finding[] => [{ code, field: null, message }];
  if (new_opening < 0) return say('NEGATIVE_CLOSING', `${day} would open with ${new_opening}. Correct that day first.`);
  if (most > MOST) return say('INVALID_COUNT', `${day} would have more patients than can be counted.`);
  if (new_closing === null) return [];
  if (new_closing < 0)
    return say('NEGATIVE_CLOSING', `${day} would close with ${new_closing}. Correct that day first.`);
  if (on_leave > new_closing) {
    return say(
      'LEAVE_EXCEEDS_CENSUS',
      `${day} would close with ${new_closing}, fewer than are on leave. Correct that day first.`,
    );
  }
  return [];
}
