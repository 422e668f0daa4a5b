import { expect, type Page, type Route } from '@playwright/test';
import { failedLoad, NOBODY_TO_ASK } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { keptOnDevice } from '../../support/browser/device-search.ts';
import { type BrowserPerson, openSignedIn, signIn, untilOfflineReady } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat, shownTexts, timeline, write } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { readAllMessages } from '../../support/ledger.ts';
import { type MadeChat, makeCase, say } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.use({ serviceWorkers: 'allow' });

const DOCTOR = 'doctor@demo.test';

let wardline: WardlineProcess;
let proxy: CuttingProxy;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;
let device: BrowserPerson | undefined;

test.beforeAll(async () => {
  wardline = await startWardline();
  proxy = await startCuttingProxy(wardline.baseUrl);
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, DOCTOR);
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
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

async function storedTexts(chatId: string, prefix: string): Promise<string[]> {
  return (await readAllMessages(nurseOverHttp, chatId))
    .map(({ body }) => body)
    .filter((body) => body.startsWith(prefix));
}

/** Gives the doctor another access to a chat that the nurse manages. */
async function setDoctorsAccess(chat: MadeChat, access: 'read' | 'write'): Promise<void> {
  const path = `/api/chats/${chat.chatId}/participants/${doctorOverHttp.userId}`;
  const answer = await nurseOverHttp.send('PUT', path, { access });
  if (answer === null || answer.status >= 300) throw new Error(`The access was not set: ${JSON.stringify(answer)}`);
}

test('PWA-5 own device: a visited chat is there after a reload without a network, marked offline', async ({
  browser,
}) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'Offline Reader');
  for (let n = 1; n <= 3; n++) await say(nurseOverHttp, chat.chatId, `Said before the cut ${n}`);
  device = await signIn(browser, proxy.baseUrl, DOCTOR, { ownDevice: true });
  const page = device.page();
  await untilOfflineReady(page);
  await openChat(page, chat.path);
  await expect(messageRow(page, 'Said before the cut 3')).toBeVisible();
  // What is shown is kept a moment later.
  const placeKept = `name=thread/${chat.chatId}`;
  await expect.poll(async () => (await keptOnDevice(page)).some((row) => row.includes(placeKept))).toBe(true);

  await cutNetwork(device, proxy);
  device.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  await page.reload();
  await expect(messageRow(page, 'Said before the cut 3')).toBeVisible();
  expect(await shownTexts(page, 'Said before the cut')).toHaveLength(3);
  await expect(page.getByText('Offline.', { exact: true })).toBeVisible();
  await expect(listRow(page, 'Offline Reader')).toBeVisible();

  await write(page, 'Written after the reload');
  await expect(messageRow(page, 'Written after the reload')).toContainText('Waiting to send');
  await expect(page.getByText('1 message will send when you’re back online.')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();

  await restoreNetwork(device, proxy);
  await expect.poll(() => storedTexts(chat.chatId, 'Written after')).toEqual(['Written after the reload']);
  await expect(page.getByText('Offline.', { exact: true })).toHaveCount(0);
});

test('F-U6 PWA-5 shared device: a reload without a network shows no chat; what waits stays and goes out later', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'Shared Computer');
  await say(nurseOverHttp, chat.chatId, 'Not for the next person');
  device = await signIn(browser, proxy.baseUrl, DOCTOR);
  const page = device.page();
  await untilOfflineReady(page);
  await openChat(page, chat.path);
  await expect(messageRow(page, 'Not for the next person')).toBeVisible();

  await cutNetwork(device, proxy);
  await write(page, 'Waits on the ward computer 1');
  await write(page, 'Waits on the ward computer 2');
  await expect(messageRow(page, 'Waits on the ward computer 2')).toContainText('Waiting to send');
  device.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  await page.reload();
  await expect(page.getByText('Offline.', { exact: true })).toBeVisible();
  for (const text of ['Not for the next person', 'Shared Computer', 'Waits on the ward computer']) {
    await expect(page.getByText(text)).toHaveCount(0);
  }
  await expect(page.getByText('2 messages not sent yet.')).toBeVisible();
  await expect(page.getByText('Kept on this device for Dr. Mira Okafor.')).toBeVisible();

  // The session is alive: with the network the person is back where they were, without a word.
  await restoreNetwork(device, proxy);
  await expect(page).toHaveURL(proxy.baseUrl + chat.path);
  const wanted = ['Waits on the ward computer 1', 'Waits on the ward computer 2'];
  await expect.poll(() => storedTexts(chat.chatId, 'Waits on')).toEqual(wanted);
  await expect.poll(() => shownTexts(page, 'Waits on')).toEqual(wanted);
});

test('CHAT-3 two tabs of one person with queued messages send each of them once', async ({ browser }) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'Two Tabs Offline');
  device = await openSignedIn(browser, proxy.baseUrl, DOCTOR);
  const one = await openChat(device.page(), chat.path);
  const other = await openChat(await device.context.newPage(), chat.path);
  await cutNetwork(device, proxy);
  const written: string[] = [];
  for (let n = 1; n <= 4; n++) {
    for (const [page, name] of [
      [one, 'left'],
      [other, 'right'],
    ] as const) {
      const text = `Queued ${n} in the ${name} tab`;
      await write(page, text);
      written.push(text);
      // Both tabs see it before the next is written, so that there is one order to keep.
      for (const tab of [one, other]) await expect(messageRow(tab, text)).toBeVisible();
    }
  }
  await restoreNetwork(device, proxy);
  await expect.poll(() => storedTexts(chat.chatId, 'Queued')).toHaveLength(8);
  for (const page of [one, other]) {
    await expect(timeline(page).getByText(/Waiting to send|Sending/)).toHaveCount(0);
    await expect.poll(() => shownTexts(page, 'Queued')).toEqual(written);
  }
  expect(await storedTexts(chat.chatId, 'Queued')).toEqual(written);
});

