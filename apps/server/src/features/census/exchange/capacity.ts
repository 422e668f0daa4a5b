import type { UnitDayRow } from './exchange-queries.ts';

/** Groups of beds that US SAFR counts apart, with their LOINC codes: occupied, unoccupied (staffed and not blocked). */
export const SAFR_GROUPS = {
  all_inpatient: ['112579-8', '112578-0'],
  adult_total: ['112577-2', '112576-4'],
  adult_icu: ['112575-6', '112574-9'],
  adult_pcu: ['112570-7', '112569-9'],
  adult_med_surg: ['112568-1', '112567-3'],
  adult_observation: ['112566-5', '112565-7'],
  peds_total: ['112564-0', '112563-2'],
  peds_icu: ['112562-4', '112561-6'],
  obstetric: ['112547-5', '112546-7'],
  nursery: ['112535-0', '112534-3'],
  nicu: ['112545-9', '112544-2'],
} as const;
export type SafrGroup = keyof typeof SAFR_GROUPS;

/** Beds of some units on one date. */
export interface Capacity {
  readonly occupied: number;
  readonly staffed: number;
  readonly blocked: number;
}

type Report = Pick<
  UnitDayRow,
  'safr_group' | 'class' | 'closing' | 'on_leave' | 'beds_staffed' | 'beds_blocked' | 'counts_in_occupancy' | 'status'
>;

const ADULT: readonly string[] = ['adult_icu', 'adult_pcu', 'adult_med_surg', 'adult_observation', 'obstetric'];
const PEDIATRIC: readonly string[] = ['peds', 'peds_icu'];

/** Which units a group is made of. Newborn bassinets are never inpatient beds of the totals. */
const MEMBERS: Readonly<Record<SafrGroup, (unit: Report) => boolean>> = {
  all_inpatient: (unit) => unit.class === 'adult_child' && unit.counts_in_occupancy,
  adult_total: (unit) => unit.class === 'adult_child' && unit.counts_in_occupancy && isAdult(unit),
  adult_icu: inGroup('adult_icu'),
  adult_pcu: inGroup('adult_pcu'),
  adult_med_surg: inGroup('adult_med_surg'),
  adult_observation: inGroup('adult_observation'),
  peds_total: (unit) => unit.class === 'adult_child' && PEDIATRIC.includes(unit.safr_group ?? ''),
  peds_icu: inGroup('peds_icu'),
  obstetric: inGroup('obstetric'),
  nursery: inGroup('nursery'),
  nicu: inGroup('nicu'),
};

function inGroup(group: SafrGroup) {
  return (unit: Report) => unit.safr_group === group;
}

function isAdult({ safr_group }: Report): boolean {
  return safr_group !== null && ADULT.includes(safr_group);
}

/** The beds of a group; null where none of its units has handed in a report, which is not the same as none occupied. */
export function capacityOf(group: SafrGroup, units: readonly Report[]): Capacity | null {
  const members = units.filter((unit) => MEMBERS[group](unit) && isCounted(unit));
  if (members.length === 0) return null;
  return {
    occupied: sum(members, ({ closing, on_leave }) => (closing ?? 0) - (on_leave ?? 0)),
    staffed: sum(members, ({ beds_staffed }) => beds_staffed),
    blocked: sum(members, ({ beds_blocked }) => beds_blocked),
  };
}

/** All intensive care beds: adults' and children's. */
export function icuCapacity(units: readonly Report[]): Capacity | null {
  const parts = [capacityOf('adult_icu', units), capacityOf('peds_icu', units)].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return {
    occupied: sum(parts, ({ occupied }) => occupied),
    staffed: sum(parts, ({ staffed }) => staffed),
    blocked: sum(parts, ({ blocked }) => blocked),
  };
}

function isCounted({ status, closing }: Report): boolean {
  return closing !== null && status !== 'draft' && status !== 'returned';
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
