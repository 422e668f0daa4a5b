import { expect, type Locator, type Page } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { cutNetwork } from '../../support/browser/cut-network.ts';
import {
  type BrowserPerson,
  openBrowser,
  openSignedIn,
  signIn,
  untilOfflineReady,
} from '../../support/browser-person.ts';
import { composer } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { chunksOf } from '../../support/servers/deploying-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });
test.use({ serviceWorkers: 'allow' });

const NURSE = 'nurse@demo.test';

let wardline: WardlineProcess;
let nurseOverHttp: HttpPerson;
let person: BrowserPerson | undefined;

test.beforeAll(async () => {
  wardline = await startWardline();
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, NURSE);
});
test.afterAll(() => wardline?.stop());
test.afterEach(async () => {
  await person?.context.close();
  person = undefined;
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true });
const chosen = (page: Page): Locator => palette(page).getByRole('option', { selected: true });

test('SHELL-3 every layout has its navigation, its page and, over both, the live region', { tag: NIGHTLY }, async ({
  browser,
}) => {
  person = await openSignedIn(browser, wardline.baseUrl, NURSE);
  const page = person.page();
  for (const [path, name] of [
    ['/dashboard', 'Dashboard'],
    ['/about', 'About Wardline'],
  ] as const) {
    await page.goto(path);
    await expect(heading(page, name)).toBeVisible();
    await expect(pages(page)).toBeVisible();
    await expect(page.getByRole('main')).toHaveCount(1);
    await expect(page.locator('.loading-bar')).toHaveCount(1);
    expect(await page.locator('.loading-bar').evaluate((bar) => bar.closest('main, .app, .pub'))).toBeNull();
  }
  // What the connection is like stands over the page, inside the frame, and moves nothing out of it.
  await page.goto('/dashboard');
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await untilOfflineReady(page);
  await cutNetwork(person);
  const line = page.getByText('Offline.', { exact: true });
  await expect(line).toBeVisible();
  const [over, title] = [await line.boundingBox(), await heading(page, 'Dashboard').boundingBox()];
  expect(over?.y).toBeLessThan(title?.y ?? 0);
});

interface ManifestImage {
  readonly src: string;
  readonly type: string;
  readonly sizes: string;
  readonly purpose?: string;
  readonly form_factor?: string;
  readonly label?: string;
}
interface Manifest {
  readonly scope: string;
  readonly start_url: string;
  readonly icons: readonly ManifestImage[];
  readonly screenshots: readonly ManifestImage[];
  readonly shortcuts: readonly { readonly url: string; readonly icons: readonly ManifestImage[] }[];
}

/** What the page's browser finds at an image's address, drawn by itself. */
async function drawn(page: Page, { src }: ManifestImage): Promise<{ type: string; sizes: string; bytes: number }> {
  return await page.evaluate(async (address) => {
    const answer = await fetch(address);
    const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
    const blob = await answer.blob();
    const image = new Image();
    image.src = address;
    await image.decode();
    const isVector = type.startsWith('image/svg');
    return { type, sizes: isVector ? 'any' : `${image.naturalWidth}x${image.naturalHeight}`, bytes: blob.size };
  }, src);
}

test('SHELL-6 the manifest, its pictures and shortcuts are what it says, and the worker serves the whole site', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  person = await signIn(browser, wardline.baseUrl, NURSE);
  const page = person.page();
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const answer = await fetch(link?.href ?? '');
    return (await answer.json()) as unknown;
  });
  const { scope, start_url, icons, screenshots, shortcuts } = manifest as Manifest;
  expect(scope).toBe('/');
  expect(icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual(
    expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512']),
  );
  expect(screenshots.map(({ form_factor, sizes }) => `${form_factor} ${sizes}`)).toEqual([
    'wide 1280x800',
    'narrow 390x844',
  ]);
  for (const image of [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)]) {
    const found = await drawn(page, image);
    expect(`${image.src} ${found.type} ${found.sizes}`).toBe(`${image.src} ${image.type} ${image.sizes}`);
    expect(found.bytes).toBeLessThan(60_000);
  }
  for (const address of [start_url, ...shortcuts.map(({ url }) => url)]) {
    await page.goto(address);
    await expect(page).toHaveURL(wardline.baseUrl + address);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByText('Page not found', { exact: false })).toHaveCount(0);
  }
  await untilOfflineReady(page);
  expect(await page.evaluate(() => navigator.serviceWorker.ready.then((worker) => worker.scope))).toBe(
    `${wardline.baseUrl}/`,
  );
});

