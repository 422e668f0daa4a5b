import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { NOBODY_TO_ASK } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, signIn, untilOfflineReady } from '../../support/browser-person.ts';
import { openChat } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';

import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });
test.use({ serviceWorkers: 'allow' });

interface Stored {
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly report_version: number;
}

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let doctorOverHttp: HttpPerson;
let path: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  path = (await makeCase(nurseOverHttp, [doctorOverHttp], 'Offline Case')).path;
  nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', { ownDevice: true });
});
test.afterAll(async () => {
  await nurse?.context.close();
  await wardline?.stop();
});

const panel = (page: Page) => page.getByRole('region', { name: 'Renal profile' });
const value = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
const stored = (address: string) => doctorOverHttp.get<Stored>(`/api/examinations/${address.split('/e-')[1]}`);
const move = (address: string, body: object) =>
  doctorOverHttp.send('POST', `/api/examinations/${address.split('/e-')[1]}/transitions`, body);

/** A renal profile in which something stands; its address. */
async function beginProfile(page: Page): Promise<string> {
  await openChat(page, path);
  await page.getByRole('link', { name: 'New examination' }).press('Enter');
  await press(page, 'Renal profile');
  await press(page, 'Begin');
  await press(page, 'Request');
  await press(page, 'Start');
  await value(page, 'Sodium').fill('139');
  await value(page, 'Sodium').blur();
  const address = new URL(page.url()).pathname;
  await expect.poll(async () => (await stored(address)).version).toBe(4);
  return address;
}

/** The examinations of the chat, as somebody else in it sees them. */
async function examinationsOf(chatId: string): Promise<Stored[]> {
  return (await doctorOverHttp.get<{ data: Stored[] }>(`/api/chats/${chatId}/examinations`)).data;
}

