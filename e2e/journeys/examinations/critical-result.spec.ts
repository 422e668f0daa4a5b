import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { openChat } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });

const MRN = 'MRN 99-000-310';

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let third: BrowserPerson;
let path: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  const others = await Promise.all(['doctor', 'owen.hart', 'leila.haddad'].map(overHttp));
  path = (await makeCase(await overHttp('nurse'), others, 'Night Potassium', MRN)).path;
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  third = await openSignedIn(browser, wardline.baseUrl, 'leila.haddad@demo.test', { phone: true });
  await third.page().goto('/dashboard');
});
test.afterAll(async () => {
  await nurse?.context.close();
  await third?.context.close();
  await wardline?.stop();
});

const card = (page: Page) => page.getByRole('region', { name: 'Critical result', exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
const value = (page: Page, label: string) => page.getByLabel(label, { exact: true });

/** The next step of the ladder is due now, as if its minutes had passed. */
const passTime = () =>
  wardline.asDatabaseOwner("update escalations set due_at = now() where state = 'calling' and due_at is not null");

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('EXAM-5 a critical potassium is flagged as it is typed, and signed with a decision, by keyboard', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(nurse.page(), path);
  await page.getByRole('link', { name: 'New examination' }).press('Enter');
  await press(page, 'Renal profile');
  await press(page, 'Begin');
  await press(page, 'Request');
  await press(page, 'Start');
  await value(page, 'Potassium').focus();
  await page.keyboard.type('6.8');
  await expect(page.getByRole('row', { name: /Potassium/ })).toContainText('Critically high');
  await page.keyboard.press('Tab');
  await press(page, 'Sign report');
  const dialog = page.getByRole('dialog', { name: 'Sign the report: critical result' });
  await expect(dialog).toContainText('Potassium 6.8 mmol/L, HH');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Sign and call' }).press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Choose whom to call.');
  await dialog.getByRole('checkbox', { name: /Okafor/ }).press('Space');
  await dialog.getByRole('button', { name: 'Sign and call' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Critical results' })).toContainText('Calling');
  await expect(card(page)).toContainText('To Dr. Mira Okafor');
});

test('EXAM-5 URG-1 it climbs over two who do not answer, and the third reads it back, wrongly and then rightly', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [nurse.page(), third.page()];
  await passTime();
  await expect(card(page).getByText('Called again: Dr. Mira Okafor')).toBeAttached();
  await passTime();
  await expect(card(page).getByText(/Called further/)).toBeAttached();
  await expect(page.getByRole('region', { name: 'Critical results' })).toContainText('Calling further');
  await expect(phone).toHaveURL(/\/dashboard$/);
  await expect(phone.getByRole('heading', { name: 'Urgent', exact: true })).toBeVisible();
  await expectAccessible(phone);
  await phone.getByRole('alert').getByRole('link', { name: 'Read it back' }).click();
  await card(phone).getByRole('button', { name: 'Read back' }).click();
  await expect(page.getByRole('region', { name: 'Critical results' })).toContainText('Received, not read back');
  const dialog = phone.getByRole('dialog', { name: 'Read back' });
  await value(phone, 'Potassium').fill('8.6');
  await value(phone, 'Unit of Potassium').fill('mmol/l');
  await value(phone, 'MRN or other ID').fill('99-000-310');
  await dialog.getByRole('button', { name: 'Read back' }).click();
  await expect(dialog).toContainText('Check the value of Potassium');
  await expectAccessible(phone);
  await value(phone, 'Potassium').fill('6,80');
  await dialog.getByRole('button', { name: 'Read back' }).click();
  await expect(dialog).toBeHidden();
  for (const at of [page, phone]) await expect(card(at).getByText(/read it back, all agreed/)).toBeAttached();
});

test('EXAM-5 URG-2 it waits for what was done, closes by that, and its whole timeline stands for all', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [nurse.page(), third.page()];
  await phone.goto('/dashboard');
  await phone.getByRole('link', { name: 'Say what was done' }).click();
  await card(phone).getByRole('textbox', { name: 'What was done?' }).fill('Calcium given, K repeated');
  await card(phone).getByRole('button', { name: 'Done' }).click();
  await expect(card(page)).toContainText('Critical, closed');
  await card(page).getByText('Timeline', { exact: true }).click();
  for (const said of ['Called again', 'Called further', 'not agreed: value of Potassium', 'closed it: Calcium given']) {
    await expect(card(page).getByRole('listitem').filter({ hasText: said })).toBeVisible();
  }
  await expect(page.getByRole('region', { name: 'Critical results' })).toContainText('Closed');
  await expectAccessible(page);
  await phone.goto('/dashboard');
  await expect(phone.getByRole('heading', { name: 'Urgent', exact: true })).toBeHidden();
});
