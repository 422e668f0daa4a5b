import { expect, type Page } from '@playwright/test';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

let wardline: WardlineProcess;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let path: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  path = (await makeCase(await overHttp('doctor'), [await overHttp('nurse')], 'Urgent Case')).path;
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
  await nurse.page().goto('/dashboard');
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

const card = (page: Page) => page.getByRole('region', { name: 'Urgent message' });
const step = (page: Page, name: string) => card(page).getByRole('listitem').filter({ hasText: name }).first();

test('URG-1 URG-2 an urgent message calls over every page, is acknowledged and closed by what was done, in view of both', async () => {
  const [at, other] = [await openChat(doctor.page(), path), nurse.page()];
  await composer(at).fill('K 6.9, please come to the bedside');
  await at.getByRole('button', { name: 'Urgent', exact: true }).click();
  const form = at.getByRole('dialog', { name: 'Urgent message' });
  await expect(form.getByRole('textbox', { name: 'Message' })).toHaveValue('K 6.9, please come to the bedside');
  await form.getByRole('button', { name: 'Send and call' }).click();
  await expect(form.getByRole('alert')).toHaveText('Choose who must acknowledge it.');
  await form.getByRole('checkbox', { name: /Ana Reyes/ }).press('Space');
  await expect(form.getByRole('listitem').filter({ hasText: 'After 5 min: again' })).toBeVisible();
  await form.getByRole('button', { name: 'Send and call' }).click();
  await expect(card(at)).toContainText('To Ana Reyes');
  await expect(composer(at)).toHaveValue('');
  await expect(messageRow(at, 'K 6.9')).toHaveCount(1);
  await expect(listRow(at, 'Urgent Case')).toContainText('Urgent');

  // She is elsewhere, and is called there.
  await expect(other).toHaveURL(/\/dashboard$/);
  const banner = other.getByRole('alert').filter({ hasText: 'Urgent from Dr. Mira Okafor.' });
  await expect(banner).toContainText('K 6.9, please come to the bedside');
  await expect(other.getByRole('heading', { name: 'Urgent', exact: true })).toBeVisible();
  await expect(step(at, 'On devices')).toContainText('1 of 1');
  await banner.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(banner).toBeHidden();
  await expect(step(at, 'Acknowledged')).toContainText('Ana Reyes');

  await other.getByRole('link', { name: 'Say what was done' }).click();
  await card(other).getByRole('textbox', { name: 'What was done?' }).fill('Calcium given, K repeated');
  await card(other).getByRole('button', { name: 'Done' }).click();
  for (const page of [at, other]) {
    await expect(card(page)).toContainText('Urgent, closed');
    await card(page).getByText('Timeline', { exact: true }).click();
    await expect(card(page).getByRole('listitem').last()).toContainText('closed it: Calcium given, K repeated');
  }
  await expect(listRow(at, 'Urgent Case').getByText('Urgent', { exact: true })).toHaveCount(0);
  await expect(messageRow(at, 'K 6.9').getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
});
