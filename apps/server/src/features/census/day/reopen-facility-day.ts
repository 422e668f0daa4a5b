import { isReason } from '@wardline/census/rules.ts';
import type * as contract from '@wardline/contract/census/day.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendAfter } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { reopenDays } from '#/features/census/core/policy.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type CheckedDay, changeDay } from './change-day.ts';
import type { DayKey } from './facility-day-queries.ts';

type Endpoint = typeof contract.reopenFacilityDay;

/** Takes a signature back. The reports stay locked until one is amended, and the day is signed anew. */
export async function reopenFacilityDay(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
): Promise<ReplyOf<Endpoint>> {
  const check = (day: CheckedDay) => mustBeReopenable(day, body.reason);
  const act = { action: 'facility_day.reopen', wanted: reopenDays, params, body, check } as const;
  return changeDay(ctx, act, async (held) => {
    const { reason_code: reasonCode, reason } = body;
    mustBeReopenable(held, reason);
    const { tx, place, head, date, day } = held;
    await storeReopening(tx, { facilityNo: place.facility_no, date }, { code: reasonCode, reason });
    const entry = { date, before: { status: day.status }, after: { status: 'reopened' }, afterApproval: true };
    await appendAfter(tx, head, {
      facilityNo: place.facility_no,
      author: authorOf(ctx, place.facility_id),
      entries: [{ action: 'facility_day.reopen', ...entry, reasonCode, reason }],
    });
    return { detail: { from: day.status, reason_code: reasonCode } };
  });
}

function mustBeReopenable({ day, date, place }: CheckedDay, reason: string): void {
  if (day.status !== 'approved' && day.status !== 'locked') {
    throw brokenRule({ code: 'WRONG_STATUS', field: null, message: `${formatDay(date, place)} is not signed.` });
  }
  if (isReason(reason)) return;
  const message = 'Enter a reason of at least 5 characters for reopening the day.';
  throw brokenRule({ code: 'REASON_REQUIRED', field: 'reason', message });
}

async function storeReopening(
  tx: DatabaseTransaction,
  { facilityNo, date }: DayKey,
  { code, reason }: { code: string; reason: string },
): Promise<void> {
  await sql`
    update facility_days set status = 'reopened', reopen_code = ${code}, reopen_reason = ${reason}, version = version + 1
    where facility_no = ${facilityNo} and census_date = ${date}`.execute(tx);
}
