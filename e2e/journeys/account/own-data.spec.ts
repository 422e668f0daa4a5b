import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { failedLoad, SESSION_IS_OVER } from '../../support/browser/console-lines.ts';
import { openSignedIn } from '../../support/browser-person.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

/** Puts the focus there as Tab would, and presses Enter. */
async function pressEnter(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: typeof name === 'string' });
  await button.focus();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
}

async function confirmPassword(page: Page): Promise<void> {
  await expect(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible();
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
}

interface Membership {
  readonly memberships: readonly { readonly facility_name: string; readonly roles: readonly string[] }[];
}

test('ACC-5 PERM-2 by keyboard on a phone: a copy of one’s data is taken, a role goes, the account is deleted and the records keep its name', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
  const page = nurse.page();
  await page.goto('/settings#data');
  nurse.expectConsole(failedLoad(423, '/api/user/data-copies'), 'the password is asked for first');
  await pressEnter(page, 'Get a copy of your data');
  await confirmPassword(page);
  await expect(page.getByText(/kB, kept until /)).toBeVisible({ timeout: 30_000 });
  const [file] = await Promise.all([page.waitForEvent('download'), pressEnter(page, /^Download the copy asked for/)]);
  expect(file.suggestedFilename()).toMatch(/^own-data-[\d-]{10}[.]json$/);
  const copy = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(copy.account).toMatchObject([{ email: 'nurse@demo.test', name: 'Ana Reyes' }]);
  expect(copy.messages.length).toBeGreaterThan(0);
  expect(copy.messages.some((message: object) => 'text' in message)).toBe(false);

  await page.getByRole('link', { name: 'See what is recorded' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Who can see what' })).toBeVisible();
  await expect(page.getByText('12 hours on a shared computer, 7 days on your own device')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const desk = admin.page();
  await desk.goto('/settings/facility#roles');
  await pressEnter(desk, 'Edit Charge nurse');
  await pressEnter(desk, 'Remove role');
  const removal = desk.getByRole('dialog', { name: 'Remove the role Charge nurse?' });
  await expect(removal.getByText(/have it: .*Ana Reyes/)).toBeVisible();
  await expect(removal.getByRole('button', { name: 'Remove role' })).toBeDisabled();
  await removal.getByLabel('They get instead').selectOption({ label: 'Clinician' });
  admin.expectConsole(
    failedLoad(423, '/api/facilities/{facility}/roles/{role}/removal'),
    'the password is asked for first',
  );
  await removal.getByRole('button', { name: 'Remove role' }).press('Enter');
  await confirmPassword(desk);
  await expect(removal).toHaveCount(0);
  await expect(desk.getByRole('button', { name: 'Edit Charge nurse' })).toHaveCount(0);
  const asNurse = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  const { memberships } = await asNurse.get<Membership>('/api/user');
  expect(memberships.map(({ roles }) => roles.join())).toContain('Clinician');

  await page.goto('/settings#data');
  await pressEnter(page, 'Delete account');
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog.getByText('Your membership of', { exact: false })).toBeVisible();
  await dialog.getByLabel('Type nurse@demo.test to confirm').focus();
  await page.keyboard.type('admin@demo.test');
  nurse.expectConsole(failedLoad(422, '/api/user/deletion'), 'another address was typed');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the address of your account.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('nurse@demo.test');
  nurse.allowConsole(/^failed load: 401 /, 'the session is over');
  nurse.allowConsole(SESSION_IS_OVER, 'the session is over');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sign-in/);

  await desk.goto('/settings/facility#members');
  await pressEnter(desk, 'Deleted accounts');
  await expect(desk.getByRole('list', { name: 'Deleted accounts' })).toContainText('Ana Reyes (account deleted)');
  const doctor = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const { chats } = await doctor.get<{ chats: readonly { id: string }[] }>('/api/sync?limit=200');
  const said = await Promise.all(
    chats.map(({ id }) => doctor.get<{ data: readonly { sender: { name: string } }[] }>(`/api/chats/${id}/messages`)),
  );
  const names = said.flatMap(({ data }) => data.map(({ sender }) => sender.name));
  expect(names).toContain('Ana Reyes (account deleted)');
  await nurse.context.close();
  await admin.context.close();
});
