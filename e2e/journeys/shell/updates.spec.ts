import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { brokenChunk, NOBODY_TO_ASK } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, openBrowser, signIn, untilOfflineReady } from '../../support/browser-person.ts';
import { composer, openChat } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY, nightlyUnless } from '../../support/nightly.ts';
import {
  anotherBuild,
  chunkOf,
  type DeployingProxy,
  startDeployingProxy,
} from '../../support/servers/deploying-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.use({ serviceWorkers: 'allow' });

const DOCTOR = 'doctor@demo.test';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
const BANNER = 'New content found, need refresh';
const PROMPT = 'New contend found, need refresh page';

let wardline: WardlineProcess;
let proxy: DeployingProxy;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;
let device: BrowserPerson | undefined;

test.beforeAll(async () => {
  wardline = await startWardline({ WARDLINE_BUILD_CHECK_INTERVAL: '1' });
  proxy = await startDeployingProxy(wardline.baseUrl);
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, DOCTOR);
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await proxy?.close();
  await wardline?.stop();
});
test.afterEach(async () => {
  proxy.deploy({});
  await device?.context.close();
  device = undefined;
});

const banner = (page: Page) => page.getByRole('button', { name: BANNER });
const prompt = (page: Page) => page.getByRole('region', { name: 'Update', exact: true });
const installCard = (page: Page) => page.getByRole('region', { name: 'Install App' });
const buildOf = (page: Page) => page.locator('meta[name="build"]').getAttribute('content');

/** How often the page was loaded since now. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  return () => loads;
}

/** Signs in and lets the service worker take the page over, which is so from the second load on. */
async function signInUnderWorker(browser: Browser, options: { ownDevice?: boolean } = {}): Promise<BrowserPerson> {
  const person = await signIn(browser, proxy.baseUrl, DOCTOR, options);
  await untilOfflineReady(person.page());
  await person.page().reload();
  await expect(person.page().getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  expect(await person.page().evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return person;
}

test('PWA-1 PWA-2 PWA-4 PWA-7 another build is offered in every tab, and taken by all with one press, unsent text kept', async ({
  browser,
}) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'Typed During The Update');
  device = await signInUnderWorker(browser);
  const one = await openChat(device.page(), chat.path);
  const other = await device.context.newPage();
  await other.goto('/contacts');
  await composer(one).fill('Half a sentence about');
  await other.getByLabel('Message').fill('The printer on ward 3A');
  const before = await buildOf(one);
  for (const page of [one, other]) await expect(banner(page)).toHaveCount(0);
  const [loadsOfOne, loadsOfOther] = [countLoads(one), countLoads(other)];

  proxy.deploy(await anotherBuild(wardline.baseUrl, 'second-build'));
  for (const page of [one, other]) {
    await expect(banner(page)).toBeVisible();
    await expect(prompt(page)).toContainText(PROMPT);
    await expect(prompt(page).getByRole('button')).toHaveText(['Cancel', 'Refresh']);
  }
  await expect(composer(one)).toHaveValue('Half a sentence about');
  expect([loadsOfOne(), loadsOfOther(), await buildOf(one)]).toEqual([0, 0, before]);

  // The back end is asked all the while, as in a busy chat; each page's first load ends it.
  for (const page of [one, other]) await page.evaluate(() => void setInterval(() => void fetch('/api/user'), 100));
  await prompt(one).getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => buildOf(one)).toBe('second-build');
  await expect.poll(loadsOfOther).toBe(1);
  await expect(composer(one)).toHaveValue('Half a sentence about');
  await expect(other.getByLabel('Message')).toHaveValue('The printer on ward 3A');
  for (const page of [one, other]) {
    await page
      .evaluate(() => navigator.serviceWorker.ready.then(({ waiting }) => waiting))
      .then((waiting) => {
        expect(waiting).toBeNull();
      });
    await expect(banner(page)).toHaveCount(0);
    await expect(prompt(page)).toHaveCount(0);
  }
  expect([loadsOfOne(), loadsOfOther()]).toEqual([1, 1]);
});

test('PWA-1 PWA-2 Cancel hides the prompt while the page lives and leaves the install choice; the banner stays and applies', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  device = await signInUnderWorker(browser);
  const page = device.page();
  proxy.deploy(await anotherBuild(wardline.baseUrl, 'third-build'));
  await prompt(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(prompt(page)).toHaveCount(0);
  await expect(banner(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('wardline-hide-install'))).toBeNull();

  const loads = countLoads(page);
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Chats' }).click();
  await expect(page.getByRole('heading', { name: 'Chats', level: 1 })).toBeVisible();
  // PWA-7 has made this a full load, which is another page's life: it asks again.
  await expect.poll(loads).toBe(1);
  await expect(banner(page)).toBeVisible();
  await banner(page).click();
  await expect.poll(() => buildOf(page)).toBe('third-build');
  await expect(banner(page)).toHaveCount(0);
  await expect.poll(loads).toBe(2);
});

