import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { allowConsole, expectConsole, noteLine } from './browser/console-watch.ts';
import { DEMO_PASSWORD } from './servers/wardline-process.ts';

/** Somebody at a browser of their own. */
export interface BrowserPerson {
  readonly context: BrowserContext;
  page(): Page;
  /** The renderer process dies, as a tab does when memory runs out; a new tab opens in the same browser profile. */
  killTabAndReopen(path: string): Promise<Page>;
  /** The running test brings this line of the console about, and fails where it does not come (F-C6). */
  expectConsole(what: RegExp, why: string): void;
  /** The same where it hangs on time whether the line comes at all. */
  allowConsole(what: RegExp, why: string): void;
}

interface Options {
  readonly ownDevice?: boolean;
  readonly dark?: boolean;
  readonly phone?: boolean;
  /** Pressed by fingers: what is made for them shows, and there is no hovering. */
  readonly touch?: boolean;
  /** Without a service worker, as in the private windows of some browsers. */
  readonly hasNoWorker?: boolean;
  readonly userAgent?: string;
  /** Where its pages may ask besides their own origin, as one whose back end is elsewhere does. */
  readonly origins?: readonly string[];
}

export async function openBrowser(browser: Browser, baseUrl: string, options: Options = {}): Promise<BrowserPerson> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: options.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
    isMobile: options.touch ?? false,
    ...(options.hasNoWorker && { serviceWorkers: 'block' }),
    ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
  });
  const own = new Set([baseUrl, ...(options.origins ?? [])]);
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'blob:' && !own.has(origin)) noteLine(context, `foreign request: ${request.url()}`);
  });
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
    expectConsole: (what, why) => expectConsole(context, what, why),
    allowConsole: (what, why) => allowConsole(context, what, why),
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

/**
 * Somebody who signed in before, on a shared device; their page is still blank. No page is loaded for it, as for `signIn` two are:
 * for journeys that are about something else and go to a page of their own first.
 */
export async function openSignedIn(
  browser: Browser,
  baseUrl: string,
  email: string,
  options: Omit<Options, 'ownDevice'> = {},
): Promise<BrowserPerson> {
  const person = await openBrowser(browser, baseUrl, options);
  const { request } = person.context;
  await request.get('/sanctum/csrf-cookie');
  const token = (await person.context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const signedIn = await request.post('/login', {
    headers: { accept: 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
    data: { email, password: DEMO_PASSWORD },
  });
  if (!signedIn.ok()) throw new Error(`${email} could not sign in: ${signedIn.status()}`);
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