test('SHELL-6 the window has a colour for each mode, and the one that was chosen', { tag: NIGHTLY }, async ({
  browser,
}) => {
  person = await signIn(browser, wardline.baseUrl, NURSE);
  const page = person.page();
  const colours = () =>
    page
      .locator('meta[name="theme-color"]')
      .evaluateAll((all) => all.map((meta) => `${meta.getAttribute('media')} ${meta.getAttribute('content')}`));
  expect(await colours()).toEqual(['(prefers-color-scheme: light) #f8fafc', '(prefers-color-scheme: dark) #020618']);
  await expect(pages(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('appearance dark');
  await expect(chosen(page)).toContainText(/dark/i);
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark');
  await expect.poll(async () => (await colours()).filter((line) => !line.endsWith('#020618'))).toEqual([]);
});

test('SHELL-7 the palette finds pages, chats and people, by keys alone, and gives the focus back', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const chat = await makeCase(nurseOverHttp, [], 'Quillon Sandworth');
  person = await signIn(browser, wardline.baseUrl, NURSE);
  const page = person.page();
  const opener = pages(page).getByRole('link', { name: 'Chats' });
  await opener.focus();
  await page.keyboard.press('Control+k');
  const field = palette(page).getByRole('combobox');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(opener).toBeFocused();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('quillon');
  await expect(chosen(page)).toContainText('Quillon Sandworth');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(wardline.baseUrl + chat.path);
  await expect(palette(page)).toHaveCount(0);
  await expect(composer(page)).toBeEditable();

  // Over the composer too, and back to it with what was typed.
  await composer(page).fill('Half');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('census');
  await expect(chosen(page)).toContainText(/census/i);
  const first = await chosen(page).innerText();
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).not.toHaveText(first);
  await page.keyboard.press('ArrowUp');
  await expect(chosen(page)).toHaveText(first);
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue('Half');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('settings');
  await expect(chosen(page)).toContainText('Settings');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Settings')).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('okafor');
  const people = palette(page).getByRole('group', { name: 'People' });
  await expect(people.getByRole('option', { name: /Dr\. Mira Okafor/ })).toBeVisible();
  await people.getByRole('option', { name: /Dr\. Mira Okafor/ }).click();
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByRole('dialog').or(composer(page)).first()).toBeVisible();
});

test('SHELL-7 the sheet lists the keys; those without Ctrl can be switched off, and stay so', { tag: NIGHTLY }, async ({
  browser,
}) => {
  person = await signIn(browser, wardline.baseUrl, NURSE);
  const page = person.page();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await expect(heading(page, 'Chats')).toBeVisible();
  await page.keyboard.press('?');
  await expect(sheet(page).getByText('Search and commands')).toBeVisible();
  const single = sheet(page).getByRole('checkbox', { name: 'Shortcuts without Ctrl or ⌘' });
  await single.uncheck();
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);

  await page.reload();
  await expect(heading(page, 'Chats')).toBeVisible();
  for (const key of ['?', 'g', 'd']) await page.keyboard.press(key);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
  await expect(sheet(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/chats$/);
  await page.keyboard.type('keyboard shortcuts');
  await expect(chosen(page)).toContainText('Keyboard shortcuts');
  await page.keyboard.press('Enter');
  await single.check();
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(sheet(page)).toBeVisible();
});

