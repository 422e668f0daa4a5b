import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type BrowserPerson, fillSignIn, openBrowser } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { type StaticHost, startStaticHost } from '../../support/laravel/static-host.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

const NURSE = 'nurse@demo.test';
const PICTURE = path.join(import.meta.dirname, '../../../apps/web/public/icons/icon-192.png');

let host: StaticHost;
let wardline: WardlineProcess;
/** Where the client finds the server: another site than its own. */
let apiOrigin: string;
let person: BrowserPerson | undefined;

test.beforeAll(async () => {
  host = await startStaticHost();
  wardline = await startWardline({ WARDLINE_CLIENT_ORIGINS: host.origin });
  const { port } = new URL(wardline.baseUrl);
  apiOrigin = `http://localhost:${port}`;
  const ours = (await (await fetch(`${wardline.baseUrl}/config.json`)).json()) as Record<string, object>;
  const echo = { ...ours['echo'], host: 'localhost', port: Number(port), scheme: 'http' };
  host.config = { ...ours, base_url: apiOrigin, mode: 'token', echo };
  host.connects = [apiOrigin, `ws://localhost:${port}`];
});
test.afterAll(async () => {
  await wardline?.stop();
  await host?.stop();
});
test.afterEach(async () => {
  await person?.context.close();
  person = undefined;
});

/** One's own picture beside one's name. */
const ownPicture = (page: Page) => page.getByRole('button', { name: /^Ana Reyes/ }).locator('img');

/** How many of the picture's own pixels were drawn: 0 where it could not be loaded. */
const drawnPixels = (page: Page) =>
  ownPicture(page).evaluate(async (image: HTMLImageElement) => {
    await image.decode().catch(() => undefined);
    return image.naturalWidth;
  });

test('F-C3 IMG-1 AUTH-5 a client of another site shows a picture of a person, and its token stands in no address', async ({
  browser,
}) => {
  person = await openBrowser(browser, host.origin, { origins: [apiOrigin] });
  const page = person.page();
  const addresses: string[] = [];
  person.context.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''));
  page.on('websocket', (socket) => addresses.push(socket.url()));
  await page.goto('/settings');
  await fillSignIn(page, NURSE);
  await page.locator('input[type="file"]').setInputFiles(PICTURE);
  await page.getByRole('button', { name: 'Use this picture' }).click();
  await expect(page.getByText('Picture saved', { exact: true })).toBeVisible();
  await expect.poll(() => drawnPixels(page)).toBeGreaterThan(0);

  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await expect.poll(() => drawnPixels(page)).toBeGreaterThan(0);
  const shown = await ownPicture(page).evaluate((image: HTMLImageElement) => image.currentSrc);
  expect(shown.startsWith(`${apiOrigin}/_img/`)).toBe(true);
  // Without cookie and token, as the picture was asked for: the address alone opens it, and not without its signature.
  expect((await fetch(shown)).status).toBe(200);
  expect((await fetch(shown.replace(/\?.*/, ''))).status).toBe(401);

  const token = await page.evaluate(() => sessionStorage.getItem('wardline-token') ?? '');
  const secret = token.split('|').at(-1) ?? '';
  expect(secret.length).toBeGreaterThan(30);
  expect(addresses.filter((address) => address.startsWith(`${apiOrigin}/_img/`)).length).toBeGreaterThan(0);
  addresses.push(page.url());
  expect(addresses.filter((address) => decodeURIComponent(address).includes(secret))).toEqual([]);
});
