import { expect, type Page } from '@playwright/test';
import { v7 as newId } from 'uuid';
import {
  failedLoad,
  NO_HANDOVERS,
  NOBODY_TO_ASK,
  SESSION_IS_OVER,
  SIGN_OUT_OWED,
} from '../../support/browser/console-lines.ts';
import { cutNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, fillSignIn, openBrowser, untilOfflineReady } from '../../support/browser-person.ts';
import { composer, messageRow, openChat, write } from '../../support/chat-page.ts';
import { test } from '../../support/journey.ts';
import { faults } from '../../support/laravel/faults.ts';
import { CHAT_PATH, CHAT_TITLE, EMAIL, PASSWORD } from '../../support/laravel/hospital.ts';
import { type ActiveAlert, type Installation, startInstallation } from '../../support/laravel/installation.ts';
import { TWO_FACTOR_CODE } from '../../support/laravel/routes.ts';
import { NIGHTLY, nightlyUnless } from '../../support/nightly.ts';

test.describe.configure({ timeout: 120_000 });
test.use({ serviceWorkers: 'allow' });

let there: Installation;
let person: BrowserPerson;

test.afterEach(async () => {
  person?.allowConsole(NO_HANDOVERS, 'this back end has none');
  await person?.context.close();
  await there?.stop();
});

async function enter(
  browser: Parameters<typeof openBrowser>[0],
  standing: ActiveAlert,
  ownDevice = false,
): Promise<Page> {
  there = await startInstallation(standing);
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
  const page = person.page();
  await page.goto('/chats');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await fillSignIn(page, EMAIL, { password: PASSWORD, ownDevice });
  await expect(page).toHaveURL(`${there.host.origin}/chats`);
  return page;
}

for (const standing of ['one origin', 'two ports', 'two sites'] as const) {
  test(
    `OPS-6 AUTH-5 a Laravel back end on ${standing}: sign in, read, send, hear, reload, sign out`,
    nightlyUnless(standing === 'one origin'),
    async ({ browser }) => {
      const page = await enter(browser, standing);
      await expect(page).toHaveTitle(/^(\(\d+\) )?Chats - Ward Talk$/);
      await expect(page.getByRole('link').filter({ hasText: CHAT_TITLE }).first()).toBeVisible();
      await openChat(page, CHAT_PATH);
      await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();

      await write(page, 'Coming with the spare pump.');
      await expect(messageRow(page, 'Coming with the spare pump.')).toContainText('Sent');
      expect(there.laravel.hospital.messages().map(({ body }) => body)).toContain('Coming with the spare pump.');
      there.laravel.hearFromBo(newId(), 'Thank you, room 12.');
      await expect(messageRow(page, 'Thank you, room 12.')).toBeVisible();

      await page.reload();
      await expect(messageRow(page, 'Thank you, room 12.')).toBeVisible();
      await page
        .getByRole('button', { name: /Ana Reyes/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await page.goto(CHAT_PATH);
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    },
  );
}

test('HTTP-3 the token of the cookie is decoded, and fetched once before the first write', async ({ browser }) => {
  await enter(browser, 'two ports');
  const { asked } = there.laravel;
  expect(asked.filter((line) => line === 'GET /sanctum/csrf-cookie')).toHaveLength(1);
  expect(asked.filter((line) => line === 'POST /login')).toHaveLength(1);
});

test('F-C6 a guest’s visits ask nobody who is signed in, not after a wrong password either, and nothing fails to load', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  there = await startInstallation('two ports');
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
  const page = person.page();
  for (const path of ['/', '/sign-in', '/chats']) await page.goto(path);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(there.laravel.asked).toEqual([]);
  person.expectConsole(failedLoad(422, '/login'), 'the password is wrong');
  await fillSignIn(page, EMAIL, { password: 'not the password at all' });
  await expect(page.getByRole('alert')).toHaveText('These credentials do not match our records.');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(there.laravel.asked).toEqual(['GET /sanctum/csrf-cookie', 'POST /login']);
});

test('F-C6 a session that began on another page of the same host is found by its cookie', { tag: NIGHTLY }, async ({
  browser,
}) => {
  const page = await enter(browser, 'two ports');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/dashboard');
  await expect(page).toHaveTitle(/^(\(\d+\) )?Dashboard - Ward Talk$/);
});

test('F-L2 a session that ended on the server with its cookies intact shows the sign-in page at the next write, which is sent afterwards', async ({
  browser,
}) => {
  const page = await enter(browser, 'two ports');
  await openChat(page, CHAT_PATH);
  await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
  // With the write, so that nothing that the page asks by itself finds it out before.
  const endSessions = () => {
    there.laravel.endSessions();
    return 'answer';
  };
  there.laravel.fault(/POST .*\/messages$/, endSessions, 1);
  person.expectConsole(failedLoad(419, '/api/chats/{chat}/messages'), 'the session has ended');
  person.allowConsole(failedLoad(419, '/api/chats/{chat}/markers'), 'what was read may be told at the same time');
  // Whether the write that is sent again hears of it first, or something that the page asks by itself.
  person.allowConsole(failedLoad(401, '/api/*'), 'the session has ended');
  person.expectConsole(SESSION_IS_OVER, 'the session has ended');
  await write(page, 'Into an empty store of sessions.');
  await expect(page.getByText('Your session ended; your draft is kept.')).toBeVisible();
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(messageRow(page, 'Into an empty store of sessions.')).toContainText('Sent');
});

test('F-L2 a token that another application on the host has replaced is fetched anew, and the message goes at once', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const page = await enter(browser, 'one origin');
  await openChat(page, CHAT_PATH);
  await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
  await composer(page).fill('With a fresh token.');
  await page.waitForLoadState('networkidle');
  // In one step with the press: each answer that comes between brings the back end's own token again.
  await page.getByRole('button', { name: 'Send prompt' }).evaluate((button: HTMLElement) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the other application's server sets it so
    document.cookie = 'XSRF-TOKEN=of-another-app; path=/';
    button.click();
  });
  // Whichever write comes first meets the old token.
  person.expectConsole(/^failed load: 419 .*\/(messages|markers)$/, 'the token is another application’s');
  await expect(messageRow(page, 'With a fresh token.')).toContainText('Sent');
});

