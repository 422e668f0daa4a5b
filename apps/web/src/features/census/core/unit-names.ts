import type { UnitOfDay } from '@wardline/contract/census/day.ts';

interface Named {
  readonly unit_id: string;
  readonly unit_code: string;
  readonly population: UnitOfDay['population'];
}

/** A unit's code; the population stands beside it only where the unit reports both. */
export function namesOf<Unit extends Named>(units: readonly Unit[]): (unit: Named) => string {
  const both = new Set(units.filter(({ population: name }) => name === 'newborn').map(({ unit_id }) => unit_id));
  const alone = new Set(
    units.filter(({ population: name }) => name === 'adult_and_child').map(({ unit_id }) => unit_id),
  );
  return ({ unit_id, unit_code, population: name }) =>
    name === 'newborn' && both.has(unit_id) && alone.has(unit_id) ? `${unit_code}, newborn` : unit_code;
}

/** Names a report among those of one day. */
export function reportKey({ unit_id, population: name }: Pick<Named, 'unit_id' | 'population'>): string {
  return `${unit_id}-${name}`;
}
