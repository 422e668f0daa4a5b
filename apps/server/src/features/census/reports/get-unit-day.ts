import type { getUnitDay as endpoint } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { approveReports, seeUnit } from '#/features/census/core/policy.ts';
import { requireUnitOn, unitSubject } from '#/features/census/core/require-unit.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { serializeUnitDay } from './unit-day/serialize-unit-day.ts';
import type { UnitDayKey } from './unit-day/unit-day-queries.ts';
import { loadUnitDay, type UnitDayState } from './unit-day/unit-day-state.ts';

type Endpoint = typeof endpoint;

/** The report, also when it is not begun. Once somebody who may approve it has read it, it cannot be withdrawn any more. */
export async function getUnitDay(ctx: RequestContext, { params }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const place = await requireUnitOn(ctx.db, { actor: ctx.actor, unitId: params.unit, date: params.date });
  authorize(ctx.actor, seeUnit, unitSubject(place));
  const unitDay = await loadUnitDay(ctx.db, place, params);
  if (!unitDay.report && !place.known_populations.includes(params.population)) throw new AppError('not_found');
  if (isFirstReview(ctx, unitDay)) await review(ctx, unitDay);
  return serializeUnitDay({ ...ctx, now: new Date() }, unitDay);
}

function isFirstReview({ actor }: RequestContext, { report, place }: UnitDayState): boolean {
  return (
    report?.status === 'submitted' &&
    report.reviewed_at === null &&
    report.submitted_by !== actor.userId &&
    can(actor, approveReports, unitSubject(place))
  );
}

async function review(ctx: RequestContext, { key, place }: UnitDayState): Promise<void> {
  const { facility_id: facilityId, unit_id: unitId } = place;
  await ctx.write('census.unit_day.review', async (tx) => {
    const isNoted = await noteReview(tx, key, new Date());
    const detail = { date: key.date, population: key.population };
    return {
      result: undefined,
      audit: isNoted ? { facilityId, objectType: 'unit_day', objectId: unitId, detail } : null,
      publish: isNoted ? censusChanged(facilityId, [{ dates: [key.date], unitId }]) : [],
    };
  });
}

/** Notes that somebody who may approve has looked at it. False when somebody had before, or it is not submitted any more. */
async function noteReview(tx: DatabaseTransaction, key: UnitDayKey, at: Date): Promise<boolean> {
  const noted = await sql`
    update unit_census set reviewed_at = ${at}
    where unit_no = ${key.unitNo} and census_date = ${key.date} and population = ${key.population}
      and status = 'submitted' and reviewed_at is null returning 1`.execute(tx);
  return noted.rows.length > 0;
}
