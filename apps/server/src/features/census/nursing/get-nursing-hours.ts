import type { getNursingHours as endpoint, NursingMonth } from '@wardline/contract/census/nursing.ts';
import { enterNursingHours } from '#/features/census/core/policy.ts';
import { requireUnitOn, unitSubject } from '#/features/census/core/require-unit.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { firstDayOf } from './month-days.ts';
import { requireNursingMonth } from './serialize-nursing-month.ts';

export async function getNursingHours(
  { actor, db }: RequestContext,
  { params: { unit, month } }: InputOf<typeof endpoint>,
): Promise<NursingMonth> {
  const place = await requireUnitOn(db, { actor, unitId: unit, date: firstDayOf(month) });
  authorize(actor, enterNursingHours, unitSubject(place));
  return requireNursingMonth(db, place, month);
}
