import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { inRoot } from './tools/lib/paths.mjs';
import { filesWithOwnModules } from './tools/lib/test-runs/test-files.mjs';
import { TestOrder } from './tools/lib/test-runs/test-order.mjs';

// Read here only: tests ask apps/server/src/testing/nightly.ts.
const isNightly = process.env['WARDLINE_NIGHTLY'] === '1';
const manyRuns = isNightly ? ['tools/lib/test-runs/many-runs.mjs'] : [];

// As with the journeys: what passes on its second try is named in the summary of `npm test`, and mended.
const retry = process.env['CI'] ? 1 : 0;

// For what hangs only: a busy machine takes ten times as long as a quiet one.
const limitMs = isNightly ? 600_000 : 60_000;

/** Patterns of files, as `npm test` gives them. */
const leftOut = process.env['WARDLINE_LEFT_OUT']?.split(' ') ?? [];

const server = {
  include: ['apps/server/**/*.test.ts', 'tools/**/*.test.mjs'],
  environment: 'node',
  retry,
  provide: { isNightly },
  setupFiles: manyRuns,
  globalSetup: ['apps/server/src/testing/global-setup.ts'],
  testTimeout: limitMs,
  hookTimeout: limitMs,
  expect: { poll: { timeout: 20_000 } },
} satisfies TestProjectInlineConfiguration['test'];

const web = {
  include: ['packages/**/*.test.{ts,tsx}', 'apps/web/**/*.test.{ts,tsx}'],
  environment: 'node',
  retry,
  setupFiles: ['apps/web/src/testing/after-each.ts', ...manyRuns],
  testTimeout: limitMs,
  hookTimeout: limitMs,
  expect: { poll: { timeout: 20_000 } },
} satisfies TestProjectInlineConfiguration['test'];

// Files share a worker's modules, which are loaded once and not once a file; these cannot.
const serverAlone = filesWithOwnModules('apps/server');
const webAlone = [...filesWithOwnModules('apps/web'), ...filesWithOwnModules('packages')];

export default defineConfig({
  test: {
    // Half of what the server's tests do is to wait for PostgreSQL: one more than there are cores keeps them busy.
    maxWorkers: availableParallelism() + 1,
    // Also on the machine of the person who works: a forgotten `.only` would hide every other test.
    allowOnly: false,
    sequence: { sequencer: TestOrder },
    // What a file is compiled to stays for the next run: half of the time of a run of one file. `npx vitest --clearCache` removes it.
    experimental: { fsModuleCache: true, fsModuleCachePath: inRoot('node_modules/.cache/wardline/test-modules') },
    projects: [
      { test: { ...server, name: 'server', isolate: false, exclude: [...serverAlone, ...leftOut] } },
      { test: { ...server, name: 'server, own modules', include: serverAlone, exclude: leftOut } },
      { test: { ...web, name: 'web', isolate: false, exclude: webAlone } },
      { test: { ...web, name: 'web, own modules', include: webAlone } },
    ],
  },
});
