import { expect } from '@playwright/test';
import { openSignedIn } from '../support/browser-person.ts';
import { failedLoad } from '../support/console-lines.ts';
import { test } from '../support/journey.ts';
import { NIGHTLY } from '../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../support/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

test('ADM-2 PERM-4 ACC-7 by keyboard on a phone the system administrator disables an account, whose open page is led out at once, and enables it again', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  await admin.page().goto('/settings/system');
  await expect(admin.page()).toHaveURL(/\/403$/);

  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const theirs = nurse.page();
  await theirs.goto('/dashboard');
  await expect(theirs.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();

  const operator = await openSignedIn(browser, wardline.baseUrl, 'operator@demo.test', { phone: true });
  operator.allowConsole(failedLoad(423, '/api/system/accounts/{user}/disabled'), 'the password was not given yet');
  nurse.allowConsole(/^failed load: 401 /, 'the session has ended');
  nurse.allowConsole(/User session is not set in API or expired/, 'the session has ended');
  const page = operator.page();
  const press = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    await page.getByRole(role, { name, exact: true }).last().focus();
    await page.keyboard.press('Enter');
  };
  await page.goto('/dashboard');
  await expect(page.getByText('Emails are kept in a folder and reach no one.')).toBeVisible();
  await press('System administration', 'link');
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('No security contact.');
  await page.getByLabel('Search names and email').focus();
  await page.keyboard.type('nurse@demo');
  await expect(page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')).toHaveCount(1);
  await press('Manage Ana Reyes');
  const dialog = page.getByRole('dialog', { name: 'Ana Reyes' });
  await expect(dialog).toContainText('St. Brigid General: Charge nurse');
  await press('Disable account');
  await page.getByLabel('Reason').focus();
  await page.keyboard.type('Her phone was stolen.');
  await press('Disable');
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Her phone was stolen.')).toBeVisible();
  await expect(theirs).toHaveURL(/\/sign-in/);

  await press('Enable account');
  await press('Enable');
  await expect(dialog.getByRole('button', { name: 'Disable account' })).toBeVisible();
  await press('Close');
  await expect(dialog).toBeHidden();

  await press('Email and push', 'link');
  await press('Send test email');
  await expect(page.getByText('Kept in a folder of the server')).toBeVisible();
  await page.goto('/mailbox');
  for (const subject of ['was disabled', 'was enabled again', 'Test email']) {
    await expect(page.getByText(subject).first()).toBeVisible();
  }
  for (const person of [admin, nurse, operator]) await person.context.close();
});