test('NAV-9 a new page begins at its top, Back returns to the place, a hash leads to its element', async ({
  browser,
}) => {
  person = await openBrowser(browser, wardline.baseUrl, { phone: true });
  const page = person.page();
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  await page.goto('/');
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect.poll(scrolled).toBeGreaterThan(300);
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
  await expect(heading(page, 'About Wardline')).toBeVisible();
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(`${wardline.baseUrl}/`);
  await expect.poll(scrolled).toBeGreaterThan(300);
  await page.goForward();
  await expect(heading(page, 'About Wardline')).toBeVisible();
  await expect.poll(scrolled).toBe(0);
});

test('NAV-9 a deep address with a hash, a reload and a link in a new tab lead to the same place', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  person = await openSignedIn(browser, wardline.baseUrl, NURSE);
  const page = person.page();
  await page.goto('/settings#about');
  const section = page.locator('#about');
  await expect(section).toBeInViewport();
  await page.reload();
  await expect(section).toBeInViewport();
  await page.goto('/chats');
  await expect(heading(page, 'Chats')).toBeVisible();
  const [tab] = await Promise.all([
    person.context.waitForEvent('page'),
    pages(page)
      .getByRole('link', { name: 'Dashboard' })
      .click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(heading(tab, 'Dashboard')).toBeVisible();
  await expect(page).toHaveURL(/\/chats$/);
});

test('NAV-9 each page of settings opens at the part that its address names, and its own links lead there', async ({
  browser,
}) => {
  person = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const page = person.page();
  for (const [path, part] of [
    ['/settings', 'about'],
    ['/census?view=settings', 'feed'],
    ['/settings/facility', 'invitations'],
  ] as const) {
    await page.goto(`${path}#${part}`);
    await expect(page.locator(`#${part}`)).toBeInViewport();
  }
  await page.getByRole('link', { name: 'Checklist' }).click();
  await page.getByRole('link', { name: /Have a second administrator/ }).click();
  await expect(page).toHaveURL(/\/settings\/facility#members$/);
  await expect(page.locator('#members')).toBeInViewport();
});

for (const path of ['/settings', '/census', '/chats']) {
  test(`NAV-6 NAV-7 signed out, nothing of ${path} is asked for or shown before the guard`, async ({ browser }) => {
    person = await openBrowser(browser, wardline.baseUrl);
    const page = person.page();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(path);
    await expect(heading(page, 'Sign in')).toBeVisible();
    await expect(page).toHaveURL(`${wardline.baseUrl}/sign-in?redirect=${encodeURIComponent(path)}`);
    const guarded = await chunksOf('_in');
    expect(guarded.size).toBeGreaterThan(10);
    expect(asked.filter((address) => guarded.has(address))).toEqual([]);
    // Who is there, and what the page of the sign-in itself offers.
    const ofGuests = ['/api/user', '/api/passkeys/options'];
    expect(asked.filter((address) => address.startsWith('/api/') && !ofGuests.includes(address))).toEqual([]);
  });
}

test('SHELL-4 a panel that fails says so and can be tried again, while the rest of the page lives', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  person = await signIn(browser, wardline.baseUrl, NURSE, { hasNoWorker: true });
  const page = person.page();
  let isBroken = true;
  person.expectConsole(
    failedLoad(500, '/api/census/facilities/{facility}/forecast'),
    'the server fails at the forecast',
  );
  await page.route('**/api/census/facilities/*/forecast', (route) =>
    isBroken ? route.fulfill({ status: 500, json: { message: 'Server Error' } }) : route.continue(),
  );
  await page.goto('/census');
  const panel = page.getByRole('main');
  await expect(panel.getByText('The forecast did not load')).toBeVisible();
  await expect(heading(page, 'Census')).toBeVisible();
  await expect(pages(page).getByRole('link', { name: 'Chats' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press('Escape');
  isBroken = false;
  await panel.getByRole('button', { name: /retry|try again/i }).click();
  await expect(panel.getByRole('heading', { name: 'Next 7 days' })).toBeVisible();
  await expect(panel.getByText('The forecast did not load')).toHaveCount(0);
});
