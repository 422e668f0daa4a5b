import { defineConfig } from '@playwright/test';
import { chromiumPath, headlessShellPath, WHOLE_BROWSER } from './support/browser/chromium-path.ts';
import { isNightly, NIGHTLY } from './support/nightly.ts';

const isCI = Boolean(process.env['CI']);

// What component tests and other journeys prove already, once more through the whole product.
const NIGHTLY_FILES = [
  'census-clock.spec.ts',
  'census-estimates.spec.ts',
  'census-notices.spec.ts',
  'census-refusals.spec.ts',
  'census-refused-files.spec.ts',
  'census-settings.spec.ts',
  'gallery.spec.ts',
  'loading.spec.ts',
  'misbehaving.spec.ts',
  'night-shift.spec.ts',
  'packed-client.spec.ts',
  'set-up.spec.ts',
  'token-client.spec.ts',
];

const leftOut = isNightly ? [] : [new RegExp(NIGHTLY)];
const headlessShell = headlessShellPath();
const chromium = { executablePath: chromiumPath(), args: ['--no-sandbox'] };

export default defineConfig({
  testDir: 'journeys',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  ...(isNightly ? {} : { testIgnore: NIGHTLY_FILES }),
  globalSetup: './support/global-setup.ts',
  // Each journey has its own server, database and ports; three of them keep two cores busy, and a fourth was no faster.
  workers: 3,
  retries: isCI ? 1 : 0,
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    // Its installation fetches the whole app, a third of what a short journey costs: on where the journey is about it.
    serviceWorkers: 'block',
    // Recording costs a quarter of the time; where there is a second try, that one is enough.
    trace: isCI ? 'on-first-retry' : 'retain-on-failure',
  },
  projects:
    headlessShell === null
      ? [{ name: 'Chromium', grepInvert: leftOut, use: { launchOptions: chromium } }]
      : [
          {
            name: 'headless shell',
            grepInvert: [...leftOut, new RegExp(WHOLE_BROWSER)],
            use: { launchOptions: { ...chromium, executablePath: headlessShell } },
          },
          { name: 'Chromium', grep: new RegExp(WHOLE_BROWSER), grepInvert: leftOut, use: { launchOptions: chromium } },
        ],
});
