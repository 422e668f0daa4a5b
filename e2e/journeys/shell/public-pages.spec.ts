import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { expectConsole } from '../../support/browser/console-watch.ts';
import { cutNetwork } from '../../support/browser/cut-network.ts';
import { openBrowser, openSignedIn, signIn, untilOfflineReady } from '../../support/browser-person.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline.stop());

const PAGES = [
  { path: '/', title: 'Wardline', heading: 'Hospital chat that keeps every message' },
  { path: '/about', title: 'About - Wardline', heading: 'About Wardline' },
  { path: '/contacts', title: 'Contacts - Wardline', heading: 'Contacts' },
  { path: '/403', title: 'Not allowed - Wardline', heading: 'You don’t have access to this page' },
  { path: '/sign-in', title: 'Sign in - Wardline', heading: 'Sign in' },
  { path: '/sign-up', title: 'Sign up - Wardline', heading: 'Sign up' },
  { path: '/forgot-password', title: 'Forgot password - Wardline', heading: 'Forgot password' },
] as const;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Withholds the configuration, and with it the moment in which the code takes over the page. */
async function holdBack(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/config.json', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

const isTakenOver = (page: Page) => expect(page.locator('[type="submit"]').first()).toBeEnabled();

test('SHELL-2 NAV-1 the public pages can be read, and lead to each other, without JavaScript', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const context = await browser.newContext({ baseURL: wardline.baseUrl, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const { path, title, heading: text } of PAGES) {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    await expect(heading(page, text)).toBeVisible();
  }
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Contacts' }).click();
  for (const path of ['/contacts', '/sign-in']) {
    await page.goto(path);
    await expect(page.locator('noscript p')).toHaveText(/^This form needs JavaScript[.]/);
    await expect(page.locator('noscript p')).toBeVisible();
  }
  await page.goto('/about');
  await page.getByRole('link', { name: 'What stays on a device' }).click();
  await expect(page).toHaveURL(/\/about#what-stays-on-a-device$/);
  await context.close();
});

test('SHELL-2 each page is taken over as it stands, and the console stays silent', async ({ browser }) => {
  const guest = await openBrowser(browser, wardline.baseUrl);
  const page = guest.page();
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(window, { firstHeading: document.querySelector('h1') });
    });
  });
  for (const { path, title, heading: text } of PAGES) {
    await page.goto(path);
    await expect(heading(page, text)).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect(page).toHaveTitle(title);
    const isSame = await page.evaluate(() => Reflect.get(window, 'firstHeading') === document.querySelector('h1'));
    expect(isSame, path).toBe(true);
  }
  await guest.context.close();
});

test('SHELL-2 what is typed before the code is there survives, and Enter sends nothing', async ({ browser }) => {
  const guest = await openBrowser(browser, wardline.baseUrl);
  const page = guest.page();
  const release = await holdBack(page);
  const documents: string[] = [];
  page.on('request', (request) => request.resourceType() === 'document' && documents.push(request.url()));
  await page.goto('/sign-in', { waitUntil: 'domcontentloaded' });
  await page.getByLabel('This is my own device').check();
  await page.getByLabel('Password', { exact: true }).fill('a secret that must not travel');
  await page.getByLabel('Email').fill('nurse@demo.test');
  await page.keyboard.press('Enter');
  release();
  await isTakenOver(page);
  await expect(page.getByLabel('Email')).toHaveValue('nurse@demo.test');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('a secret that must not travel');
  await expect(page.getByLabel('This is my own device')).toBeChecked();
  expect(documents).toEqual([`${wardline.baseUrl}/sign-in`]);
  await guest.context.close();
});

