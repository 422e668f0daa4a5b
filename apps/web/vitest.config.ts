import { defineConfig } from 'vitest/config';

/** For `npx vitest` in this folder; `npm test` runs the same files from the root. A test that draws names its environment. */
export default defineConfig({
  test: { name: 'web', include: ['src/**/*.test.{ts,tsx}', 'tools/*.test.ts'] },
});
