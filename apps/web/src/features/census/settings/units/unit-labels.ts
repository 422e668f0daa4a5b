import type { CensusDate } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import { fullDay } from '#/features/census/core/period/period.ts';

export type SettingsUnit = CensusSettings['units'][number];
export type BedsFrom = SettingsUnit['beds'][number];

/** Beds of this date have held since before anything was dated. */
export const FROM_THE_START = '1900-01-01';

export const POPULATION_LABELS: Readonly<Record<Population, string>> = {
  adult_and_child: 'Adults and children',
  newborn: 'Newborns',
};

export function formatPopulations({ populations }: Pick<SettingsUnit, 'populations'>): string {
  return populations.map((one) => POPULATION_LABELS[one]).join(', ');
}

export function formatCounted(unit: Pick<SettingsUnit, 'counts_in_census' | 'counts_in_occupancy'>): string {
  if (!unit.counts_in_census) return 'Not counted';
  return unit.counts_in_occupancy ? 'Census and occupancy' : 'Census only';
}

export function formatActive({ active_from, active_to }: Pick<SettingsUnit, 'active_from' | 'active_to'>): string {
  if (active_from === null && active_to === null) return 'Always';
  if (active_to === null) return `From ${fullDay(active_from ?? '')}`;
  return active_from === null ? `To ${fullDay(active_to)}` : `${fullDay(active_from)} to ${fullDay(active_to)}`;
}

export function formatPeople({ people }: Pick<SettingsUnit, 'people'>): string {
  const [first, ...others] = people;
  if (!first) return 'No one';
  return others.length === 0 ? first.name : `${first.name} + ${others.length}`;
}

/** Whether people are named for it and none of them may report. */
export function hasNoReporter({ people }: Pick<SettingsUnit, 'people'>): boolean {
  return people.length > 0 && people.every(({ may_report }) => may_report === false);
}

/** The beds that hold on a date, of one population. */
export function bedsOn({ beds }: Pick<SettingsUnit, 'beds'>, of: Population, date: CensusDate): BedsFrom | undefined {
  return beds.filter((row) => row.population === of && row.from <= date).at(-1);
}

/** `28 staffed of 30`, population by population. */
export function formatBeds(unit: Pick<SettingsUnit, 'beds' | 'populations'>, date: CensusDate): string {
  const text = unit.populations.flatMap((of) => {
    const row = bedsOn(unit, of, date);
    return row ? [`${row.staffed} staffed of ${row.physical}`] : [];
  });
  return text.length === 0 ? 'None' : text.join(', ');
}
