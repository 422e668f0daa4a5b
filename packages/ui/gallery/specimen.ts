import type { ComponentType } from 'react';

export const GROUPS = ['Foundations', 'Actions', 'Forms', 'Marks', 'Data', 'Feedback', 'Overlays', 'Pages'] as const;
export type SpecimenGroup = (typeof GROUPS)[number];

/** One look at a component. With `height` it is a page of its own, shown in a frame of that height. */
export type SpecimenCase = {
  name: string;
  Show: ComponentType;
  height?: number | undefined;
};

/** A section of the gallery. Each file in specimens/ exports one as `specimen`. */
export type Specimen = {
  id: string;
  title: string;
  group: SpecimenGroup;
  cases: readonly SpecimenCase[];
};

/** Every value of a union. The compiler asks for the one that is missing. */
export function every<Value extends string>(all: Readonly<Record<Value, true>>): Value[] {
  return Object.keys(all) as Value[];
}

/** The address of one case as a page of its own, under the gallery's own address. */
export function caseName(specimen: Specimen, index: number): string {
  return `${specimen.id}-${index + 1}`;
}