async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
    if (process.env['LOOK']) await page.screenshot({ path: `${process.env['LOOK']}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('CHAT-7 OFF-1 a report that is signed offline outlives a killed tab, and is signed once when the network is back', {
  tag: NIGHTLY,
}, async () => {
  const address = await beginProfile(nurse.page());
  await untilOfflineReady(nurse.page());
  await cutNetwork(nurse);
  const page = nurse.page();
  await value(page, 'Potassium').fill('4.4');
  await press(page, 'Sign report');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign report' }).press('Enter');
  await expect(panel(page)).toContainText('Signature waits to be sent.');
  await look(page, 'waiting');

  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const again = await nurse.killTabAndReopen(address);
  await expect(panel(again)).toContainText('Signature waits to be sent.');
  await expect(panel(again).getByRole('row', { name: /Potassium/ })).toContainText('4.4');
  expect((await stored(address)).report_version).toBe(0);

  await restoreNetwork(nurse);
  await expect(panel(again)).toContainText('Reported v1', { timeout: 60_000 });
  await expect(panel(again)).not.toContainText('waits to be sent');
  expect(await stored(address)).toMatchObject({ state: 'reported', version: 5, report_version: 1 });
});

test('EXAM-1 PWA-5 what was typed and a signed result are read in a tab that is opened without a network', {
  tag: NIGHTLY,
}, async () => {
  const address = await beginProfile(nurse.page());
  await untilOfflineReady(nurse.page());
  await cutNetwork(nurse);
  await value(nurse.page(), 'Potassium').fill('4.4');
  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const typed = await nurse.killTabAndReopen(address);
  await expect(value(typed, 'Potassium')).toHaveValue('4.4');
  await expect(value(typed, 'Sodium')).toHaveValue('139');
  await look(typed, 'typed-offline');

  await restoreNetwork(nurse);
  await expect.poll(async () => (await stored(address)).version, { timeout: 60_000 }).toBe(5);
  await press(typed, 'Sign report');
  await typed.getByRole('dialog').getByRole('button', { name: 'Sign report' }).press('Enter');
  await expect(panel(typed)).toContainText('Reported v1');
  await cutNetwork(nurse);
  const read = await nurse.killTabAndReopen(address);
  await expect(panel(read).getByRole('row', { name: /Potassium/ })).toContainText('4.4');
  await expect(panel(read)).toContainText('It may have changed since this device read it.');
  await look(read, 'read-offline');
  await restoreNetwork(nurse);
});

test('CHAT-7 OFF-1 A48 where a colleague amended it meanwhile it is not signed: both are shown, and it is signed anew', {
  tag: NIGHTLY,
}, async () => {
  const address = await beginProfile(nurse.page());
  const page = nurse.page();
  await press(page, 'Sign report');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign report' }).press('Enter');
  await expect(panel(page)).toContainText('Reported v1');
  await press(page, 'Amend');
  await cutNetwork(nurse);
  await value(page, 'Potassium').fill('4.8');
  await press(page, 'Sign amendment');
  await page.getByLabel('Reason').fill('Sample haemolysed');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign amendment' }).press('Enter');
  await expect(panel(page)).toContainText('Amendment waits to be sent.');
  const amended = { reason: 'Wrong tube', entries: [{ field: 'sodium', value: '131' }] };
  expect((await move(address, { to: 'amended', expected_version: 5, ...amended }))?.status).toBe(200);

  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const again = await nurse.killTabAndReopen(address);
  await expect(panel(again)).toContainText('Amendment waits to be sent.');
  nurse.expectConsole(/An item of the outbox was refused: conflict/, 'a colleague was there first');
  nurse.allowConsole(/409/, 'it is refused');
  await restoreNetwork(nurse);
  await expect(panel(again)).toContainText('Not amended.', { timeout: 60_000 });
  await expect(panel(again)).toContainText(/amended the report meanwhile/);
  await expect(panel(again)).toContainText('Your reason: Sample haemolysed');
  const difference = again.getByRole('region', { name: 'What stands now, against what you saw' });
  await expect(difference).toContainText('139');
  await expect(difference).toContainText('131');
  await look(again, 'refused');
  await again.setViewportSize({ width: 390, height: 844 });
  await look(again, 'refused-phone');
  await again.setViewportSize({ width: 1440, height: 900 });
  expect((await stored(address)).report_version).toBe(2);

  await press(again, 'Do it again');
  await expect(value(again, 'Potassium')).toHaveValue('4.8');
  await press(again, 'Sign amendment');
  await expect(again.getByLabel('Reason')).toHaveValue('Sample haemolysed');
  await again.getByRole('dialog').getByRole('button', { name: 'Sign amendment' }).press('Enter');
  await expect(panel(again)).toContainText('Amended v3');
  await expect(panel(again)).not.toContainText('Not amended.');
  expect(await stored(address)).toMatchObject({ state: 'amended', version: 7, report_version: 3 });
});

test('EXAM-1 OFF-1 one that is begun offline outlives a killed tab, and is on the server once, with what was typed', {
  tag: NIGHTLY,
}, async () => {
  const page = nurse.page();
  await openChat(page, path);
  await page.getByRole('link', { name: 'New examination' }).press('Enter');
  // The forms are on the device from here on.
  await expect(page.getByRole('button', { name: 'Vital signs', exact: true })).toBeVisible();
  await untilOfflineReady(page);
  const chatId = path.split('/c-')[1] ?? '';
  const before = await examinationsOf(chatId);
  await cutNetwork(nurse);
  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const again = await nurse.killTabAndReopen(`${path}/examinations`);
  await expect(again.getByText('What you begin is kept on this device')).toBeVisible();
  await look(again, 'forms-offline');
  await press(again, 'Vital signs');
  await press(again, 'Begin');
  const vitals = (of: Page) => of.getByRole('region', { name: 'Vital signs', exact: true });
  await expect(vitals(again)).toContainText('Waiting to be sent.');
  await press(again, 'Start');
  await value(again, 'Pulse').fill('118');
  await value(again, 'Temperature').fill('38.4');
  await value(again, 'Temperature').blur();
  await look(again, 'begun-offline');
  const address = new URL(again.url()).pathname;

  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const third = await nurse.killTabAndReopen(`${path}/examinations`);
  const waiting = third.getByRole('link', { name: /^Vital signs.*Waiting to be sent/ });
  await expect(waiting).toHaveAttribute('href', address);
  await look(third, 'list-offline');
  await third.setViewportSize({ width: 390, height: 844 });
  await waiting.press('Enter');
  await expect(value(third, 'Pulse')).toHaveValue('118');
  await look(third, 'begun-offline-phone');
  await third.setViewportSize({ width: 1440, height: 900 });
  await third.goBack();
  expect(await examinationsOf(chatId)).toHaveLength(before.length);

  await restoreNetwork(nurse);
  // With no form in view, what was typed follows by itself.
  await expect.poll(async () => (await examinationsOf(chatId)).length, { timeout: 60_000 }).toBe(before.length + 1);
  type Entered = { readonly entries: readonly { readonly field: string; readonly value: string }[] };
  const entered = () => doctorOverHttp.get<Entered>(`/api/examinations/${address.split('/e-')[1]}`);
  await expect
    .poll(async () => (await entered()).entries.map(({ value: typed }) => typed).sort())
    .toEqual(['118', '38.4']);
  expect(await stored(address)).toMatchObject({ state: 'in_progress' });
  const list = third.getByRole('region', { name: 'In this chat' });
  await expect(list.getByRole('link', { name: /^Vital signs/ })).toContainText('In progress');
});