async function signOut(page: Page): Promise<void> {
  await expect(page.getByRole('link').filter({ hasText: CHAT_TITLE }).first()).toBeVisible();
  const signOutItem = page.getByRole('menuitem', { name: 'Sign out' });
  // A press while the page is still being filled in may close the menu again.
  await expect(async () => {
    if (!(await signOutItem.isVisible())) {
      await page
        .getByRole('button', { name: /Ana Reyes/ })
        .first()
        .click();
    }
    await signOutItem.click({ timeout: 2_000 });
  }).toPass();
}

test('F-L1 a sign-out that is answered by 419 is sent again with a fresh token, and ends the session', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const page = await enter(browser, 'one origin');
  there.laravel.fault(/POST \/logout/, faults.status(419, 'CSRF token mismatch.'), 1);
  person.expectConsole(failedLoad(419, '/logout'), 'refused once');
  person.expectConsole(failedLoad(401, '/api/user'), 'the test asks whether the session has ended');
  await signOut(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('You are not signed out yet.')).toHaveCount(0);
  expect(there.laravel.asked.filter((line) => line === 'POST /logout')).toHaveLength(2);
  expect(await page.evaluate(async () => (await fetch('/api/user')).status)).toBe(401);
});

test('F-L1 a sign-out that the server refuses is said so, also after a reload, and is told again until it is done', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const page = await enter(browser, 'two ports');
  there.laravel.fault(/POST \/logout/, faults.status(419, 'CSRF token mismatch.'));
  person.expectConsole(failedLoad(419, '/logout'), 'refused until it is healed');
  person.expectConsole(SIGN_OUT_OWED, 'refused until it is healed');
  await signOut(page);
  await expect(page.getByRole('alert').filter({ hasText: 'You are not signed out yet.' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'You are not signed out yet.' })).toBeVisible();
  const asked = there.laravel.asked.length;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => there.laravel.asked.slice(asked)).toContain('POST /logout');
  there.laravel.heal();
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await page.goto('/chats');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('F-L3 who signs in while the back end still holds their session enters', { tag: NIGHTLY }, async ({ browser }) => {
  const page = await enter(browser, 'two ports');
  // The device believes that nobody is signed in, so that it is not asked.
  await page.evaluate(() => {
    localStorage.clear();
    localStorage.setItem('wardline-signed-out-at', String(Date.now()));
  });
  person.expectConsole(/^error: The server answered signIn with a redirect[.]/, 'the session is still there');
  await page.goto('/sign-in');
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page).toHaveURL(`${there.host.origin}/dashboard`);
});

