import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import {
  type ConsoleLine,
  CUT_OFF,
  failedLoad,
  judgeConsole,
  type MeantLine,
} from '../support/browser/console-lines.ts';
import { allowConsole, expectConsole, takeConsole } from '../support/browser/console-watch.ts';
import { test } from '../support/journey.ts';

const ORIGIN = 'http://ward.test';

/** A page of a host whose other addresses answer 404. */
async function openPage(page: Page): Promise<Page> {
  await page.route(`${ORIGIN}/**`, (route) =>
    new URL(route.request().url()).pathname === '/'
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><link rel="icon" href="data:,">' })
      : route.fulfill({ status: 404, body: '' }),
  );
  await page.goto(ORIGIN);
  return page;
}

const ask = (page: Page, path: string) => page.evaluate((address) => fetch(address).then(({ status }) => status), path);

test('F-C6 a warning, an uncaught error and a load that failed are named, with the address', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => {
    console.warn('Each child in a list should have a unique key.');
    queueMicrotask(() => {
      throw new Error('Nobody catches');
    });
  });
  await ask(page, '/api/user?fresh=1');
  expect(await takeConsole()).toEqual([
    'not meant: warning: Each child in a list should have a unique key.',
    'not meant: uncaught: Nobody catches',
    `not meant: failed load: 404 ${ORIGIN}/api/user?fresh=1`,
  ]);
});

test('F-C6 a line fits what is meant by its status, its address and its browser only', async ({ browser, page }) => {
  const own = await browser.newContext();
  allowConsole(own, failedLoad(403, '/api/user'), 'another status');
  allowConsole(own, failedLoad(404, '/api/users'), 'another address');
  allowConsole(page.context(), failedLoad(404, '/api/user'), 'another browser');
  await ask(await openPage(await own.newPage()), '/api/user');
  await own.close();
  expect(await takeConsole()).toEqual([`not meant: failed load: 404 ${ORIGIN}/api/user`]);
});

test('F-C6 what was meant and never came is named with its reason', async ({ page }) => {
  expectConsole(page.context(), failedLoad(404, '/api/user'), 'nobody is signed in');
  await openPage(page);
  expect(await takeConsole()).toEqual([
    `meant (nobody is signed in), but it never came: ${failedLoad(404, '/api/user')}`,
  ]);
});

test('F-C6 a test whose browser says what it did not mean fails', async ({ page }) => {
  test.fail();
  await (await openPage(page)).evaluate(() => console.warn('Not meant'));
});

test('F-C6 every journey is one of these tests', async () => {
  const bare: string[] = [];
  for (const file of await readdir(import.meta.dirname, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const source = await readFile(path.join(import.meta.dirname, file), 'utf8');
    if (/import \{[^}]*\btest\b[^}]*\} from '@playwright/.test(source)) bare.push(file);
  }
  expect(bare).toEqual([]);
});

test('F-C6 what a test means passes, with a query, and what may come need not', async ({ page }) => {
  expectConsole(page.context(), failedLoad(404, '/api/chats/{chat}'), 'no such chat');
  allowConsole(page.context(), /^error: never said$/, 'hangs on time');
  expect(await ask(await openPage(page), '/api/chats/7?limit=1')).toBe(404);
});

test('F-C6 where service workers are off, a page that registers one says nothing', async ({ page }) => {
  // An origin of the kind that may have one.
  const origin = 'http://127.0.0.1:9';
  await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(origin);
  expect(await page.evaluate(async () => typeof (await navigator.serviceWorker.register('/sw.js')))).toBe('undefined');
});

test('F-C6 the judge names each line, and what was meant with its reason', () => {
  const [one, other] = [{}, {}] as [BrowserContext, BrowserContext];
  const lines: ConsoleLine[] = [
    { context: one, text: `failed load: 404 ${ORIGIN}/api/chats/7/messages?limit=1` },
    { context: other, text: 'warning: Unexpected' },
  ];
  const meant = (context: BrowserContext, what: RegExp, mayBeMissing = false): MeantLine => ({
    ...{ context, what, why: 'so it is tried', mayBeMissing },
  });
  const load = failedLoad(404, '/api/chats/{chat}/messages');
  expect(judgeConsole(lines, [meant(one, load), meant(other, /Unexpected$/)])).toEqual([]);
  expect(judgeConsole(lines, [meant(one, failedLoad(404, '/api/*')), meant(other, /^warning: /)])).toEqual([]);
  expect(
    judgeConsole(lines, [meant(one, failedLoad(404, '/api/chats/{chat}')), meant(one, /Unexpected/, true)]),
  ).toEqual([
    `not meant: failed load: 404 ${ORIGIN}/api/chats/7/messages?limit=1`,
    'not meant: warning: Unexpected',
    `meant (so it is tried), but it never came: ${failedLoad(404, '/api/chats/{chat}')}`,
  ]);
});

test('F-C6 a cut network is told by requests without an answer and by sockets, and by nothing else', () => {
  const lost = [
    `failed load: net::ERR_INTERNET_DISCONNECTED ${ORIGIN}/api/user`,
    `failed load: net::ERR_CONNECTION_REFUSED ${ORIGIN}/config.json`,
    "error: WebSocket connection to 'ws://ward.test/app/key' failed: Error in connection establishment: net::ERR_CONNECTION_REFUSED",
  ];
  const other = [`failed load: 500 ${ORIGIN}/api/user`, 'error: net::ERR_CONNECTION_REFUSED'];
  expect([...lost, ...other].filter((line) => CUT_OFF.test(line))).toEqual(lost);
});
