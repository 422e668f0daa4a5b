import { isGap, transferGap } from '@wardline/census/rules.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import type { Blocker } from '@wardline/contract/census-facility.ts';
import { reportWords } from '../day-words.ts';
import type { TransferRow, UnitOfDayRow } from './facility-day-queries.ts';

/** Everything that keeps a day from being signed, the missing reports first. */
export function blockersOf(units: readonly UnitOfDayRow[], transfers: readonly TransferRow[]): Blocker[] {
  return [...units.flatMap(missingReport), ...units.flatMap(unapprovedReport), ...transfers.flatMap(unreconciled)];
}

function missingReport(unit: UnitOfDayRow): Blocker[] {
  if (isHandedIn(unit.status)) return [];
  return [{ ...placeOf(unit), code: 'UNIT_MISSING', message: `${reportWords(unit)} report missing` }];
}

function unapprovedReport(unit: UnitOfDayRow): Blocker[] {
  if (unit.status === 'submitted') {
    return [{ ...placeOf(unit), code: 'WRONG_STATUS', message: `${reportWords(unit)} to approve` }];
  }
  if (unit.status === 'amending') {
    return [{ ...placeOf(unit), code: 'WRONG_STATUS', message: `${reportWords(unit)} being corrected` }];
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
      class: cell.class,
      message: `Transfer gap ${transferGap([cell])}: ${cell.from_code}, ${cell.to_code}`,
    },
  ];
}

function placeOf({ unit_id, unit_code, class: ofClass }: UnitOfDayRow) {
  return { unit_id, unit_code, partner_unit_id: null, class: ofClass };
}
