import base from './playwright.config.ts';

/** Pictures of every route, for eyes; nothing is asserted. Run by `npm run screens`. */
export default { ...base, testDir: 'screens', timeout: 300_000 };
