import { hundredthsOf, nursingSums, type UnitMonthHours } from '@wardline/census/nursing-hours.ts';
import type { NursingSummary } from '@wardline/contract/census-nursing.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findNursingMonths, type NursingRow } from './nursing-queries.ts';

interface Wanted {
  readonly facilityNo: number;
  /** First days of the first and of the last month that count; null: none does. */
  readonly months: { readonly first: string; readonly last: string } | null;
}

/** Numerators and denominators of nursing hours per patient day, of the facility and of each unit. */
export async function summariseNursing(
  db: RequestContext['db'],
  { facilityNo, months }: Wanted,
): Promise<NursingSummary> {
  if (months === null) return { first_month: null, last_month: null, total: nursingSums([]), units: [] };
  const rows = await findNursingMonths(db, { facilityNo, ...months });
  const unitIds = [...new Set(rows.map(({ unit_id }) => unit_id))];
  return {
    first_month: months.first.slice(0, 7),
    last_month: months.last.slice(0, 7),
    total: nursingSums(rows.map(hoursOf)),
    units: unitIds.map((unit_id) => ({
      unit_id,
      sums: nursingSums(rows.filter((row) => row.unit_id === unit_id).map(hoursOf)),
    })),
  };
}

function hoursOf(row: NursingRow): UnitMonthHours {
  return {
    rn: row.rn_hours === null ? null : hundredthsOf(row.rn_hours),
    other: row.other_hours === null ? null : hundredthsOf(row.other_hours),
    patientDays: row.patient_days,
    isWhole: row.reports >= row.reports_expected,
  };
}
