import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { allowConsole, expectConsole } from '../../support/browser/console-watch.ts';
import { layoutShifts, watchLayoutShifts } from '../../support/browser/layout-shift.ts';
import { signIn } from '../../support/browser-person.ts';
import { reportOf } from '../../support/census/census-reports.ts';
import { type DemoPage, demoPages, GUEST_PAGES, UNKNOWN_PATH } from '../../support/demo-pages.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 600_000 });

const ROUTES = path.join(import.meta.dirname, '../../../apps/web/src/routes');
const PEOPLE = ['nurse', 'officer', 'admin', 'operator', 'newcomer'] as const;
const LIMIT = 0.02;
const DEVICES = [
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
] as const;
type Device = (typeof DEVICES)[number];
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline.stop());

/** A slow network, on which the answers of the server come one after the other, so that every skeleton is seen. */
async function slowDown(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const bytesPerSecond = 250_000;
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 60,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  let asked = 0;
  await page.route('**/api/**', async (route) => {
    await new Promise((done) => setTimeout(done, 200 + (asked++ % 7) * 150));
    // The page may have given it up by then.
    await route.continue().catch(() => undefined);
  });
}

/** Opens the page in a browser that has nothing of it yet, and waits until all of it is there. */
async function movesOf(browser: Browser, path: string, device: Device, storageState?: StorageState): Promise<string[]> {
  const context = await browser.newContext({
    baseURL: wardline.baseUrl,
    viewport: device.viewport,
    ...(storageState && { storageState }),
  });
  allowConsole(context, /^warning: WebSocket .* is closed before the connection is established/, 'it is left at once');
  if (path === UNKNOWN_PATH) expectConsole(context, failedLoad(404, path), 'the page of an unknown address');
  const page = await context.newPage();
  await watchLayoutShifts(page);
  await slowDown(page);
  await page.goto(path);
  // Two pages at a time on a slow line: patience, for the time is not what is measured.
  await expect(page.locator('h1').first()).toBeVisible({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  await expect(page.locator('.skel, [data-pending], [aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const { score, moves } = await layoutShifts(page);
  await context.close();
  return score > LIMIT ? [`${path}: ${score.toFixed(3)}`, ...moves] : [];
}

/** The session of somebody, to be taken into fresh browsers. */
async function sessionOf(browser: Browser, email: string): Promise<StorageState> {
  const person = await signIn(browser, wardline.baseUrl, email);
  const state = await person.context.storageState();
  await person.context.close();
  return state;
}

for (const device of DEVICES) {
  const tag = device.name === 'phone' ? [] : NIGHTLY;
  test(`F-U8 nothing moves while the pages with the most parts come in: ${device.name}`, { tag }, async ({
    browser,
  }) => {
    const session = await sessionOf(browser, 'officer@demo.test');
    const paths = ['/dashboard', '/chats', '/census', '/census-summary'];
    const moves: string[][] = [];
    for (const two of [paths.slice(0, 2), paths.slice(2)]) {
      moves.push(...(await Promise.all(two.map((path) => movesOf(browser, path, device, session)))));
    }
    expect(moves.flat()).toEqual([]);
  });

  test(`F-U8 nothing moves while any page for guests comes in: ${device.name}`, { tag: NIGHTLY }, async ({
    browser,
  }) => {
    const moves: string[] = [];
    const notices = ['/sign-in?verify=1', '/sign-in?link=invalid'];
    for (const path of [...GUEST_PAGES.map((page) => page.path), ...notices])
      moves.push(...(await movesOf(browser, path, device)));
    expect(moves).toEqual([]);
  });

  for (const who of PEOPLE) {
    test(`F-U8 nothing moves while any page of the ${who} comes in: ${device.name}`, {
      tag: NIGHTLY,
    }, async ({ browser }) => {
      const session = await sessionOf(browser, `${who}@demo.test`);
      const moves: string[] = [];
      for (const { path } of await allPages(`${who}@demo.test`)) {
        moves.push(...(await movesOf(browser, path, device, session)));
      }
      expect(moves).toEqual([]);
    });
  }
}

/** Notes whether the root was ever empty after it had held something. */
async function watchForBlank(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { isBlank: false };
    Object.assign(window, { seenAtRoot: seen });
    addEventListener('DOMContentLoaded', () => {
      const root = document.getElementById('root');
      if (!root) return;
      const look = () => {
        seen.isBlank ||= root.childElementCount === 0;
      };
      look();
      new MutationObserver(look).observe(root, { childList: true });
    });
  });
}

test('F-U8 SHELL-2 the frame of a page is painted before the app has come, from less than 50 kB, and never goes blank', async ({
  browser,
}) => {
  const session = await sessionOf(browser, 'officer@demo.test');
  for (const { storageState, shown } of [
    { storageState: session, shown: '.boot-frame' },
    { storageState: undefined, shown: '.boot-mark' },
  ]) {
    const context = await browser.newContext({ baseURL: wardline.baseUrl, ...(storageState && { storageState }) });
    const page = await context.newPage();
    await watchForBlank(page);
    let release = () => {};
    const isReleased = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/assets/*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await expect(page.locator(shown)).toBeVisible();
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)).toBe(1);
    const bytes = await page.evaluate(() => {
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const blocking = resources.filter((entry) => Reflect.get(entry, 'renderBlockingStatus') === 'blocking');
      return [document, ...blocking].map((entry) => entry?.encodedBodySize ?? 0);
    });
    expect(bytes.length).toBeGreaterThan(2);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(50_000);
    release();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => Reflect.get(window, 'seenAtRoot') as unknown)).toEqual({ isBlank: false });
    await context.close();
  }
});

test('F-U8 no page claims a number or that there is nothing before the server has answered', { tag: NIGHTLY }, async ({
  browser,
}) => {
  const claims: string[] = [];
  for (const email of ['officer@demo.test', 'operator@demo.test']) {
    const session = await sessionOf(browser, email);
    const person = await signInOverHttp(wardline.baseUrl, email);
    const pages = (await demoPages(person)).filter(({ name }) => name !== 'verify-email');
    for (const { name, path } of pages) {
      const context = await browser.newContext({ baseURL: wardline.baseUrl, storageState: session });
      const page = await context.newPage();
      // Who is here, and where, is known; what there is is not.
      await page.route(/\/api\/(?!(user|user\/device-key|facilities)$)/, () => undefined);
      await page.goto(path);
      // The page itself, not the frame that stands before the app has come.
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const said = await settledText(page);
      const found = said.split('\n').filter((line) => /(^|\s)0($|\s)|\b(no|none|nothing|nobody)\b/i.test(line));
      claims.push(...found.map((line) => `${name} of ${email}: ${line}`));
      await context.close();
    }
  }
  expect(claims).toEqual([]);
});

/** What the page says once it has said nothing else for a while, in which its last part can have come. */
async function settledText(page: Page): Promise<string> {
  let said = '';
  let timesSaid = 0;
  const isSettled = async () => {
    const before = said;
    said = await page.locator('body').innerText();
    timesSaid = said === before ? timesSaid + 1 : 0;
    return timesSaid >= 5;
  };
  await expect.poll(isSettled, { intervals: [300], timeout: 30_000 }).toBe(true);
  return said;
}

test('F-U8 what is measured is every page that there is', { tag: NIGHTLY }, async () => {
  const measured = [...GUEST_PAGES];
  for (const who of PEOPLE) measured.push(...(await allPages(`${who}@demo.test`)));
  const files = (await readdir(ROUTES, { recursive: true })).filter((file) => /^(?!_\w+\.tsx|__).*\.tsx$/.test(file));
  const missing = files.filter((file) => {
    // A name that ends in '_' stands beside the page of that name, not within it.
    const steps = file.replace(/\.tsx$/, '').split(/_?[./]/);
    const shown = steps.filter((step) => !/^(_.*|index|route)$/.test(step));
    const pattern = shown.map((step) => step.replace(/\{?\$\w+\}?/, '[^/]+'));
    const form = new RegExp(`^/${pattern.join('/')}$`);
    return !measured.some(({ path }) => form.test(path.replace(/[?#].*/, '')));
  });
  expect(files.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});

/** The routes as this person meets them, and the views that an address can name. */
async function allPages(email: string): Promise<DemoPage[]> {
  const person = await signInOverHttp(wardline.baseUrl, email);
  const pages = await demoPages(person);
  const has = (name: string) => pages.some((page) => page.name === name);
  if (has('census-unit')) {
    const { unit, date, population: name } = await reportOf(person, 'MED 3A', 1);
    pages.push({ name: 'asked report', path: `/census-unit?unit=${unit}&date=${date}&population=${name}` });
    pages.push({ name: 'grid', path: '/census-unit?view=all' });
  }
  if (has('census-summary')) {
    const { date } = await reportOf(person, 'MED 3A');
    pages.push({ name: 'sheet', path: `/census-summary?by=day&from=${date}&to=${date}&print=day` });
    pages.push({ name: 'month', path: `/census-summary?by=month&from=${date.slice(0, 8)}01&to=${date}` });
  }
  return pages;
}
