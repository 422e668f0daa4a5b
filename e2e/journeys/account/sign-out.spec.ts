import { expect, type Page } from '@playwright/test';
import { failedLoad, SESSION_IS_OVER, SIGN_OUT_OWED } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { keptOnDevice } from '../../support/browser/device-search.ts';
import {
  type BrowserPerson,
  fillSignIn,
  openBrowser,
  openSignedIn,
  signIn,
  untilOfflineReady,
} from '../../support/browser-person.ts';
import { composer, messageRow, openChat, timeline, write } from '../../support/chat-page.ts';
import { endSessionElsewhere } from '../../support/end-session.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { readAllMessages } from '../../support/ledger.ts';
import { makeCase, makeGroup, say } from '../../support/new-chats.ts';
import { NIGHTLY, nightlyUnless } from '../../support/nightly.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.use({ serviceWorkers: 'allow' });

const DOCTOR = 'doctor@demo.test';
const NURSE = 'nurse@demo.test';
/** What may stay in the storages when nobody is signed in: where this device is used, how times and dates are written there,
 * when nobody was signed in, how it connects, how far was scrolled. */
const STAYS: readonly string[] = [
  'local:wardline-facility',
  'local:wardline-format',
  'local:wardline-signed-out-at',
  'local:pusherTransportNonTLS',
  'session:tsr-scroll-restoration-v1_3',
];
/** Files that are the same for everybody. */
const OF_THE_BUILD =
  /^\/(assets\/|icons\/|config\.json$|manifest\.webmanifest$|mode\.js$|.*\.html$|(.*\/)?_payload\.json$)/;

let wardline: WardlineProcess;
let proxy: CuttingProxy;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;
let device: BrowserPerson | undefined;

test.beforeAll(async () => {
  wardline = await startWardline();
  proxy = await startCuttingProxy(wardline.baseUrl);
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, DOCTOR);
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, NURSE);
});
test.afterAll(async () => {
  await proxy?.close();
  await wardline?.stop();
});
test.afterEach(async () => {
  proxy.restore();
  await device?.context.close();
  device = undefined;
});

async function chooseSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Dr\. Mira Okafor/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** The pages of a session that was ended elsewhere find it out by whatever they ask for. */
function expectEnd(person: BrowserPerson): void {
  const why = 'the session was ended elsewhere';
  // A question or the joining of a channel hears of it first.
  for (const path of ['/api/*', '/broadcasting/auth']) person.allowConsole(failedLoad(401, path), why);
  person.allowConsole(failedLoad(409, '/broadcasting/auth'), 'the socket that it asks for ended with the session');
  person.expectConsole(SESSION_IS_OVER, why);
}

/** Signed out of without a network: the server hears of it later, when the session may be over by itself. */
function expectOwed(person: BrowserPerson): void {
  person.allowConsole(SIGN_OUT_OWED, 'signed out of without a network');
  person.allowConsole(failedLoad(401, '/logout'), 'told when the network returned');
}

async function storedTexts(chatId: string): Promise<string[]> {
  return (await readAllMessages(doctorOverHttp, chatId)).map(({ body }) => body);
}

test('AUTH-5 signing out in one tab signs out the other', async ({ browser }) => {
  const chat = await makeCase(doctorOverHttp, [nurseOverHttp], 'Two Tabs');
  device = await signIn(browser, wardline.baseUrl, DOCTOR);
  const one = device.page();
  const other = await openChat(await device.context.newPage(), chat.path);
  await chooseSignOut(one);
  await expect(one).toHaveURL(/\/sign-in$/);
  await expect(other).toHaveURL(/\/sign-in\?redirect=/);
  await expect(other.getByText('Two Tabs')).toHaveCount(0);
  for (const page of [one, other]) await expect(page.getByText('Your session ended')).toHaveCount(0);
});

test('AUTH-2 a session that ended on the server leads to sign-in, and the draft is there afterwards', async ({
  browser,
}) => {
  const chat = await makeCase(doctorOverHttp, [nurseOverHttp], 'Draft Keeper');
  device = await openSignedIn(browser, wardline.baseUrl, DOCTOR);
  const page = await openChat(device.page(), chat.path);
  await composer(page).fill('Half a sentence about pota');
  expectEnd(device);
  await endSessionElsewhere(device.context, wardline.baseUrl);
  await expect(page.getByText('Your session ended; your draft is kept.')).toBeVisible();
  await expect(page.getByText('Draft Keeper')).toHaveCount(0);
  await fillSignIn(page, DOCTOR);
  await expect(page).toHaveURL(wardline.baseUrl + chat.path);
  await expect(composer(page)).toHaveValue('Half a sentence about pota');
});

