import { isHandedIn } from '@wardline/census/states.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { FacilityDay, TransferCell } from '@wardline/contract/census/day.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import type { MatrixCell, MatrixUnit } from '@wardline/ui/chart/transfer-matrix.tsx';
import { formatCount } from '#/features/census/core/format-figure.ts';

interface TransferUnit {
  readonly unit_id: string;
  readonly unit_code: string;
  readonly population: Population;
  /** A report of it is not in. */
  readonly isIncomplete: boolean;
  /** None is. */
  readonly isOut: boolean;
}

/** Who moved patients in a period, for one population. */
export interface TransferPicture {
  readonly population: Population;
  readonly units: readonly MatrixUnit[];
  readonly cells: readonly MatrixCell[];
  /** What the two sides count differently, in sentences. */
  readonly gaps: readonly { readonly key: string; readonly text: string; readonly cell: TransferCell }[];
}

/** One picture for each population in which somebody moved: added over populations a gap could hide in another. */
export function transferPictures(
  transfers: readonly TransferCell[],
  units: readonly TransferUnit[],
): TransferPicture[] {
  return (['adult_and_child', 'newborn'] as const).flatMap((name) => {
    const moves = transfers.filter(
      (cell) => cell.population === name && ((cell.out_count ?? 0) > 0 || (cell.in_count ?? 0) > 0),
    );
    return moves.length === 0 ? [] : [pictureOf(name, moves, units)];
  });
}

function pictureOf(name: Population, moves: readonly TransferCell[], units: readonly TransferUnit[]): TransferPicture {
  const taking = new Set(moves.flatMap(({ from_unit_id, to_unit_id }) => [from_unit_id, to_unit_id]));
  const codes = new Map(units.map(({ unit_id, unit_code }) => [unit_id, unit_code]));
  const codeOf = (id: string) => codes.get(id) ?? 'Another unit';
  const lacks = (id: string, what: 'isIncomplete' | 'isOut') =>
    units.some((unit) => unit.unit_id === id && unit.population === name && unit[what]);
  const isOpen = ({ gap, out_count, in_count, ...cell }: TransferCell) =>
    gap === 0 &&
    (out_count ?? 0) !== (in_count ?? 0) &&
    (lacks(cell.from_unit_id, 'isIncomplete') || lacks(cell.to_unit_id, 'isIncomplete'));
  const known = [...new Set(units.map(({ unit_id }) => unit_id))].filter((id) => taking.has(id));
  return {
    population: name,
    units: [...known, ...[...taking].filter((id) => !codes.has(id))].map((id) => ({
      id,
      label: codeOf(id),
      isOut: lacks(id, 'isOut'),
    })),
    cells: moves.map((cell) => ({
      from: cell.from_unit_id,
      to: cell.to_unit_id,
      out: cell.out_count,
      in: cell.in_count,
      isMissing: isOpen(cell),
      gap: cell.gap,
    })),
    gaps: moves
      .filter(({ gap }) => gap > 0)
      .map((cell) => ({
        key: `${cell.from_unit_id} ${cell.to_unit_id}`,
        text: formatGap(cell, [codeOf(cell.from_unit_id), codeOf(cell.to_unit_id)]),
        cell,
      })),
  };
}

/** Over several days differences may cancel out in the sums: a patient whom one side counts the day before the other. */
function formatGap(
  { out_count, in_count, gap }: TransferCell,
  [from, to]: readonly [from: string, to: string],
): string {
  const [sent, received] = [out_count ?? 0, in_count ?? 0];
  const text = `${from} sent ${formatCount(sent)}, ${to} received ${formatCount(received)}`;
  return gap === Math.abs(sent - received) ? text : `${text}; on single days they differ by ${formatCount(gap)} in all`;
}

/** By how many patients the sides of these moves differ. */
export function gapOf(pictures: readonly TransferPicture[]): number {
  return pictures.reduce((sum, { gaps }) => sum + gaps.reduce((all, { cell }) => all + cell.gap, 0), 0);
}

/** The moves of one census date. */
export function dayTransfers({ transfers, units }: FacilityDay): TransferPicture[] {
  return transferPictures(
    transfers,
    units.map((unit) => ({ ...unit, isIncomplete: !isHandedIn(unit.status), isOut: !isHandedIn(unit.status) })),
  );
}

/** The moves of a longer period, each pair of units added up. */
export function periodTransfers({ transfers, units }: CensusSummary): TransferPicture[] {
  return transferPictures(
    transfers,
    units.map(({ sums, ...unit }) => ({
      ...unit,
      isIncomplete: sums.units_reported < sums.units_expected,
      isOut: sums.units_reported === 0,
    })),
  );
}
