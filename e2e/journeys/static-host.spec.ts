import { expect, test } from '@playwright/test';
import { type BrowserPerson, fillSignIn, openBrowser, untilOfflineReady } from '../support/browser-person.ts';
import { messageRow, openChat } from '../support/chat-page.ts';
import { CHAT_PATH, EMAIL, PASSWORD } from '../support/laravel/hospital.ts';
import { type Installation, startInstallation } from '../support/laravel/installation.ts';
import { NIGHTLY } from '../support/nightly.ts';

test.describe.configure({ timeout: 120_000 });
test.use({ serviceWorkers: 'allow' });

let there: Installation;
let person: BrowserPerson;
let said: string[];

test.beforeEach(async ({ browser }) => {
  there = await startInstallation('two ports');
  person = await openBrowser(browser, there.host.origin);
  said = [];
  person.page().on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
});
test.afterEach(async () => {
  await person.context.close();
  await there.stop();
});

test('OPS-6 deep links, reload and an unknown path work on a host that knows files only', async () => {
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page).toHaveURL(/\/dashboard$/);
  await openChat(page, CHAT_PATH);
  await untilOfflineReady(page);
  await page.reload();
  await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
  await page.goto('/nope?ward=3A#bed');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found: /nope?ward=3A#bed');
  const meant = [`foreign request: ${there.apiOrigin}/`, `failed load: 404 ${there.apiOrigin}/api/user/device-key`];
  expect(person.complaints().filter((line) => !meant.some((start) => line.startsWith(start)))).toEqual([]);
});

test('CFG-1 SHELL-4 a wrong value stops the app with the error page that names key, value and what is allowed', async () => {
  there.configure({ echo: { broadcaster: 'ably', key: 'k', port: 70_000 }, mode: 'basic' });
  const page = person.page();
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! An error occurred.');
  await expect(page).toHaveTitle('Error | Wardline');
  for (const line of [
    'Error details:',
    '`mode` is "basic"; allowed: cookie or token',
    'Unsupported broadcaster: ably',
    '`echo.broadcaster` is "ably"; allowed: reverb or pusher',
    '`echo.port` is 70000; allowed: a whole number from 1 to 65535',
  ]) {
    await expect(page.getByRole('main')).toContainText(line);
  }
  expect(there.laravel.asked).toEqual([]);
  there.configure({});
  await page.getByRole('link', { name: 'Go to homepage' }).click();
  await expect(page.getByRole('heading', { name: 'Oops! An error occurred.' })).toBeHidden();
});

test('CFG-2 pusher over http is refused', { tag: NIGHTLY }, async () => {
  there.configure({ echo: { broadcaster: 'pusher', key: 'k', scheme: 'http' } });
  await person.page().goto('/sign-in');
  await expect(person.page().getByRole('main')).toContainText('Pusher requires a secure connection (schema: "https")');
});

test('SHELL-5 without a configuration nothing can start: logged, with a plain message and a way to try again', async () => {
  there.host.config = null;
  const page = person.page();
  await page.goto('/chats');
  await expect(page.getByRole('alert')).toContainText('could not start. Check the connection. Load the page again.');
  expect(said.some((line) => line.startsWith('error: Error while mounting app:'))).toBe(true);
  there.configure({});
  await page.getByRole('link', { name: 'Load the page again' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('CFG-5 targets of the configuration are followed', async () => {
  there.configure({ redirect: { on_login: '/chats', on_guest_only: '/settings', on_logout: '/about' } });
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page).toHaveURL(/\/chats$/);
  await page.goto('/sign-in');
  await expect(page).toHaveURL(/\/settings$/);
});