test('AUTH-2 the end of a session keeps the drafts of every tab, and one sign-in brings all of them back', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const [first, second] = [
    await makeCase(doctorOverHttp, [nurseOverHttp], 'First Draft'),
    await makeCase(doctorOverHttp, [nurseOverHttp], 'Second Draft'),
  ];
  device = await openSignedIn(browser, wardline.baseUrl, DOCTOR);
  const one = await openChat(device.page(), first.path);
  const other = await openChat(await device.context.newPage(), second.path);
  await composer(one).fill('Draft of the first tab');
  await composer(other).fill('Draft of the second tab');
  expectEnd(device);
  await endSessionElsewhere(device.context, wardline.baseUrl);
  for (const page of [one, other]) {
    await expect(page.getByText('Your session ended; your draft is kept.')).toBeVisible();
  }
  await fillSignIn(one, DOCTOR);
  await expect(composer(one)).toHaveValue('Draft of the first tab');
  await expect(other).toHaveURL(wardline.baseUrl + second.path);
  await expect(composer(other)).toHaveValue('Draft of the second tab');
});

test('A32 A35 after signing out of an own device no trace of what was read is on it, nor behind Back', async ({
  browser,
}) => {
  const marker = 'Zirconquartz';
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], `${marker} Patient`, `MRN ${marker}`);
  for (let n = 1; n <= 5; n++) await say(nurseOverHttp, chat.chatId, `${marker} reading number ${n}`);
  device = await signIn(browser, wardline.baseUrl, DOCTOR, { ownDevice: true });
  const page = device.page();
  await untilOfflineReady(page);
  await openChat(page, chat.path);
  await expect(messageRow(page, `${marker} reading number 5`)).toBeVisible();
  await write(page, `${marker} answered`);
  await expect(messageRow(page, `${marker} answered`)).toContainText(/Sent|Delivered|Read/);
  await composer(page).fill(`${marker} draft`);
  // While signed in there is a copy, and no word of it can be read.
  await expect
    .poll(async () => (await keptOnDevice(page)).filter((row) => /^database:\S+\/messages /.test(row)).length)
    .toBe(7);
  const inTheClear = (await keptOnDevice(page)).filter((row) => row.includes(marker));
  expect(inTheClear.map((row) => row.split(' ', 1)[0])).toEqual([expect.stringMatching(/^session:wardline-draft/)]);

  await chooseSignOut(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const left = await keptOnDevice(page);
  expect(left.filter((row) => row.includes(marker))).toEqual([]);
  expect(left.filter((row) => row.startsWith('database:'))).toEqual([]);
  expect(left.filter((row) => row.includes('Mira') || /^cache:\S+ \S+\/api\//.test(row))).toEqual([]);

  const places = await page.evaluate(() => history.length);
  expect(places).toBeGreaterThan(1);
  for (let back = 1; back < places; back++) {
    await page.goBack();
    if (page.url() === 'about:blank') break;
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(await page.content()).not.toContain(marker);
  }
  // Neither can the device vouch for the person any more.
  await cutNetwork(device);
  await page.goto(chat.path);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await page.content()).not.toContain(marker);
});

test('A32 PWA-5 a sign-out takes what was typed off every tab, also one that shows a public page, and leaves only settings', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const marker = 'Feldsparmoss';
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], `${marker} Patient`);
  device = await signIn(browser, wardline.baseUrl, DOCTOR, { ownDevice: true });
  const page = device.page();
  await untilOfflineReady(page);
  const other = await openChat(await device.context.newPage(), chat.path);
  await composer(other).fill(`${marker} half a sentence`);
  await other.goto('/contacts');
  await other.getByLabel('Message').fill(`${marker} asks the operator`);
  const typed = async () => (await keptOnDevice(other)).filter((row) => row.startsWith('session:wardline-draft'));
  // What the server has of a draft is noted beside it.
  await expect.poll(async () => (await typed()).filter((row) => row.includes(marker)).length).toBe(2);

  await openChat(page, chat.path);
  await page.goto('/settings');
  await chooseSignOut(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(typed).toEqual([]);
  await expect(other.getByLabel('Message')).toHaveValue('');
  for (const tab of [page, other]) {
    const left = await keptOnDevice(tab);
    expect(left.filter((row) => row.includes(marker) || row.includes(chat.chatId))).toEqual([]);
    const named = left.filter((row) => /^(local|session|database|file):/.test(row)).map((row) => row.split(' ', 1)[0]);
    expect(named.filter((name) => !STAYS.includes(name ?? ''))).toEqual([]);
    const cached = left
      .filter((row) => row.startsWith('cache:'))
      .map((row) => new URL(row.split(' ')[1] ?? '').pathname);
    expect(cached.length).toBeGreaterThan(20);
    expect(cached.filter((path) => !OF_THE_BUILD.test(path))).toEqual([]);
  }
});