test('CHAT-3 CHAT-5 a message says how far it got: waiting, sending, sent, delivered, read', { tag: NIGHTLY }, async ({
  browser,
}) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'States In Words');
  device = await openSignedIn(browser, proxy.baseUrl, DOCTOR);
  const page = await openChat(device.page(), chat.path);
  const held: Route[] = [];
  let isHolding = true;
  await page.route('**/messages', (route) => {
    if (isHolding && route.request().method() === 'POST') held.push(route);
    else void route.continue();
  });
  const text = 'Watch me go';
  await cutNetwork(device, proxy);
  await write(page, text);
  const row = messageRow(page, text);
  // Before there is a network to try, and while nobody answers.
  await expect(row).toContainText(/Waiting to send|Sending/);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  for (const route of held.splice(0)) await route.abort('internetdisconnected');
  await expect(row).toContainText('Waiting to send');
  await restoreNetwork(device, proxy);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await expect(row).toContainText('Sending');
  isHolding = false;
  for (const route of held.splice(0)) await route.continue();
  await expect(row).toContainText('Sent');
  const [stored] = (await readAllMessages(doctorOverHttp, chat.chatId)).filter(({ body }) => body === text);
  const seq = stored?.seq ?? 0;
  await nurseOverHttp.send('PUT', `/api/chats/${chat.chatId}/markers`, { delivered_seq: seq });
  await expect(row).toContainText('Delivered to 1');
  await nurseOverHttp.send('PUT', `/api/chats/${chat.chatId}/markers`, { read_seq: seq });
  await expect(row).toContainText('Read by 1');
});

test('CHAT-3 a message that is refused for good says why and offers Retry, Copy and Discard', { tag: NIGHTLY }, async ({
  browser,
}) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'Refused For Good');
  device = await openSignedIn(browser, proxy.baseUrl, DOCTOR);
  await device.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: proxy.baseUrl });
  const page = await openChat(device.page(), chat.path);
  await cutNetwork(device, proxy);
  await write(page, 'Refused the first time');
  await write(page, 'Refused and discarded');
  await expect(messageRow(page, 'Refused and discarded')).toContainText('Waiting to send');
  await setDoctorsAccess(chat, 'read');
  device.expectConsole(failedLoad(403, '/api/chats/{chat}/messages'), 'the doctor may not write any more');
  device.expectConsole(/^warning: An item of the outbox was refused: forbidden/, 'the doctor may not write any more');
  await restoreNetwork(device, proxy);

  const [first, second] = [messageRow(page, 'Refused the first time'), messageRow(page, 'Refused and discarded')];
  for (const row of [first, second]) {
    await expect(row).toContainText('Not sent');
    await expect(row).toContainText('You can’t write in this chat.');
  }
  await expect(page.getByRole('note')).toHaveText('You can read this chat but not write in it.');
  await expect(listRow(page, 'Refused For Good')).toContainText('2 not sent');

  await first.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Refused the first time');

  await second.getByRole('button', { name: 'Discard' }).click();
  const question = page.getByRole('dialog', { name: 'Discard this message?' });
  await question.getByRole('button', { name: 'Keep it' }).click();
  await expect(second).toBeVisible();
  await second.getByRole('button', { name: 'Discard' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(second).toHaveCount(0);

  await setDoctorsAccess(chat, 'write');
  await expect(composer(page)).toBeEditable();
  await first.getByRole('button', { name: 'Retry' }).click();
  await expect(first).toContainText(/Sent|Delivered|Read/);
  expect(await storedTexts(chat.chatId, 'Refused')).toEqual(['Refused the first time']);
});

async function goToChat(page: Page, name: string): Promise<void> {
  await listRow(page, name).click();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
}

test('CHAT-3 CHAT-10 a half-written text survives a reload and is never carried to another chat', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'Draft One');
  await makeCase(nurseOverHttp, [doctorOverHttp], 'Draft Two');
  device = await openSignedIn(browser, proxy.baseUrl, DOCTOR);
  const page = await openChat(device.page(), chat.path);
  await composer(page).fill('Meant for one\nand no other');
  await goToChat(page, 'Draft Two');
  await expect(composer(page)).toHaveValue('');
  await composer(page).fill('Meant for two');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Draft One', level: 2 })).toBeVisible();
  await expect(composer(page)).toHaveValue('Meant for one\nand no other');
  await page.reload();
  await expect(composer(page)).toHaveValue('Meant for one\nand no other');
  await goToChat(page, 'Draft Two');
  await expect(composer(page)).toHaveValue('Meant for two');
  await composer(page).press('Enter');
  await expect(messageRow(page, 'Meant for two')).toContainText(/Sent|Delivered|Read/);
  await expect(composer(page)).toHaveValue('');
  await page.reload();
  await expect(composer(page)).toHaveValue('');
});
