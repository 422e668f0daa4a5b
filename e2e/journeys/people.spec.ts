import { expect } from '@playwright/test';
import { openSignedIn } from '../support/browser-person.ts';
import { test } from '../support/journey.ts';
import { NIGHTLY } from '../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

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
