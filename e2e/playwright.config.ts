import { defineConfig } from '@playwright/test';
import { chromiumPath } from './support/chromium-path.ts';

export default defineConfig({
  testDir: 'journeys',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  globalSetup: './support/global-setup.ts',
  // Each journey has its own server, database and ports.
  workers: 2,
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: ['--no-sandbox'] },
  },
});
