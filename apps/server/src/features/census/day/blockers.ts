import { isGap, transferGap } from '@wardline/census/rules.ts';
import { absenceOf } from '@wardline/census/states.ts';
import type { Blocker } from '@wardline/contract/census/day.ts';
import { formatReport } from '#/features/census/core/labels.ts';
import type { DayRow, TransferRow, UnitOfDayRow } from './facility-day-queries.ts';

interface Options {
  readonly day: Pick<DayRow, 'due_at'>;
  readonly units: readonly UnitOfDayRow[];
  readonly transfers: readonly TransferRow[];
}

/** Everything that keeps a day from being signed, the missing reports first. */
export function blockersOf({ day, units, transfers }: Options, now: Date): Blocker[] {
  const missing = units.flatMap((unit) => missingReport(unit, day.due_at < now));
  return [...missing, ...units.flatMap(unapprovedReport), ...transfers.flatMap(unreconciled)];
}

function missingReport(unit: UnitOfDayRow, isPastDue: boolean): Blocker[] {
  const absence = absenceOf({ status: unit.status, conditions: isPastDue ? ['late'] : ['due'] });
  if (absence === null) return [];
  const text = absence === 'missing' ? 'report missing' : absence;
  return [{ ...placeOf(unit), code: 'UNIT_MISSING', message: `${formatReport(unit)} ${text}` }];
}

function unapprovedReport(unit: UnitOfDayRow): Blocker[] {
  if (unit.status === 'submitted') {
    return [{ ...placeOf(unit), code: 'WRONG_STATUS', message: `${formatReport(unit)} to approve` }];
  }
  if (unit.status === 'amending') {
    return [{ ...placeOf(unit), code: 'WRONG_STATUS', message: `${formatReport(unit)} being corrected` }];
  }
  return [];
}

function unreconciled(cell: TransferRow): Blocker[] {
  if (!isGap(cell)) return [];
  return [
    {
      code: 'TRANSFER_UNRECONCILED',
      unit_id: cell.from_unit_id,
      unit_code: cell.from_code,
      partner_unit_id: cell.to_unit_id,
      population: cell.population,
      message: `Transfer gap ${transferGap([cell])}: ${cell.from_code}, ${cell.to_code}`,
    },
  ];
}

function placeOf({ unit_id, unit_code, population }: UnitOfDayRow) {
  return { unit_id, unit_code, partner_unit_id: null, population };
}
