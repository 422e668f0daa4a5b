import base from './playwright.config.ts';

/** The two pictures of the manifest, made of the demo: SHELL-6. Run by `node tools/screenshots.mjs` after the look has changed. */
export default { ...base, testDir: 'screens', testMatch: 'install-screens.spec.ts' };
