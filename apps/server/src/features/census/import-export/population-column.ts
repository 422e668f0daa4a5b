import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import { Population } from '@wardline/contract/census/census.ts';
import * as z from 'zod/mini';

/** The name of a column; files of earlier exports call the population `class`. */
export function presentColumn(name: string): string {
  return name === 'class' ? 'population' : name;
}

/** Whom a line counts, adults and children where it does not say; null for what is no population. */
export function readPopulation(text: string | null): Population | null {
  const { population } = toPresentNames({ population: text ?? 'adult_and_child' });
  const read = z.safeParse(Population, population);
  return read.success ? read.data : null;
}
