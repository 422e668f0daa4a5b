import { defineConfig } from 'vitest/config';

// As with the journeys: what passes on its second try is named in the summary of `npm test`, and mended.
const retry = process.env['CI'] ? 1 : 0;

export default defineConfig({
  test: {
    // Half of what the server's tests do is to wait for PostgreSQL: no core is left to itself.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts', 'tools/**/*.test.ts', 'tools/**/*.test.mjs'],
          environment: 'node',
          retry,
          globalSetup: ['apps/server/src/testing/global-setup.ts'],
          // For what hangs only: a busy machine takes ten times as long as a quiet one.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'web',
          include: ['packages/**/*.test.{ts,tsx}', 'apps/web/**/*.test.{ts,tsx}'],
          environment: 'node',
          retry,
          testTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
