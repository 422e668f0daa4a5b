import base from './playwright.config.ts';

/** Pictures of every route, for eyes; nothing is asserted. Run by `npm run screens`. */
export default {
  ...base,
  use: { ...base.use, serviceWorkers: 'allow' as const },
  testDir: 'screens',
  testMatch: 'screens.spec.ts',
  timeout: 300_000,
};
