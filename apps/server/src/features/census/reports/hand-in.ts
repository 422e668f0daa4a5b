import { formatUnusual } from '@wardline/census/forecast/usual-range.ts';
import { isGap, isReason } from '@wardline/census/rules.ts';
import type { Finding } from '@wardline/contract/census/census.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import type { SaidLine } from '#/features/census/core/deps.ts';
import { findUnitPeople } from '#/features/census/core/discussion-queries.ts';
import { removeEstimate } from '#/features/census/core/estimate-queries.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { sayOfReport } from '#/features/census/core/unit-discussion.ts';
import { membershipIn } from '#/platform/http/actor.ts';
import { carryForward } from './carry-forward.ts';
import type { ActContext, ActResult, CheckContext } from './change-unit-day.ts';
import { sidesOf } from './unit-day/conditions.ts';
import type { TransferRow } from './unit-day/transfer-queries.ts';
import type { Report, StoredState } from './unit-day/unit-day-queries.ts';
import { isExpected } from './unit-day/unit-day-state.ts';
import { standingConfirmed } from './unit-day/usual-queries.ts';

/** What keeps any report of a date from being handed in, by the clock (CEN-R10). */
export function clockFindings({ unitDay, now }: CheckContext): Finding[] {
  if (now >= unitDay.day.census_at) return [];
  const message = `${formatDay(unitDay.key.date, unitDay.place)} is not counted yet: it can be submitted after its census hour.`;
  return [{ code: 'NOT_YET_DUE', field: null, message }];
}

/** The state of a report that is handed in now. Whether it came in time is said once, of the first time. */
export function handedIn({ unitDay, actor, now }: ActContext): Partial<StoredState> {
  return {
    status: 'submitted',
    is_on_time: unitDay.report?.is_on_time ?? now <= unitDay.day.due_at,
    submitted_at: now,
    submitted_by: actor.userId,
    reviewed_at: null,
  };
}

interface HandedIn {
  readonly report: Report;
  /** As they are now. */
  readonly transfers: readonly TransferRow[];
}

/** What follows from it, once it is stored: later openings, the log, and the discussion about what does not agree. */
export async function afterHandIn(at: ActContext, { report, transfers }: HandedIn): Promise<ActResult> {
  const { status, closing, counted, on_leave } = report;
  if (closing === null || on_leave === null) throw new Error('a report was handed in without a closing');
  const carried = await carryForward(at, closing);
  const { estimate, key } = at.unitDay;
  const replaced = estimate && (await removeEstimate(at.tx, key));
  const said: SaidLine[] = [];
  const confirmed = standingConfirmed(report);
  const present = closing - on_leave;
  if (counted !== present && isReason(report.variance_reason)) {
    const body = `counted ${counted}, the report comes to ${present}: ${report.variance_reason}`;
    said.push(await sayInDiscussion(at, { body, partners: [] }));
  }
  said.push(...(await sayGaps(at, transfers)));
  const discussionChatId = said[0]?.chatId;
  return {
    entries: [
      {
        action: 'unit_day.submit',
        before: { status: at.unitDay.report?.status ?? null },
        after: {
          ...{ status, closing, counted, is_on_time: report.is_on_time },
          ...(confirmed.length > 0 && { confirmed: confirmed.map((one) => formatUnusual(one, key.date)) }),
        },
        afterApproval: report.amend_code !== null,
        reasonCode: report.amend_code,
        reason: report.amend_reason,
      },
      ...(replaced === null ? [] : [replacedEntry(replaced, closing - on_leave)]),
      ...carried.entries,
    ],
    update: { report, transfers, ...(discussionChatId !== undefined && { discussionChatId }) },
    moved: carried.moved ?? [],
    publish: said.flatMap(({ publish }) => publish),
  };
}

/** What was estimated is gone with the report, and the log says what it had been. */
function replacedEntry(estimate: number, present: number): ActResult['entries'][number] {
  return { action: 'unit_day.estimate_replace', before: { estimate }, after: { estimate: null, present } };
}

/** So many gaps are said in one line. */
const SAID = 5;

/** The second of two sides to come in shows whether they agree; if not, both units' people hear of it. */
async function sayGaps(at: ActContext, transfers: readonly TransferRow[]): Promise<SaidLine[]> {
  const gaps = transfers.filter((move) => isGap(sidesOf(move)));
  if (gaps.length === 0) return [];
  const more = gaps.length > SAID ? `; and ${gaps.length - SAID} more` : '';
  const said = gaps
    .slice(0, SAID)
    .map(({ direction, unit_code, mine, theirs }) =>
      direction === 'out'
        ? `${mine ?? 0} sent to ${unit_code}, which says it received ${theirs ?? 0}`
        : `${mine ?? 0} received from ${unit_code}, which says it sent ${theirs ?? 0}`,
    );
  const partners = gaps.map(({ partner_no }) => partner_no);
  const body = `reported a transfer that does not agree: ${said.join('; ')}${more}`;
  return [await sayInDiscussion(at, { body, partners })];
}

/** The unit reports on the date (CEN-R11). */
export function guardActive({ unitDay }: Pick<ActContext, 'unitDay'>): void {
  if (isExpected(unitDay)) return;
  const { place, key } = unitDay;
  const message = `${place.unit_code} does not report on ${formatDay(key.date, place)}.`;
  throw brokenRule({ code: 'UNIT_INACTIVE', field: null, message });
}

interface Line {
  readonly body: string;
  /** Units whose people are concerned besides this one's. */
  readonly partners: readonly number[];
}

/** Says in the discussion about a report what was done to it, and opens that discussion with the people concerned. */
export async function sayInDiscussion(
  { tx, unitDay: { place, key }, actor, deps }: ActContext,
  { body, partners }: Line,
): Promise<SaidLine> {
  const { facility_id, unit_no, unit_code, date_order } = place;
  const reporters = await findUnitPeople(tx, [unit_no, ...partners]);
  const isMember = membershipIn(actor, facility_id) !== undefined;
  const people = [...new Set([...(isMember ? [actor.userId] : []), ...reporters])];
  const report = { facility_id, unit_no, unit_code, date_order, date: key.date, population: key.population };
  const line = { people, by: { userId: actor.userId, name: actor.name }, body };
  return sayOfReport(tx, deps.discussions, { report, line });
}
