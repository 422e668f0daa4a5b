/** The seed of every landing: what was green stays green. The nightly run takes others, and prints the one that fails. */
const LANDING_SEED = 20_261_122;
const NIGHTLY_FACTOR = 1000;
const isNightly = process.env['WARDLINE_NIGHTLY'] !== undefined;

/** How many seeds a simulation runs: so many in the tests, a thousand times as many at night. */
export function simulationRuns(count = 1000): { readonly numRuns: number; readonly seed?: number } {
  return isNightly ? { numRuns: count * NIGHTLY_FACTOR } : { numRuns: count, seed: LANDING_SEED };
}

/** No measure of speed: a simulation that does not end is stopped. */
export const SIMULATION_TIMEOUT_MS = isNightly ? 6 * 60 * 60 * 1000 : 120_000;
