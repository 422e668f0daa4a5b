import { test as base } from '@playwright/test';
import { takeConsole, watchBrowser } from './browser/console-watch.ts';

interface OfEveryTest {
  readonly emptyConsole: undefined;
}

/** The `test` of every journey: it fails where a browser said what the test did not mean (F-C6). */
export const test = base.extend<OfEveryTest>({
  browser: [
    async ({ browser }, use) => {
      watchBrowser(browser);
      await use(browser);
    },
    { scope: 'worker' },
  ],
  emptyConsole: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its pattern
    async ({}, use, testInfo) => {
      await use(undefined);
      const problems = await takeConsole();
      const hasFailed = testInfo.errors.length > 0;
      // What was meant may not have come because the test ended early.
      const told = hasFailed ? problems.filter((line) => line.startsWith('not meant')) : problems;
      if (told.length > 0) throw new Error(`F-C6 what the consoles said:\n${told.join('\n')}`);
    },
    { auto: true },
  ],
});
