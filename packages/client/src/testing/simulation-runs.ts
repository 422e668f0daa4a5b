const isNightly = Boolean(process.env['WARDLINE_NIGHTLY']);

/** How a simulation is played: the same thousand seeds with every test, a million others each night. */
export const SIMULATION_RUNS = isNightly ? { numRuns: 1_000_000 } : { numRuns: 1000, seed: 20_260_101 };

/** For what hangs only. */
export const SIMULATION_LIMIT_MS = isNightly ? 4 * 60 * 60 * 1000 : 120_000;
