import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { DEMO_PASSWORD } from './wardline-process.ts';

/** Somebody at a browser of their own. */
export interface BrowserPerson {
  readonly context: BrowserContext;
  page(): Page;
  /** The renderer process dies, as a tab does when memory runs out; a new tab opens in the same browser profile. */
  killTabAndReopen(path: string): Promise<Page>;
  /**
   * What the browser said that it should not have: console output, policy violations, requests to foreign hosts, and reads
   * that were refused (F-C6). Pages that are not there and refused acts are what many tests are about.
   */
  complaints(): readonly string[];
  /** From now on a journey brings such lines about itself: they are no complaints. */
  mean(...lines: readonly RegExp[]): void;
}

interface Options {
  readonly ownDevice?: boolean;
  readonly dark?: boolean;
  readonly phone?: boolean;
  /** Without a service worker, as in the private windows of some browsers. */
  readonly hasNoWorker?: boolean;
  readonly userAgent?: string;
}

/** Lines of Chromium where a load fails: without a network, or refused, see below; and of the driver that blocks workers. */
const NOT_OURS = /^(Failed to load resource|WebSocket connection to .* failed|Service Worker registration blocked)/;

export async function openBrowser(browser: Browser, baseUrl: string, options: Options = {}): Promise<BrowserPerson> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: options.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...(options.hasNoWorker && { serviceWorkers: 'block' }),
    ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
  });
  const complaints: string[] = [];
  const meant: RegExp[] = [];
  const watch = (page: Page) => {
    page.on('console', (message) => {
      if (!NOT_OURS.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
    page.on('response', (response) => {
      const request = response.request();
      const isRefused = response.status() >= 400 && response.status() < 500;
      if (!isRefused || request.method() !== 'GET' || request.resourceType() === 'document') return;
      complaints.push(`failed load: ${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'blob:' && origin !== baseUrl) complaints.push(`foreign request: ${request.url()}`);
    });
  };
  context.on('page', watch);
  let current = await context.newPage();
  return {
    context,
    page: () => current,
    async killTabAndReopen(path) {
      const old = current;
      const debug = await context.newCDPSession(old);
      await Promise.race([debug.send('Page.crash').catch(() => undefined), old.waitForEvent('crash')]);
      current = await context.newPage();
      await old.close();
      await current.goto(path);
      return current;
    },
    complaints: () => complaints.filter((line) => !meant.some((each) => each.test(line))),
    mean: (...lines) => void meant.push(...lines),
  };
}

export async function signIn(
  browser: Browser,
  baseUrl: string,
  email: string,
  options: Options = {},
): Promise<BrowserPerson> {
  const person = await openBrowser(browser, baseUrl, options);
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, email, options);
  await expect(page).toHaveURL(/\/dashboard$/);
  return person;
}

/** Fills the form that is on the page and sends it. */
export async function fillSignIn(
  page: Page,
  email: string,
  options: { readonly ownDevice?: boolean; readonly password?: string } = {},
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(options.password ?? DEMO_PASSWORD);
  if (options.ownDevice) await page.getByLabel('This is my own device').check();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Waits until the service worker serves this profile, so that a reload works without a network. */
export async function untilOfflineReady(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}
