import type { getNursingHours as endpoint, NursingMonth } from '@wardline/contract/census-nursing.ts';
import { enterNursingHours } from '#/features/census/core/policy.ts';
import { requireUnitOn, unitFacts } from '#/features/census/core/require-unit.ts';
import { must } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { requireNursingMonth } from './compose-nursing-month.ts';
import { firstDayOf } from './month-days.ts';

export async function getNursingHours(
  { actor, db }: RequestContext,
  { params: { unit, month } }: InputOf<typeof endpoint>,
): Promise<NursingMonth> {
  const place = await requireUnitOn(db, { actor, unitId: unit, date: firstDayOf(month) });
  must(actor, enterNursingHours, unitFacts(place));
  return requireNursingMonth(db, place, month);
}
