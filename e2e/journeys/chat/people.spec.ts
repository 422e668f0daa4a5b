import { expect } from '@playwright/test';
import { openSignedIn } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

test('CHAT-19 CHAT-17 a nurse finds who is on call and takes over by keyboard; a phone shows it at once, and writes to them', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test', { phone: true });
  await doctor.page().goto('/people?view=on-call');
  const roleOn = (person: typeof nurse) => person.page().getByRole('region', { name: 'Night pharmacist' });
  await expect(roleOn(doctor)).toContainText('Priya Nair');

  const page = nurse.page();
  await page.goto('/dashboard');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'People' }).click();
  const people = page.getByRole('list', { name: 'People' });
  await page.getByRole('searchbox').fill('pharmacist');
  await expect(people.getByRole('listitem')).toHaveCount(1);
  await expect(people).toContainText('Night pharmacist');
  await page.getByRole('link', { name: 'On call', exact: true }).click();
  await roleOn(nurse).getByRole('button', { name: 'Take over Night pharmacist' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Take over: Night pharmacist' });
  await dialog.getByRole('button', { name: 'Take over' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(roleOn(nurse)).toContainText('Ana Reyes (you)');

  await expect(roleOn(doctor)).toContainText('Ana Reyes');
  await roleOn(doctor).getByRole('link', { name: 'Ana Reyes', exact: true }).click();
  await expect(doctor.page().getByRole('heading', { name: 'Ana Reyes' })).toBeVisible();
  await nurse.context.close();
  await doctor.context.close();
});

test('CHAT-12 a nurse says by keyboard that she is on a ward round; who has the chat with her open on a phone sees it at once', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'leila.haddad@demo.test');
  const doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test', { phone: true });
  await doctor.page().goto('/people');
  await doctor.page().getByRole('link', { name: 'Leila Haddad', exact: true }).click();
  const head = doctor.page().getByRole('region', { name: /^Chat/ });
  await expect(head).toContainText(/On duty until/);

  const page = nurse.page();
  await page.goto('/dashboard');
  const account = page.getByRole('button', { name: /Leila Haddad/ }).first();
  await account.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Your duty' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your duty' });
  await dialog.getByRole('radio', { name: 'On duty' }).focus();
  await page.keyboard.press('ArrowDown');
  await dialog.getByLabel('Reason (optional)').selectOption('Ward round');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(head).toContainText(/Busy until .*, ward round/);

  await account.press('Enter');
  await page.getByRole('menuitem', { name: 'Your duty' }).press('Enter');
  await expect(dialog).toContainText('Now: Busy until');
  await nurse.context.setOffline(true);
  await expect(dialog).toContainText('This can’t be changed now');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await nurse.context.setOffline(false);
  await dialog.getByRole('radio', { name: 'Off duty' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(head).toContainText('Off duty');
  await nurse.context.close();
  await doctor.context.close();
});