test('NAV-9 what is scrolled before the code is there stays, and is given back on return', { tag: NIGHTLY }, async ({
  browser,
}) => {
  const guest = await openBrowser(browser, wardline.baseUrl);
  const page = guest.page();
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  const release = await holdBack(page);
  await page.goto('/about', { waitUntil: 'domcontentloaded' });
  await page.evaluate(() => window.scrollTo(0, 400));
  release();
  await untilOfflineReady(page);
  expect(await scrolled()).toBe(400);
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Contacts' }).click();
  await expect(heading(page, 'Contacts')).toBeVisible();
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await expect(heading(page, 'About Wardline')).toBeVisible();
  await expect.poll(scrolled).toBe(400);
  await guest.context.close();
});

test('PWA-8 a page that is gone to from another fetches its payload, under the build’s name, once', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const guest = await openBrowser(browser, wardline.baseUrl);
  const page = guest.page();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('_payload.json') || request.resourceType() === 'document') asked.push(pathname + search);
  });
  await page.goto('/');
  const { id } = (await (await page.request.get('/builds/latest.json')).json()) as { id: string };
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
  for (const round of [1, 2]) {
    await pages.getByRole('link', { name: 'About' }).click();
    await expect(heading(page, 'About Wardline'), `round ${round}`).toBeVisible();
    await pages.getByRole('link', { name: 'Contacts' }).click();
    await expect(heading(page, 'Contacts')).toBeVisible();
  }
  await page.goBack();
  await expect(heading(page, 'About Wardline')).toBeVisible();
  await expect(page).toHaveTitle('About - Wardline');
  // Chromium may report a request late while the service worker takes the page over: the order says nothing.
  expect(asked.toSorted()).toEqual(['/', `/about/_payload.json?${id}`, `/contacts/_payload.json?${id}`]);
  await guest.context.close();
});

test('PWA-8 where the payload cannot be had, it is said and the page itself is loaded', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: wardline.baseUrl, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.route('**/about/_payload.json*', (route) => route.abort());
  expectConsole(context, failedLoad('net::ERR_FAILED', '/about/_payload.json'), 'the test withholds it');
  expectConsole(context, /^warning: Cannot load payload \/about\/_payload\.json$/, 'it is said (PWA-8)');
  await page.goto('/contacts');
  await isTakenOver(page);
  const loaded = page.waitForEvent('load');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'About' }).click();
  await loaded;
  await expect(heading(page, 'About Wardline')).toBeVisible();
  await context.close();
});

test('NAV-8 an unknown path is answered with 404 and names the path, which stays in the address', async ({
  browser,
}) => {
  const guest = await openBrowser(browser, wardline.baseUrl);
  const page = guest.page();
  for (const path of ['/nowhere', '/about/us?x=1#y', '/Sign-in']) {
    guest.expectConsole(failedLoad(404, path.replace(/[?].*/, '')), 'its status is 404');
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await expect(heading(page, `Page not found: ${path}`)).toBeVisible();
    await expect(page).toHaveURL(path);
  }
  await guest.context.close();
});

test('NAV-2 a signed-in person sees nothing of a page for guests; one whose session ended does', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const page = nurse.page();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/user', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto('/sign-in', { waitUntil: 'domcontentloaded' });
  await expect(page.locator('h1')).toHaveText('Sign in');
  await expect(heading(page, 'Sign in')).toBeHidden();
  answer();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(heading(page, 'Dashboard')).toBeVisible();
  // Away from the page first, and after its last answer, which would bring the cookie back.
  await page.waitForLoadState('networkidle');
  await page.goto('about:blank');
  await nurse.context.clearCookies();
  nurse.expectConsole(failedLoad(401, '/api/user'), 'somebody was signed in on this device');
  await page.goto('/sign-in');
  await expect(heading(page, 'Sign in')).toBeVisible();
  await nurse.context.close();
});

test('NAV-1 the start page leads who is signed in to the dashboard', { tag: NIGHTLY }, async ({ browser }) => {
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const page = nurse.page();
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Open dashboard' }).click();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await nurse.context.close();
});