test('F-L4 who says that the device is their own is remembered by the back end', { tag: NIGHTLY }, async ({
  browser,
}) => {
  await enter(browser, 'two ports', true);
  const remembered = (await person.context.cookies()).filter(({ name }) => name.startsWith('remember_web_'));
  expect(remembered).toHaveLength(1);
});

test('F-L8 ACC-3 an account with a second step is asked for its code as Fortify takes it', async ({ browser }) => {
  there = await startInstallation('two ports');
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
  const page = person.page();
  await page.goto('/sign-in');
  there.laravel.fault(/POST \/login/, (exchange) => exchange.json(200, { two_factor: true }));
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused();
  person.expectConsole(failedLoad(422, '/two-factor-challenge'), 'a wrong code is refused');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The provided two factor authentication code was invalid.')).toBeVisible();
  await page.keyboard.type(TWO_FACTOR_CODE);
  const answered = page.waitForResponse(/waiting-handovers/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await answered;
  await expect(page.getByRole('heading', { name: /Unread chats/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByText(/did not load|could not be found/)).toHaveCount(0);
});

test('F-L9 a user as Laravel has it, with a number for an id and no memberships, signs in', { tag: NIGHTLY }, async ({
  browser,
}) => {
  there = await startInstallation('two ports');
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
  const page = person.page();
  await page.goto('/sign-in');
  const user = { id: 7, name: 'Ana Reyes', email: EMAIL, email_verified_at: '2026-11-22T16:53:32.000000Z' };
  there.laravel.fault(/GET \/api\/user$/, (exchange) => exchange.json(200, { data: user }));
  // The fake lets in by the id that Ana has elsewhere.
  person.allowConsole(failedLoad(403, '/broadcasting/auth'), 'there is no channel of number 7');
  person.allowConsole(/^warning: The channel App\.Models\.User\.\{user\} was refused with status 403/, 'the same');
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page).toHaveURL(`${there.host.origin}/dashboard`);
  await expect(page.getByRole('button', { name: /Ana Reyes/ }).first()).toBeVisible();
});

test('F-C1 a live connection that is refused for good is said so, messages still go, and it can be tried again', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  there = await startInstallation('two ports');
  there.configure({ echo: { key: 'wrong', host: '127.0.0.1', port: there.laravel.reverb.port, scheme: 'http' } });
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page).toHaveURL(/\/dashboard$/);
  await openChat(page, CHAT_PATH);
  const refused = page.getByRole('status').filter({ hasText: 'The server refused live updates.' });
  await expect(refused).toBeVisible();
  await expect(page.getByText('Reconnecting')).toHaveCount(0);
  await write(page, 'Without a socket.');
  await expect(messageRow(page, 'Without a socket.')).toContainText('Sent');
  const opens = page.waitForEvent('websocket');
  await refused.getByRole('button', { name: 'Try again' }).click();
  await opens;
});

test('AUTH-5 wrong credentials are said over the form in the words of the back end', async ({ browser }) => {
  there = await startInstallation('two ports');
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
  const page = person.page();
  await page.goto('/sign-in');
  person.expectConsole(failedLoad(422, '/login'), 'the password is wrong');
  await fillSignIn(page, EMAIL, { password: 'not the password at all' });
  await expect(page.getByRole('alert')).toHaveText('These credentials do not match our records.');
  await fillSignIn(page, EMAIL, { password: PASSWORD });
  await expect(page).toHaveURL(`${there.host.origin}/dashboard`);
});

test('AUTH-5 token mode: a second tab is signed in too, and signing out in one signs out both', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const page = await enter(browser, 'two sites');
  const second = await person.context.newPage();
  await second.goto('/chats');
  await expect(second.getByRole('link').filter({ hasText: CHAT_TITLE }).first()).toBeVisible();
  await page
    .getByRole('button', { name: /Ana Reyes/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('PWA-5 AUTH-1 without a key from the back end an own device still opens a visited chat offline', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const page = await enter(browser, 'two ports', true);
  await openChat(page, CHAT_PATH);
  await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
  await untilOfflineReady(page);
  await page.reload();
  await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
  await cutNetwork(person);
  person.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  await page.reload();
  await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
});
