import base from './playwright.config.ts';
export default { ...base, testDir: 'screens', testMatch: 'care.spec.ts', timeout: 300_000 };
