/**
 * The unit whose bed this is: by what stands before its last dash, which is the unit's code or the last word of it (`3A-12` is of
 * `MED 3A`). Null where no unit fits, or several do.
 */
export function unitOfBed<Unit extends { readonly code: string }>(
  bed: string | null,
  units: readonly Unit[],
): Unit | null {
  const place = bed
    ?.slice(0, Math.max(0, bed.lastIndexOf('-')))
    .trim()
    .toUpperCase();
  if (!place) return null;
  const whole = units.filter(({ code }) => code.toUpperCase() === place);
  const found = whole.length > 0 ? whole : units.filter(({ code }) => code.toUpperCase().split(/\s+/).at(-1) === place);
  return found.length === 1 ? (found[0] ?? null) : null;
}