test('NAV-1 a message to the operator is sent, and a text that was not stays in the tab', async ({ browser }) => {
  const guest = await openBrowser(browser, wardline.baseUrl, { phone: true });
  const page = guest.page();
  await page.goto('/contacts');
  await page.getByLabel('Message').fill('I cannot sign in.');
  await isTakenOver(page);
  await page.getByLabel('Message').fill('I cannot sign in since Monday.');
  await page.reload();
  await isTakenOver(page);
  await expect(page.getByLabel('Message')).toHaveValue('I cannot sign in since Monday.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Enter your name.')).toBeVisible();
  await page.getByLabel('Name').fill('Somebody');
  await page.getByLabel('Email').fill('somebody@people.test');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible();
  await guest.context.close();
});

test('F-C5 NAV-8 PWA-5 offline every public page, the shell and the payloads are there, and an unknown one says so', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const guest = await openBrowser(browser, wardline.baseUrl);
  const page = guest.page();
  await page.goto('/');
  await untilOfflineReady(page);
  for (const path of ['/chat/f-12', '/nowhere']) guest.expectConsole(failedLoad(404, path), 'its status is 404');
  const wrongId = await page.goto('/chat/f-12');
  expect(wrongId?.status(), 'F-C5').toBe(404);
  await cutNetwork(guest);
  const unknown = await page.goto('/nowhere?ward=3A');
  expect(unknown?.status(), 'F-C5').toBe(404);
  await expect(heading(page, 'Page not found: /nowhere?ward=3A')).toBeVisible();
  await page.getByRole('link', { name: 'Go to homepage' }).click();
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'About' }).click();
  await expect(heading(page, 'About Wardline')).toBeVisible();
  for (const { path, title, heading: text } of PAGES) {
    await page.goto(`${path}?from=offline`);
    await expect(heading(page, text)).toBeVisible();
    await expect(page).toHaveTitle(title);
  }
  await page.goto('/chats');
  await expect(page).toHaveURL('/sign-in?redirect=%2Fchats');
  await expect(heading(page, 'Sign in')).toBeVisible();
  await guest.context.close();
});

for (const look of [
  { name: 'light, desktop', dark: false, phone: false },
  { name: 'dark, phone', dark: true, phone: true },
]) {
  test(`SHELL-8 axe finds nothing on the public pages, and nothing scrolls sideways: ${look.name}`, {
    tag: NIGHTLY,
  }, async ({ browser }) => {
    const guest = await openBrowser(browser, wardline.baseUrl, look);
    const page = guest.page();
    if (look.phone) await page.setViewportSize({ width: 320, height: 640 });
    for (const { path } of PAGES) {
      await openAndSettle(page, path);
      expect(await axeViolations(page), path).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBe(0);
    }
    await guest.context.close();
  });
}

test('SHELL-5 where the app’s script cannot be loaded the page says so, and what was rendered stays', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: wardline.baseUrl, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.route('**/assets/index-*.js', (route) => route.abort());
  expectConsole(context, failedLoad('net::ERR_FAILED', '/assets/*'), 'the test withholds it');
  expectConsole(context, /^error: Error while mounting app: /, 'it is said (SHELL-5)');
  for (const path of ['/dashboard', '/about']) {
    await page.goto(path);
    await expect(page.getByRole('alert')).toHaveText(
      'Wardline could not start. Check the connection. Load the page again.',
    );
  }
  await expect(heading(page, 'About Wardline')).toBeVisible();
  await page.unroute('**/assets/index-*.js');
  await page.getByRole('link', { name: 'Load the page again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await context.close();
});

test('SHELL-5 where the configuration cannot be had the page says so, and what was rendered stays', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: wardline.baseUrl, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.route('**/config.json', (route) => route.abort());
  expectConsole(context, failedLoad('net::ERR_FAILED', '/config.json'), 'the test withholds it');
  expectConsole(context, /^error: Error while mounting app: /, 'it is said (SHELL-5)');
  await page.goto('/about');
  await expect(page.getByRole('alert')).toContainText('Wardline could not start.');
  await expect(heading(page, 'About Wardline')).toBeVisible();
  await context.close();
});
