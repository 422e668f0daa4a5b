import { expect } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { openBrowser } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { EMAIL, PASSWORD } from '../../support/laravel/hospital.ts';
import { startInstallation } from '../../support/laravel/installation.ts';
import { makePackedApp, type PackedApp } from '../../support/servers/packed-app.ts';

test.describe.configure({ timeout: 300_000 });

let app: PackedApp;
test.beforeAll(async () => {
  app = await makePackedApp();
});
test.afterAll(() => app?.remove());

test('F-L11 an empty application with the packed client is built, signs in a person as Laravel has them, hears an event and signs them out', async ({
  browser,
}) => {
  expect(app.asked).toContain('zod');
  expect(app.asked.filter((name) => name.startsWith('@wardline/'))).toEqual([]);
  for (const compiler of ['node_modules/typescript/bin/tsc', 'e2e/node_modules/typescript/bin/tsc']) {
    expect(await app.run(compiler, '-p', app.folder)).toBe('');
  }
  await app.run('node_modules/vite/bin/vite.js', 'build', app.folder);

  const there = await startInstallation('one origin', { dist: app.dist });
  const person = await openBrowser(browser, there.host.origin);
  try {
    const { laravel } = there;
    laravel.fault(/POST \/broadcasting\/auth$/, (exchange) => {
      const { socket_id, channel_name } = exchange.body as { socket_id: string; channel_name: string };
      exchange.json(200, { auth: laravel.reverb.signature(socket_id, channel_name) });
    });
    const page = person.page();
    await page.goto('/');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill('not the password at all');
    person.expectConsole(failedLoad(422, '/login'), 'the password is wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText('These credentials do not match our records.');
    const user = { id: 7, name: 'Ana Reyes', email: EMAIL };
    laravel.fault(/GET \/api\/user$/, (exchange) => exchange.json(200, user));
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText(`Ana Reyes, ${EMAIL}, number 7`)).toBeVisible();

    await expect(page.getByRole('status')).toHaveText('Listening');
    laravel.reverb.broadcast('private-App.Models.User.7', 'App\\Events\\ShiftChanged', { ward: 'MED 3A' });
    await expect(page.getByRole('status')).toHaveText('Changed: MED 3A');
    await page.reload();
    await expect(page.getByText(`Ana Reyes, ${EMAIL}, number 7`)).toBeVisible();
    const names = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
    ]);
    const own = names.filter((name) => !name?.startsWith('pusher'));
    expect(own.sort()).toEqual(['shifts-7', 'shifts-device-owner']);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  } finally {
    await person.context.close();
    await there.stop();
  }
});
