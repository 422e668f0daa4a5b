import type { NursingMonth } from '@wardline/contract/census/nursing.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import type { UnitConfig } from '#/features/census/core/config-queries.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { firstDayOf } from './month-days.ts';
import { findNursingMonths, type NursingRow } from './nursing-queries.ts';

/** A unit's month as it is given out. */
export function toNursingMonth(row: NursingRow): NursingMonth {
  return { ...row, entered_at: row.entered_at?.toISOString() ?? null };
}

/** A unit's month as it is stored now; refused where the unit has no inpatients of its own in it. */
export async function requireNursingMonth(
  db: RequestContext['db'] | Transaction,
  place: Pick<UnitConfig, 'facility_no' | 'unit_no' | 'unit_code'>,
  month: string,
): Promise<NursingMonth> {
  const [first, last] = [firstDayOf(month), firstDayOf(month)];
  const [row] = await findNursingMonths(db, { facilityNo: place.facility_no, unitNo: place.unit_no, first, last });
  if (row) return toNursingMonth(row);
  const message = `${place.unit_code} has no inpatients in beds of its own in this month.`;
  throw brokenRule({ code: 'UNIT_INACTIVE', field: 'month', message });
}