for (const isOnline of [false, true]) {
  test(
    `A33 unsent messages at sign-out ${isOnline ? 'with a server that refuses' : 'offline'}: asked first, kept unreadable, sent after the same person signs in`,
    nightlyUnless(!isOnline),
    async ({ browser }) => {
      const marker = isOnline ? 'Obsidianfern' : 'Amberlichen';
      const chat = await makeCase(doctorOverHttp, [nurseOverHttp], `Unsent ${marker}`);
      device = await signIn(browser, proxy.baseUrl, DOCTOR);
      const page = device.page();
      await untilOfflineReady(page);
      await openChat(page, chat.path);
      if (isOnline) {
        // There is a network, and no answer to be had for messages.
        device.expectConsole(failedLoad(503, '/api/chats/{chat}/messages'), 'the server refuses messages');
        await device.context.route('**/messages', (route) => route.fulfill({ status: 503, body: '{}' }), {
          times: 1000,
        });
      } else {
        await cutNetwork(device, proxy);
        expectOwed(device);
      }
      for (let n = 1; n <= 3; n++) await write(page, `${marker} ${n}`);
      await expect(messageRow(page, `${marker} 3`)).toContainText('Waiting to send');

      await chooseSignOut(page);
      const question = page.getByRole('dialog', { name: '3 messages are not sent yet' });
      await expect(question).toContainText('They stay on this device, encrypted');
      await question.getByRole('button', { name: 'Stay signed in' }).click();
      await expect(timeline(page)).toBeVisible();
      await chooseSignOut(page);
      await question.getByRole('button', { name: 'Keep and sign out' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

      const kept = await keptOnDevice(page);
      expect(kept.filter((row) => row.includes('/outbox '))).toHaveLength(3);
      expect(kept.filter((row) => row.includes(marker) || row.includes('[key'))).toEqual([]);
      expect(await storedTexts(chat.chatId)).not.toContain(`${marker} 1`);

      if (isOnline) await device.context.unroute('**/messages');
      else await restoreNetwork(device, proxy);
      await page.goto(chat.path);
      await fillSignIn(page, DOCTOR);
      await expect(page).toHaveURL(proxy.baseUrl + chat.path);
      const wanted = [1, 2, 3].map((n) => `${marker} ${n}`);
      await expect
        .poll(async () => (await storedTexts(chat.chatId)).filter((body) => body.startsWith(marker)))
        .toEqual(wanted);
      await expect(messageRow(page, `${marker} 3`)).toContainText(/Sent|Delivered|Read/);
      await expect.poll(async () => (await keptOnDevice(page)).filter((row) => row.includes('/outbox '))).toEqual([]);
    },
  );
}

test('A34 another person on the same device neither sees nor sends what the one before left unsent', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const marker = 'Basaltreed';
  // A chat in which both may write: only the author's own session may bring the messages there.
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Both may write');
  device = await signIn(browser, proxy.baseUrl, DOCTOR);
  const page = device.page();
  await untilOfflineReady(page);
  await openChat(page, chat.path);
  await cutNetwork(device, proxy);
  expectOwed(device);
  await write(page, `${marker} 1`);
  await write(page, `${marker} 2`);
  await composer(page).fill(`${marker} draft`);
  await chooseSignOut(page);
  await page.getByRole('button', { name: 'Keep and sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await restoreNetwork(device, proxy);

  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''));
  await page.goto(chat.path);
  await fillSignIn(page, NURSE);
  await expect(composer(page)).toBeEditable();
  await expect(composer(page)).toHaveValue('');
  await write(page, 'Said by the nurse');
  await expect(messageRow(page, 'Said by the nurse')).toContainText(/Sent|Delivered|Read/);
  expect(await page.content()).not.toContain(marker);
  expect(sent.filter((body) => body.includes(marker))).toEqual([]);
  expect((await storedTexts(chat.chatId)).filter((body) => body.includes(marker))).toEqual([]);

  await page.getByRole('button', { name: /^Ana Reyes/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.goto(chat.path);
  await fillSignIn(page, DOCTOR);
  await expect(messageRow(page, `${marker} 2`)).toContainText(/Sent|Delivered|Read/);
  const mine = (await readAllMessages(nurseOverHttp, chat.chatId)) as unknown as {
    body: string;
    sender: { id: string };
  }[];
  expect(mine.filter(({ body }) => body.includes(marker)).map(({ body, sender }) => [body, sender.id])).toEqual([
    [`${marker} 1`, doctorOverHttp.userId],
    [`${marker} 2`, doctorOverHttp.userId],
  ]);
});

test('A33 who chooses to discard leaves nothing on the device', { tag: NIGHTLY }, async ({ browser }) => {
  const chat = await makeCase(doctorOverHttp, [nurseOverHttp], 'Discarded');
  device = await openBrowser(browser, proxy.baseUrl);
  const page = device.page();
  await page.goto('/sign-in');
  await fillSignIn(page, DOCTOR);
  await expect(page).toHaveURL(/\/dashboard$/);
  await untilOfflineReady(page);
  await openChat(page, chat.path);
  await cutNetwork(device, proxy);
  expectOwed(device);
  await write(page, 'To be discarded');
  await expect(messageRow(page, 'To be discarded')).toContainText('Waiting to send');
  await chooseSignOut(page);
  await page.getByRole('button', { name: 'Discard and sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect((await keptOnDevice(page)).filter((row) => row.startsWith('database:'))).toEqual([]);
  await restoreNetwork(device, proxy);
  await page.goto(chat.path);
  await fillSignIn(page, DOCTOR);
  await expect(composer(page)).toBeEditable();
  await expect(page.getByText('To be discarded')).toHaveCount(0);
  expect(await storedTexts(chat.chatId)).not.toContain('To be discarded');
});