test('PWA-7 without a service worker a newer build makes the next navigation a full load, once', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  device = await signIn(browser, proxy.baseUrl, DOCTOR, { hasNoWorker: true });
  const page = device.page();
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
  const before = await buildOf(page);
  const loads = countLoads(page);
  const looks = () => proxy.requestsFor('/builds/latest.json');

  // A page where the manifest was due, as a host gives that answers every path, is no manifest.
  proxy.deploy({ '/builds/latest.json': '<!doctype html><title>Wardline</title>' });
  const seen = looks();
  await expect.poll(looks).toBeGreaterThan(seen + 1);
  await pages.getByRole('link', { name: 'Chats' }).click();
  await expect(page.getByRole('heading', { name: 'Chats', level: 1 })).toBeVisible();
  expect([loads(), await buildOf(page)]).toEqual([0, before]);

  const files = await anotherBuild(wardline.baseUrl, 'fourth-build', ['/settings', '/dashboard']);
  const looked = page.waitForResponse(
    async (answer) => answer.url().includes('/builds/latest.json') && (await answer.text()).includes('fourth-build'),
  );
  proxy.deploy(files);
  await looked;
  expect([loads(), await buildOf(page)]).toEqual([0, before]);
  await pages.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await expect.poll(() => buildOf(page)).toBe('fourth-build');
  const again = looks();
  await expect.poll(looks).toBeGreaterThan(again + 1);
  await pages.getByRole('link', { name: 'Chats' }).click();
  await expect(page.getByRole('heading', { name: 'Chats', level: 1 })).toBeVisible();
  expect(loads()).toBe(1);
});

