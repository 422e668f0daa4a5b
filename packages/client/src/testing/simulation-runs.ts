/** How many seeds a simulation plays: a thousand with every test, a million at night. */
export const SIMULATION_RUNS = process.env['WARDLINE_NIGHTLY'] ? 1_000_000 : 1_000;

/** For what hangs only. */
export const SIMULATION_LIMIT_MS = process.env['WARDLINE_NIGHTLY'] ? 4 * 60 * 60 * 1000 : 120_000;
