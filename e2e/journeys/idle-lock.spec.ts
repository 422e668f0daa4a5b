import { expect } from '@playwright/test';
import { type BrowserPerson, signIn } from '../support/browser-person.ts';
import { composer, listRow } from '../support/chat-page.ts';
import { failedLoad } from '../support/console-lines.ts';
import { test } from '../support/journey.ts';
import { NIGHTLY } from '../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../support/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });

let wardline: WardlineProcess;
const people: BrowserPerson[] = [];

test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());
test.afterEach(async () => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
});

test('ACC-6 A35 a locked ward computer shows nothing, also after a reload and in a new tab, and gives back what was typed', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const person = await signIn(browser, wardline.baseUrl, 'nurse@demo.test');
  people.push(person);
  const page = person.page();
  await page.goto('/chats');
  await listRow(page, 'Ward coordination').click();
  await expect(composer(page)).toBeEditable();
  await composer(page).fill('Half an answer about bed 4');
  const title = await page.title();
  await page
    .getByRole('button', { name: /Nuru|nurse@demo/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Lock screen' }).click();
  const locked = page.getByRole('heading', { name: 'Locked' });
  await expect(locked).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  expect(await page.content()).not.toContain('Half an answer');
  expect(await page.title()).toContain('Locked');
  expect(await page.locator('#root').count()).toBe(0);

  person.expectConsole(failedLoad(422, '/api/user/unlock'), 'a wrong password');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not your password.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(locked).toHaveCount(0);
  await expect(composer(page)).toHaveValue('Half an answer about bed 4');
  expect(await page.title()).toBe(title);

  await page.evaluate(() => window.dispatchEvent(new Event('wardline-lock-now')));
  await page.reload();
  await expect(locked).toBeVisible();
  expect(await page.content()).not.toContain('Half an answer');
  const other = await person.context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('heading', { name: 'Locked' })).toBeVisible();
  await other.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', { name: 'Locked' })).toHaveCount(0);
  await expect(locked).toHaveCount(0);
  await expect(composer(page)).toHaveValue('Half an answer about bed 4');

  await page.evaluate(() => window.dispatchEvent(new Event('wardline-lock-now')));
  await page.getByRole('button', { name: /Sign in as someone else/ }).click();
  await page.getByRole('button', { name: /^Sign .* out$/ }).click();
  await page.waitForURL(/\/sign-in/);
  await expect(page.getByLabel('Email')).toBeVisible();
});
