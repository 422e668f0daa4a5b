import type { UnitDayRow } from './exchange-queries.ts';

/**
 * Groups of beds that US SAFR counts apart, with their LOINC codes: occupied, unoccupied (staffed and not blocked). Who waits in
 * the emergency department occupies no bed of the house.
 */
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
  ed_admitted: ['112507-9'],
} as const satisfies Record<string, readonly [occupied: string, unoccupied?: string]>;
export type SafrGroup = keyof typeof SAFR_GROUPS;

/** Beds of some units on one date. */
export interface Capacity {
  readonly occupied: number;
  readonly staffed: number;
  readonly blocked: number;
}

/** A unit and population, as far as it says to which groups its beds belong. */
export type Place = Pick<UnitDayRow, 'safr_group' | 'population' | 'counts_in_occupancy'>;
type Report = Place &
  Pick<UnitDayRow, 'closing' | 'on_leave' | 'beds_staffed' | 'beds_blocked' | 'counts_in_census' | 'status'>;

/** What is known of the beds of a date, and whose report is not. */
export interface KnownBeds {
  readonly units: readonly Report[];
  readonly missing: readonly Place[];
}

const ADULT: readonly string[] = ['adult_icu', 'adult_pcu', 'adult_med_surg', 'adult_observation', 'obstetric'];
const PEDIATRIC: readonly string[] = ['peds', 'peds_icu'];

type IsMember = (place: Place) => boolean;

/** Which units a group is made of. Newborn bassinets are beds of the nursery and of neonatal care alone. */
const MEMBERS: Readonly<Record<SafrGroup, IsMember>> = {
  all_inpatient: isInpatient,
  adult_total: (place) => isInpatient(place) && ADULT.includes(place.safr_group ?? ''),
  adult_icu: inGroup('adult_icu'),
  adult_pcu: inGroup('adult_pcu'),
  adult_med_surg: inGroup('adult_med_surg'),
  adult_observation: inGroup('adult_observation'),
  peds_total: (place) => isInpatient(place) && PEDIATRIC.includes(place.safr_group ?? ''),
  peds_icu: inGroup('peds_icu'),
  obstetric: inGroup('obstetric'),
  nursery: ({ safr_group }) => safr_group === 'nursery',
  nicu: ({ safr_group }) => safr_group === 'nicu',
  ed_admitted: inGroup('ed_admitted'),
};

function isInpatient({ population, counts_in_occupancy }: Place): boolean {
  return population === 'adult_and_child' && counts_in_occupancy;
}

function inGroup(group: SafrGroup): IsMember {
  return (place) => place.population === 'adult_and_child' && place.safr_group === group;
}

/** The beds of a group; null where it has no unit or one of its units is missing: the beds of some are not those of all. */
export function capacityOf(group: SafrGroup, beds: KnownBeds): Capacity | null {
  return capacityWhere(MEMBERS[group], beds);
}

/** All intensive care beds: adults' and children's. */
export function icuCapacity(beds: KnownBeds): Capacity | null {
  return capacityWhere((place) => MEMBERS.adult_icu(place) || MEMBERS.peds_icu(place), beds);
}

function capacityWhere(isMember: IsMember, { units, missing }: KnownBeds): Capacity | null {
  const members = units.filter((unit) => isMember(unit) && isCounted(unit));
  if (members.length === 0 || missing.some(isMember)) return null;
  return {
    occupied: sum(members, ({ closing, on_leave }) => (closing ?? 0) - (on_leave ?? 0)),
    staffed: sum(members, ({ beds_staffed }) => beds_staffed),
    blocked: sum(members, ({ beds_blocked }) => beds_blocked),
  };
}

/** Handed in, by a unit that the facility's own sums count too. */
function isCounted({ counts_in_census, status, closing }: Report): boolean {
  return counts_in_census && closing !== null && status !== 'draft' && status !== 'returned';
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
