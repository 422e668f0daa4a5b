import type { Estimate } from '@wardline/contract/census/census.ts';
import { formatCount } from './format-figure.ts';

interface Told {
  readonly census: number;
  readonly by: string;
  readonly reason: string;
}

/** `estimate 21 by Ruth Calloway: phoned the ward`. */
export function formatEstimate({ census, by, reason }: Told): string {
  return `estimate ${formatCount(census)} by ${by}: ${reason}`;
}

interface Estimated {
  /** Who is counted there; null where nobody is. */
  readonly present: number | null;
  readonly estimate?: Estimate | null | undefined;
}

/** `with an estimate 433`, beside the figure that leaves them out; null where there is nothing to add. */
export function withEstimates(units: readonly Estimated[]): string | null {
  const guessed = units.flatMap(({ present, estimate }) => (present === null && estimate ? [estimate.census] : []));
  if (guessed.length === 0) return null;
  const all = units.reduce((sum, { present }) => sum + (present ?? 0), 0) + guessed.reduce((sum, one) => sum + one, 0);
  return `with ${guessed.length === 1 ? 'an estimate' : `${formatCount(guessed.length)} estimates`} ${formatCount(all)}`;
}
