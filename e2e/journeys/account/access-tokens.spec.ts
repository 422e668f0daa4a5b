import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { openSignedIn } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

async function confirmPassword(page: Page): Promise<void> {
  await expect(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible();
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
}

/** A program, which has a token and no cookie. */
function program(request: APIRequestContext, token: string) {
  const options = { headers: { authorization: `Bearer ${token}`, cookie: '' } };
  return {
    get: async (path: string) => (await request.get(wardline.baseUrl + path, options)).status(),
    read: async (path: string) => (await request.get(wardline.baseUrl + path, options)).json(),
    post: async (path: string, data: object) =>
      (await request.post(wardline.baseUrl + path, { ...options, data })).json(),
    patch: async (path: string, data: object) =>
      (await request.patch(wardline.baseUrl + path, { ...options, data })).status(),
  };
}

test('ACC-5 an access token is made, does what it was made for and no more, and ends when it is revoked', {
  tag: NIGHTLY,
}, async ({ browser, request }) => {
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const page = nurse.page();
  await page.goto('/settings#security');
  await page.getByRole('button', { name: 'Create an access token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create an access token' });
  await dialog.getByLabel('Name', { exact: true }).fill('Ward display');
  await dialog.getByLabel('See your name, email address and facilities').check();
  nurse.expectConsole(failedLoad(423, '/api/user/tokens'), 'the password is asked for first');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await confirmPassword(page);
  const token = await page.getByLabel('Access token', { exact: true }).inputValue();
  const display = program(request, token);
  expect([await display.get('/api/user'), await display.get('/api/user/tokens')]).toEqual([200, 403]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Ward display' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Ward display', { exact: true })).toBeHidden();
  expect(await display.get('/api/user')).toBe(401);
  await nurse.context.close();
});

test('ACC-4 ACC-7 a directory is connected: who it adds has the role of their group, who it takes out is out at once', {
  tag: NIGHTLY,
}, async ({ browser, request }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const page = admin.page();
  await page.goto('/settings/facility#directory');
  await page.getByRole('button', { name: 'Create token for the directory' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a directory token' });
  await dialog.getByLabel('Name').fill('Entra ID');
  admin.expectConsole(failedLoad(423, '/api/facilities/{facility}/scim-tokens'), 'the password is asked for first');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await confirmPassword(page);
  const directory = program(request, await page.getByLabel('Directory token', { exact: true }).inputValue());
  await page.getByRole('button', { name: 'Done' }).click();

  const groups = await directory.read('/scim/v2/Groups?filter=displayName%20eq%20%22Clinician%22');
  const person = await directory.post('/scim/v2/Users', {
    ...{ userName: 'robin.new@hospital.test', displayName: 'Robin Newcomer', active: true },
  });
  const add = { op: 'Add', path: 'members', value: [{ value: person.id }] };
  expect(await directory.patch(`/scim/v2/Groups/${groups.Resources[0].id}`, { Operations: [add] })).toBe(200);
  await page.goto('/people');
  await page.getByRole('searchbox').fill('Newcomer');
  const people = page.getByRole('list', { name: 'People' });
  await expect(people).toContainText('Robin Newcomer');
  await expect(people).toContainText('Clinician');

  const end = { op: 'Replace', path: 'active', value: 'False' };
  expect(await directory.patch(`/scim/v2/Users/${person.id}`, { Operations: [end] })).toBe(200);
  await page.reload();
  await page.getByRole('searchbox').fill('Newcomer');
  await expect(page.getByText('Robin Newcomer')).toBeHidden();
  await admin.context.close();
});
