import { expect } from '@playwright/test';
import { openSignedIn } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { linkMailedTo } from '../../support/servers/mailbox.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 240_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

const file = (...lines: string[]) => ({
  ...{ name: 'people.csv', mimeType: 'text/csv' },
  buffer: Buffer.from(['E-mail;Role;Name;Job title', ...lines].join('\r\n')),
});

test('ACC-1 a file of people is corrected by its findings, then each is mailed a link that works', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const page = admin.page();
  await page.goto('/settings#invitations');
  await page.getByRole('button', { name: 'Invite from a file' }).click();
  const dialog = page.getByRole('dialog', { name: /from a file$/ });
  const input = dialog.locator('input[type="file"]');
  await input.setInputFiles(file('noor@people.test;Surgeon;Noor;', 'admin@demo.test;Clinician;;'));
  await expect(dialog.getByText('1 line refused, so nobody is invited.')).toBeVisible();
  await expect(dialog.getByText('There is no role “Surgeon”.')).toBeVisible();
  await expect(dialog.getByText('Is a member already.')).toBeVisible();
  await input.setInputFiles(file('noor@people.test;Clinician;Noor;Resident', 'ivo@people.test;charge nurse;;'));
  await dialog.getByRole('button', { name: 'Invite 2 people' }).click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await expect(page.getByText('2 invited by mail')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Resident · noor@people.test · Clinician')).toBeVisible();
  const link = await linkMailedTo(wardline, 'ivo@people.test');
  await page.goto(link);
  await expect(page.getByRole('dialog', { name: 'You already belong here' })).toBeVisible();
  const newcomer = await openSignedIn(browser, wardline.baseUrl, 'newcomer@demo.test');
  await newcomer.page().goto(link);
  await expect(newcomer.page().getByRole('dialog', { name: /^Join / })).toBeVisible();
  await Promise.all([admin.context.close(), newcomer.context.close()]);
});
