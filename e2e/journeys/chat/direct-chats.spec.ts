import { expect, type Page } from '@playwright/test';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, openSignedIn, untilOfflineReady } from '../../support/browser-person.ts';
import { composer, messageRow, openChat, write } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
// Offline the code of a chat with a person comes from it.
test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let casePath: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  const by = await overHttp('doctor');
  casePath = (await makeCase(by, [await overHttp('nurse'), await overHttp('leila.haddad')], 'Direct Case')).path;
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

/** The row that is called so, not those in which somebody of that name spoke last. */
const rowCalled = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Chats' }).getByText(name, { exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 });

test('CHAT-17 one press on the sender’s name opens the chat of the two, which the first message makes', {
  tag: NIGHTLY,
}, async () => {
  const [at, other] = [await openChat(doctor.page(), casePath), await openChat(nurse.page(), casePath)];
  await write(at, 'Who has the keys?');
  // On a phone, by touch.
  await messageRow(other, 'Who has the keys?').getByRole('link', { name: 'Dr. Mira Okafor' }).click();
  await expect(heading(other, 'Dr. Mira Okafor')).toBeVisible();
  await expect(other.getByText('Only the two of you see what is written here.')).toBeVisible();
  await expect(rowCalled(at, 'Ana Reyes')).toHaveCount(0);
  await write(other, 'I have them.');
  await expect(other).toHaveURL(/\/c-[0-9a-f-]{36}$/);
  await expect(messageRow(other, 'I have them.').getByText('Sent')).toBeVisible();

  // At the other end it stands under the sender's name, and what is answered there comes into the same chat.
  await expect(at.getByText('Ana Reyes wrote to you', { exact: true })).toBeVisible();
  await rowCalled(at, 'Ana Reyes').click();
  await expect(heading(at, 'Ana Reyes')).toBeVisible();
  await write(at, 'Thank you.');
  await expect(messageRow(other, 'Thank you.')).toBeVisible();
  expect(new URL(at.url()).pathname).toBe(new URL(other.url()).pathname);
  // Back leads to the chat that one came from.
  await other.goBack();
  await expect(heading(other, 'Direct Case')).toBeVisible();
});

test('CHAT-3 CHAT-17 offline the first message waits under the person’s name, and makes the chat when sent', {
  tag: NIGHTLY,
}, async () => {
  const at = await openChat(doctor.page(), casePath);
  await at.getByRole('button', { name: '3 people in this chat' }).click();
  await expect(at.getByRole('dialog').getByRole('link', { name: 'Leila Haddad' })).toBeVisible();
  await untilOfflineReady(at);
  await cutNetwork(doctor);
  await at.getByRole('dialog').getByRole('link', { name: 'Leila Haddad' }).click();
  await expect(heading(at, 'Leila Haddad')).toBeVisible();
  await expect(at.getByRole('dialog')).toHaveCount(0);
  await write(at, 'Bed 9 when you can.');
  await write(at, 'No hurry.');
  await expect(messageRow(at, 'Bed 9 when you can.').getByText('Waiting to send')).toBeVisible();
  await restoreNetwork(doctor);
  await expect(at).toHaveURL(/\/c-[0-9a-f-]{36}$/);
  await expect(messageRow(at, 'No hurry.').getByText('Sent')).toBeVisible();
  await expect(messageRow(at, 'Bed 9 when you can.')).toBeVisible();
  await expect(at.getByText('Waiting to send')).toHaveCount(0);
});

test('CHAT-17 SHELL-7 the palette leads to a person by keys alone, and the same address finds the chat again', {
  tag: NIGHTLY,
}, async () => {
  const at = await openChat(doctor.page(), casePath);
  await at.keyboard.press('Control+k');
  await at.keyboard.type('grace');
  await expect(at.getByRole('option', { name: /Grace Adeyemi/ })).toBeVisible();
  await at.keyboard.press('Enter');
  await expect(heading(at, 'Grace Adeyemi')).toBeVisible();
  const address = at.url();
  await expect(composer(at)).toBeFocused();
  await at.keyboard.type('First round at seven?');
  // What is typed survives a reload before there is a chat.
  await at.reload();
  await expect(composer(at)).toHaveValue('First round at seven?');
  await composer(at).press('Enter');
  await expect(at).toHaveURL(/\/c-[0-9a-f-]{36}$/);
  await at.goto(address);
  await expect(at).toHaveURL(/\/c-[0-9a-f-]{36}$/);
  await expect(messageRow(at, 'First round at seven?')).toBeVisible();
});

test('CHAT-18 who adds says what the new one sees, and a chat is muted in its list of people', {
  tag: NIGHTLY,
}, async () => {
  const at = await openChat(doctor.page(), casePath);
  await at.getByRole('button', { name: '3 people in this chat' }).click();
  const dialog = at.getByRole('dialog');
  await dialog.getByRole('button', { name: '8 hours' }).click();
  await expect(dialog.getByText(/^Muted until/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Add people' }).click();
  await dialog.getByRole('searchbox').fill('priya');
  const found = dialog.getByRole('checkbox', { name: /^Priya Nair/ });
  await expect(found).toHaveCount(1);
  await found.press('Space');
  await dialog.getByRole('radio', { name: 'Only what is said from now on' }).check();
  await dialog.getByRole('button', { name: 'Add to chat' }).click();
  await expect(dialog.getByText('sees messages since they were added')).toBeVisible();
  await at.keyboard.press('Escape');
  const messages = at.getByRole('log', { name: 'Messages' });
  await expect(messages.getByText('You added Priya Nair, who sees messages from now on')).toBeVisible();
  await expect(at.getByText(/^Muted · /)).toBeVisible();
  await expect(rowCalled(at, 'Direct Case').locator('..').getByRole('img', { name: 'Muted' })).toBeVisible();
});