test('PWA-6 SHELL-4 a chunk that is gone: the target is loaded once more, then the error page, which one can leave', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const chunk = await chunkOf('_in/chats');
  proxy.deploy({ [chunk]: null });
  device = await signIn(browser, proxy.baseUrl, DOCTOR, { hasNoWorker: true });
  for (const line of brokenChunk(chunk, 404)) device.expectConsole(line, 'the chunk is gone');
  const page = device.page();
  const toChats = page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: 'Chats', exact: false });
  // That the page was loaded once more counts for 10 s, in which a busy machine may not even load it.
  await page.clock.setFixedTime(Date.now());
  const loads = countLoads(page);
  const asked = proxy.requestsFor('/chats');
  await toChats.click();
  const heading = page.getByRole('heading', { name: 'Oops! An error occurred.' });
  await expect(heading).toBeVisible();
  await expect(page).toHaveTitle('Error | Wardline');
  await expect(page.getByText('Error details:')).toBeVisible();
  await expect(page.getByText(chunk)).toBeVisible();
  await expect(page).toHaveURL(/\/chats$/);
  expect([loads(), proxy.requestsFor('/chats') - asked]).toEqual([1, 1]);

  await page.getByRole('link', { name: 'Go to homepage' }).click();
  await expect(page).toHaveURL(`${proxy.baseUrl}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Open dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await toChats.click();
  await expect(heading).toBeVisible();
  // Less than 10 s later the error page comes at once.
  expect(proxy.requestsFor('/chats') - asked).toBe(1);

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await page.evaluate(() => {
    const record = JSON.parse(sessionStorage.getItem('wardline:reload') ?? '{}');
    sessionStorage.setItem('wardline:reload', JSON.stringify({ ...record, expires: Date.now() - 1 }));
  });
  proxy.deploy({});
  await toChats.click();
  await expect(page.getByRole('heading', { name: 'Chats', level: 1 })).toBeVisible();
});

/** Makes the page's browser offer the installation, at the moment when the document is there and the app not yet. */
function offerInstall(): void {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: async () => Object.assign(window, { prompted: true }),
    userChoice: Promise.resolve({ outcome: 'accepted', platform: 'web' }),
  });
  window.dispatchEvent(event);
}

test('PWA-3 the installation is offered, early or late, by the browser’s own prompt; Cancel is remembered', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  device = await openBrowser(browser, proxy.baseUrl);
  const page = device.page();
  await page.goto('/about');
  await untilOfflineReady(page);
  await expect(installCard(page)).toHaveCount(0);
  await page.evaluate(offerInstall);
  await expect(installCard(page).getByRole('heading', { name: 'Install App' })).toBeVisible();
  await installCard(page).getByRole('button', { name: 'Install', exact: true }).click();
  await expect(installCard(page)).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { prompted?: boolean }).prompted)).toBe(true);

  await page.addInitScript(`addEventListener('DOMContentLoaded', ${offerInstall.toString()})`);
  await page.reload();
  await expect(installCard(page)).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')));
  await expect(installCard(page)).toHaveCount(0);

  await page.reload();
  await installCard(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(installCard(page)).toHaveCount(0);
  await page.reload();
  await untilOfflineReady(page);
  await page.evaluate(offerInstall);
  await page.getByRole('link', { name: 'Contacts' }).first().click();
  await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible();
  await expect(installCard(page)).toHaveCount(0);
});

/** What is drawn is what a press reaches: one on what is covered is refused. */
const isFree = (target: Locator) => target.click({ trial: true, timeout: 5_000 });

for (const size of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  const title = `PWA-2 PWA-3 neither card lies over a question, a composer or an action bar at ${size.width} × ${size.height}`;
  test(title, nightlyUnless(size.width === 390), async ({ browser }) => {
    await makeCase(nurseOverHttp, [doctorOverHttp], 'Nothing Lies Over It');
    device = await signInUnderWorker(browser);
    const page = device.page();
    await page.setViewportSize(size);
    await page.evaluate(offerInstall);
    const cancel = installCard(page).getByRole('button', { name: 'Cancel' });
    await isFree(cancel);
    await cancel.focus();
    await expect(cancel).toBeFocused();

    await page.keyboard.press('Control+k');
    const sheet = page.getByRole('dialog');
    await expect(sheet).toBeVisible();
    await expect(installCard(page)).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(installCard(page)).toBeVisible();

    await page.getByRole('link').filter({ hasText: 'Nothing Lies Over It' }).filter({ visible: true }).first().click();
    await composer(page).fill('Half a sentence');
    await expect(installCard(page)).toBeHidden();
    const send = page.getByRole('button', { name: 'Send prompt' });
    await isFree(send);

    // The update is asked for over all of it, and takes its room from the page.
    proxy.deploy(await anotherBuild(wardline.baseUrl, `build-${size.width}`));
    await expect(prompt(page)).toBeVisible();
    for (const target of [composer(page), send, banner(page), prompt(page).getByRole('button', { name: 'Refresh' })]) {
      await isFree(target);
      await expect(target).toBeInViewport({ ratio: 1 });
    }
    const under =
      (
        await page
          .getByRole('heading', { name: /Nothing Lies Over It/ })
          .first()
          .boundingBox()
      )?.y ?? 0;
    const strip = await prompt(page).boundingBox();
    expect(under).toBeGreaterThanOrEqual((strip?.y ?? 0) + (strip?.height ?? 0));
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(prompt(page)).toBeHidden();
    await page.keyboard.press('Escape');
    await prompt(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(prompt(page)).toHaveCount(0);
    await isFree(send);
  });
}

test('PWA-3 the offer comes after a form before the sign-in, and over it nowhere', { tag: NIGHTLY }, async ({
  browser,
}) => {
  device = await openBrowser(browser, wardline.baseUrl);
  const page = device.page();
  for (const [width, height] of [
    [390, 600],
    [780, 500],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/sign-in');
    const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
    await expect(signIn).toBeEnabled();
    await page.evaluate(offerInstall);
    await expect(installCard(page)).toBeVisible();
    for (const target of [page.getByLabel('Email'), page.getByLabel('Password', { exact: true }), signIn]) {
      await isFree(target);
    }
    await isFree(installCard(page).getByRole('button', { name: 'Cancel' }));
  }
});

test('PWA-3 the installation is not offered while an update waits', { tag: NIGHTLY }, async ({ browser }) => {
  device = await signInUnderWorker(browser);
  const page = device.page();
  await page.evaluate(offerInstall);
  await expect(installCard(page)).toBeVisible();
  proxy.deploy(await anotherBuild(wardline.baseUrl, 'fifth-build'));
  await expect(prompt(page)).toBeVisible();
  await expect(installCard(page)).toHaveCount(0);
  await prompt(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(prompt(page)).toHaveCount(0);
  await expect(installCard(page)).toHaveCount(0);
});

test('PWA-3 on iOS the card says the steps to the home screen', { tag: NIGHTLY }, async ({ browser }) => {
  device = await openBrowser(browser, proxy.baseUrl, { phone: true, userAgent: IPHONE });
  const page = device.page();
  await page.goto('/about');
  await expect(installCard(page).getByRole('listitem')).toHaveText([
    'Open the Share menu.',
    'Choose ‘Add to Home Screen’.',
    'Choose ‘Add’.',
  ]);
  await expect(installCard(page).getByRole('button')).toHaveText(['Cancel']);
});

test('PWA-5 a page that was visited is there at its deep address after a reload without a network', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  device = await signInUnderWorker(browser, { ownDevice: true });
  const page = device.page();
  for (const [path, name] of [
    ['/settings?from=bookmark#security', 'Settings'],
    ['/chats', 'Chats'],
    ['/census', 'Census'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await cutNetwork(device);
    device.expectConsole(NOBODY_TO_ASK, 'opened without a network');
    await page.reload();
    await expect(page).toHaveURL(proxy.baseUrl + path);
    await expect(page.getByText('Offline.', { exact: true })).toBeVisible();
    await restoreNetwork(device);
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  }
});
