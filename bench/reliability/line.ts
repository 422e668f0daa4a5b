/** How much `y` grows with each unit of `x`, and the bounds within which it does with a certainty of 95 per cent. */
export interface Line {
  readonly slope: number;
  readonly from: number;
  readonly to: number;
}

/** Of the normal distribution; with fewer than some twenty points the bounds are a little too narrow. */
const QUANTILE = 1.96;

/** Least squares through at least three points, whose deviations are taken as independent of each other. */
export function fitLine(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const n = points.length;
  if (n < 3) throw new Error('a line with its bounds needs three points');
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const left = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const either = QUANTILE * Math.sqrt(left / (n - 2) / spread);
  return { slope, from: slope - either, to: slope + either };
}
