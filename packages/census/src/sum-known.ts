/** The sum of what is known; null where nothing is: none counted is not 0 patients. */
export function sumKnown(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count);
}
