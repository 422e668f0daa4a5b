/** Cuts a bed such as `3A-12` or `MAT 2` into unit and bed for its tag; a bed without a unit has an empty one. */
export function bedParts(bed: string): { unit: string; bed: string } {
  const [, unit = '', place = bed] = /^(.{1,6}?)[-\s/](.{1,5})$/.exec(bed.trim()) ?? [];
  return { unit, bed: place };
}
