import { expect } from '@playwright/test';
import { ClientConfig } from '@wardline/contract/config.ts';
import { failedLoad, NO_HANDOVERS } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, fillSignIn, openBrowser, untilOfflineReady } from '../../support/browser-person.ts';
import { messageRow, openChat } from '../../support/chat-page.ts';
import { test } from '../../support/journey.ts';
import { CHAT_PATH, EMAIL, PASSWORD } from '../../support/laravel/hospital.ts';
import { type Installation, startInstallation } from '../../support/laravel/installation.ts';
import { NIGHTLY } from '../../support/nightly.ts';

test.describe.configure({ timeout: 120_000 });
test.use({ serviceWorkers: 'allow' });

let there: Installation;
let person: BrowserPerson;

test.beforeEach(async ({ browser }) => {
  there = await startInstallation('two ports');
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
});
test.afterEach(async () => {
  person.allowConsole(NO_HANDOVERS, 'this back end has none');
  await person.context.close();
  await there.stop();
});

test('OPS-6 deep links, reload and an unknown path work on a host that knows files only', {
  tag: NIGHTLY,
}, async () => {
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
});

test('CFG-1 SHELL-4 a wrong value stops the app with the error page that names key, value and what is allowed', async () => {
  there.configure({ echo: { broadcaster: 'ably', key: 'k', port: 70_000 }, mode: 'basic' });
  const page = person.page();
  person.expectConsole(/^error: Error while mounting app: ConfigProblem: /, 'the configuration is wrong');
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
  person.expectConsole(/^error: Error while mounting app: ConfigProblem: /, 'the configuration is wrong');
  await person.page().goto('/sign-in');
  await expect(person.page().getByRole('main')).toContainText('Pusher requires a secure connection (schema: "https")');
});

test('SHELL-5 without a configuration nothing can start: logged, with a plain message and a way to try again', async () => {
  there.host.config = null;
  person.expectConsole(failedLoad(404, '/config.json'), 'the host has none');
  person.expectConsole(/^error: Error while mounting app: /, 'it is said (SHELL-5)');
  const page = person.page();
  await page.goto('/chats');
  await expect(page.getByRole('alert')).toContainText('could not start. Check the connection. Load the page again.');
  there.configure({});
  await page.getByRole('link', { name: 'Load the page again' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

const ELSEWHERE = {
  csrf: '/auth/csrf',
  login: '/auth/login',
  logout: '/auth/logout',
  user: '/auth/me',
  register: '/auth/join',
  forgot_password: '/auth/forgot',
  reset_password: '/auth/reset',
  verification_notification: '/auth/again',
  verify_email: '/auth/verify',
  broadcasting_auth: '/auth/channels',
};

for (const [where, endpoints] of [
  ['at their usual addresses', {}],
  ['at other addresses', ELSEWHERE],
] as const) {
  test(`F-L6 CFG-5 registration, a forgotten password and sign-in through the recipe’s host, ${where} of the back end`, {
    tag: NIGHTLY,
  }, async ({ browser }) => {
    await Promise.all([person.context.close(), there.stop()]);
    there = await startInstallation('one origin', { endpoints });
    there.configure({ sign_up: 'open' });
    person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
    person.allowConsole(
      /^failed load: (401|419) \S+\/(broadcasting\/auth|auth\/channels)$/,
      'signed out while a channel is asked for',
    );
    const page = person.page();
    await page.goto('/sign-up');
    await page.getByLabel('Name').fill('Lina Park');
    await page.getByLabel('Email').fill('lina@ward.test');
    await page.getByLabel('Password', { exact: true }).fill('nine quiet lanterns by the pier');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goto(there.laravel.links.at(-1) ?? '');
    await expect(page.getByText('Your address is verified.')).toBeVisible();
    const signOut = page.getByRole('menuitem', { name: 'Sign out' });
    // A press while the page is still being filled in may close the menu again.
    await expect(async () => {
      if (!(await signOut.isVisible())) {
        await page
          .getByRole('button', { name: /Lina Park/ })
          .first()
          .click();
      }
      await signOut.click({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

    // A page and an operation of the back end have one address: the host tells them apart by the method.
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill('lina@ward.test');
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('We have emailed your password reset link.')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible();
    await page.goto(there.laravel.links.at(-1) ?? '');
    await page.getByRole('textbox', { name: 'New password' }).fill('seven loud kettles on the shelf');
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByText(/Your password is set/)).toBeVisible();
    await fillSignIn(page, 'lina@ward.test', { password: 'seven loud kettles on the shelf' });
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('button', { name: /Lina Park/ }).first()).toBeVisible();

    const at = ClientConfig.parse(there.host.config).endpoints;
    const { asked } = there.laravel;
    for (const line of [
      `GET ${at.csrf}`,
      `GET ${at.user}`,
      `POST ${at.register}`,
      `POST ${at.forgot_password}`,
      `POST ${at.reset_password}`,
      `POST ${at.login}`,
      `POST ${at.logout}`,
      `POST ${at.broadcasting_auth}`,
    ]) {
      await expect.poll(() => asked).toContain(line);
    }
    expect(asked.filter((line) => line.startsWith(`GET ${at.verify_email}/`))).toHaveLength(1);
    const pages = ['/sign-up', '/forgot-password', '/password-reset', '/verify-email?', '/dashboard', '/sign-in'];
    expect(asked.filter((line) => pages.some((path) => line.startsWith(`GET ${path}`)))).toEqual([]);
  });
}

test('CFG-5 targets of the configuration are followed', { tag: NIGHTLY }, async () => {
  // The settings are shown without what this back end does not have.
  for (const path of ['account', 'data-copies', 'second-factors', 'sessions', 'tokens']) {
    person.allowConsole(failedLoad(404, `/api/user/${path}`), 'Laravel has no such address');
  }
  there.configure({ redirect: { on_login: '/chats', on_guest_only: '/settings', on_logout: '/about' } });
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page).toHaveURL(/\/chats$/);
  await page.goto('/sign-in');
  await expect(page).toHaveURL(/\/settings$/);
});
