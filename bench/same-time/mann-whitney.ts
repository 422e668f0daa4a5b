/**
 * How likely two series as different as these are where nothing differs: the two-sided Mann-Whitney U test by its normal
 * approximation, corrected for ties and for continuity (Lehmann, Nonparametrics, 1975, section 1.4). For series of 20
 * and more.
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const { rankSum, tieSum } = rank(a, b);
  const n = a.length + b.length;
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  const variance = ((a.length * b.length) / 12) * (n + 1 - tieSum / (n * (n - 1)));
  if (variance === 0) return 1;
  const z = Math.max(0, Math.abs(u - mean) - 0.5) / Math.sqrt(variance);
  return Math.min(1, erfc(z / Math.SQRT2));
}

/** The sum of the ranks of `a` among both, equals sharing theirs, and the sum of t³ - t over the groups of t equals. */
function rank(a: readonly number[], b: readonly number[]): { rankSum: number; tieSum: number } {
  const all = [...a.map((value) => ({ value, isOfA: 1 })), ...b.map((value) => ({ value, isOfA: 0 }))];
  all.sort((one, other) => one.value - other.value);
  let [rankSum, tieSum] = [0, 0];
  for (let from = 0; from < all.length; ) {
    const value = all[from]?.value;
    const after = all.findIndex((each, index) => index > from && each.value !== value);
    const to = after === -1 ? all.length : after;
    const count = to - from;
    const ofA = all.slice(from, to).reduce((sum, { isOfA }) => sum + isOfA, 0);
    rankSum += ofA * ((from + 1 + to) / 2);
    tieSum += count ** 3 - count;
    from = to;
  }
  return { rankSum, tieSum };
}

/** Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26; off by at most 1.5e-7. */
function erfc(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const terms = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  return terms.reduceRight((sum, term) => (sum + term) * t, 0) * Math.exp(-x * x);
}
