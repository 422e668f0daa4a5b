import { exactRatio } from '@wardline/census/ratio.ts';
import { absenceOf, isHandedIn } from '@wardline/census/states.ts';
import { sumKnown } from '@wardline/census/sum-known.ts';
import type { BoardUnit, CensusAlert } from '@wardline/contract/census/board.ts';
import type { Bands } from '@wardline/contract/census/facility.ts';
import { formatPercent } from '@wardline/format/numbers.ts';
import type { Board } from '#/features/census/core/ask-board.ts';

/**
 * The facility in numbers. What a unit has not counted is left out, beds and all: a part of it would look like room. Where none
 * has counted a number is null: an empty house is another thing.
 */
export interface BoardTotals {
  readonly inCensus: number | null;
  readonly unitsIn: number;
  readonly units: number;
  /** Units whose patients were counted again after the census hour. */
  readonly seenSince: number;
  /** Adults and children in units that have beds of their own. */
  readonly occupied: number | null;
  readonly staffed: number;
  /** Exact per cent with two decimals; null without beds. */
  readonly percent: string | null;
  readonly free: number | null;
  readonly blocked: number | null;
  /** Null where no unit reports newborn. */
  readonly newborn: { readonly present: number | null; readonly bassinets: number } | null;
  /** In the house and in no unit's bed; null where the facility has no such unit. */
  readonly boarders: { readonly present: number | null } | null;
}

/** Adds up a board. */
export function totalsOf(units: readonly BoardUnit[]): BoardTotals {
  const counted = units.filter(({ occupied }) => occupied !== null);
  const inBeds = counted.filter((unit) => unit.counts_in_occupancy && unit.population === 'adult_and_child');
  const born = units.filter((unit) => unit.counts_in_occupancy && unit.population === 'newborn');
  const boarding = units.filter((unit) => !unit.counts_in_occupancy);
  const occupied = patientsIn(inBeds);
  const staffed = sum(inBeds.map(({ beds }) => beds.staffed));
  const all = new Set(units.map(({ unit_id }) => unit_id));
  const out = new Set(units.filter(({ status }) => !isHandedIn(status)).map(({ unit_id }) => unit_id));
  return {
    inCensus: patientsIn(counted),
    unitsIn: all.size - out.size,
    units: all.size,
    seenSince: new Set(units.filter(({ basis }) => basis === 'snapshot').map(({ unit_id }) => unit_id)).size,
    occupied,
    staffed,
    percent: occupied === null ? null : exactRatio(occupied, staffed, { factor: 100 }),
    free: occupied === null ? null : sum(inBeds.map(freeBeds)),
    blocked: occupied === null ? null : sum(inBeds.map(({ beds }) => beds.blocked)),
    newborn:
      born.length === 0
        ? null
        : {
            present: patientsIn(born),
            bassinets: sum(born.map(({ occupied: here, beds }) => (here === null ? 0 : beds.staffed))),
          },
    boarders: boarding.length === 0 ? null : { present: patientsIn(boarding) },
  };
}

/** Staffed beds that a patient could take now; one unit's surplus is no other's room. */
export function freeBeds({ occupied, beds }: Pick<BoardUnit, 'occupied' | 'beds'>): number {
  return Math.max(0, beds.staffed - beds.blocked - (occupied ?? 0));
}

/** Occupied staffed beds in exact per cent, or null where nothing is counted, no beds are, or none are meant. */
export function occupancyOf({ occupied, beds, counts_in_occupancy }: BoardUnit): string | null {
  if (occupied === null || !counts_in_occupancy) return null;
  return exactRatio(occupied, beds.staffed, { factor: 100 });
}

export function isMissing(unit: Pick<BoardUnit, 'status' | 'conditions'>): boolean {
  return absenceOf(unit) === 'missing';
}

/** Whether an alert says of a unit that its report of the board's day is missing, as its card does. */
export function isAlertOf(alert: CensusAlert, { census_date }: Pick<Board, 'census_date'>, unit: BoardUnit): boolean {
  const isOfUnit =
    alert.unit_id === unit.unit_id && (alert.population === null || alert.population === unit.population);
  return alert.rule === 'report_missing' && alert.census_date === census_date && isOfUnit && isMissing(unit);
}

/** How far a unit is past a band of the facility, in words; null under the high one. */
export function formatPressure(
  unit: BoardUnit,
  { high, full }: Bands,
): { tone: 'error' | 'warning'; text: string } | null {
  if (unit.occupied === null || !unit.counts_in_occupancy) return null;
  const { staffed } = unit.beds;
  if (unit.occupied > staffed) return { tone: 'error', text: `${unit.occupied - staffed} over staffed beds` };
  const share = 100 * unit.occupied;
  if (staffed === 0 || share < high * staffed) return null;
  if (unit.occupied === staffed) return { tone: 'warning', text: 'All beds taken' };
  const band = share >= full * staffed ? full : high;
  return { tone: 'warning', text: `${share > band * staffed ? 'Over' : 'At'} ${formatPercent(band)}` };
}

/** The units that need somebody first: missing ones, then by how much of the usable beds is taken, then who waits for none. */
export function byPressure(units: readonly BoardUnit[]): BoardUnit[] {
  return units.toSorted(
    (a, b) => rank(a) - rank(b) || takenShare(b) - takenShare(a) || a.unit_code.localeCompare(b.unit_code),
  );
}

function rank(unit: BoardUnit): number {
  if (isMissing(unit)) return 0;
  if (!unit.counts_in_occupancy) return 3;
  return unit.occupied === null ? 2 : 1;
}

function takenShare({ occupied, beds }: BoardUnit): number {
  const usable = beds.staffed - beds.blocked;
  if (!occupied) return 0;
  return usable > 0 ? occupied / usable : Number.MAX_VALUE;
}

function patientsIn(units: readonly BoardUnit[]): number | null {
  return sumKnown(units.map(({ occupied }) => occupied));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
