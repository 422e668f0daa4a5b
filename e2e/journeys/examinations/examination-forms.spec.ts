import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { openSignedIn } from '../../support/browser-person.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });

const ADMIN = 'admin@demo.test';
const FORMS = '/settings/facility?view=forms';

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

/** The focus goes there and Enter presses it, as somebody without a mouse does. */
async function enter(
  page: Page,
  name: string | RegExp,
  role: 'button' | 'link' | 'menuitem' = 'button',
): Promise<void> {
  await page.getByRole(role, { name }).focus();
  await page.keyboard.press('Enter');
}

async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

async function publish(page: Page, version: number): Promise<void> {
  await enter(page, 'Publish');
  const dialog = page.getByRole('dialog', { name: `Publish version ${version}?` });
  await dialog.getByRole('button', { name: `Publish version ${version}` }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
}

test('EXAM-1 EXAM-2 on a phone and by keyboard alone a form is begun, written, ordered, tried and published', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, ADMIN, { phone: true, dark: true });
  const page = admin.page();
  await openAndSettle(page, FORMS);
  expect(await axeViolations(page)).toEqual([]);
  await enter(page, 'New form');
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('Blood gas');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Blood gas', level: 1 })).toBeVisible();

  await enter(page, 'Add a field to Findings');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type('pH');
  await page.getByLabel('Unit', { exact: true }).selectOption('[pH]');
  await enter(page, 'Add a range');
  await type(page, 'Low', '7.35');
  await type(page, 'High', '7.45');
  await type(page, 'Critically low', '7.4');
  await expect(page.getByText('Critically low must be lower than what is normal.')).toBeVisible();
  await enter(page, 'Publish');
  await expect(page.getByText('One thing is to be mended before it can be published.')).toBeVisible();
  await type(page, 'Critically low', '7.2');
  await enter(page, 'Add a field to Findings');
  await page.keyboard.type('Lactate');
  await page.getByLabel('Unit', { exact: true }).selectOption('mmol/L');
  expect(await axeViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Move Lactate: arrow up or down' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('status').filter({ hasText: 'Lactate: Findings, 1 of 2.' })).toBeAttached();
  await expect(page.getByRole('button', { name: 'Move Lactate: arrow up or down' })).toBeFocused();

  await page.getByRole('radio', { name: 'Write' }).focus();
  await page.keyboard.press('ArrowRight');
  await type(page, 'pH', '7.2');
  await expect(page.getByText('Critically low')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await publish(page, 1);
  await expect(page.getByText('version 1', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Blood gas', level: 1 })).toBeVisible();
  await admin.context.close();
});

test('EXAM-1 A48 a shipped form is copied, a field dragged, and an examination goes on in the next version; the later of two editors loses nothing', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, ADMIN);
  const page = admin.page();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAndSettle(page, FORMS);
  await page.getByRole('link', { name: /^Blood count/ }).click();
  await expect(page.getByText('This form comes with Wardline.')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Change it' }).click();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  await page.getByLabel('Name of the form').fill('Blood count, ward');
  await publish(page, 1);

  const doctor = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const { chatId, facilityId } = await makeCase(doctor, [], 'Rósa Lindqvist', '88-400-113', '1951-04-02');
  const { data } = await doctor.get<{ data: { id: string; name: string }[] }>(
    `/api/facilities/${facilityId}/examination-templates`,
  );
  expect(data.map(({ name }) => name)).not.toContain('Blood count');
  const form = data.find(({ name }) => name === 'Blood count, ward');
  const body = { client_id: crypto.randomUUID(), template_id: form?.id };
  const begun = await doctor.send('POST', `/api/chats/${chatId}/examinations`, body);
  const examination = begun?.body as { id: string };

  const [from, to] = [
    page.locator('[data-row]', { hasText: 'Platelets' }),
    page.locator('[data-row]', { hasText: 'Haemoglobin' }),
  ];
  const handle = await from.getByRole('button', { name: /^Move Platelets/ }).boundingBox();
  const target = await to.boundingBox();
  if (!handle || !target) throw new Error('no row to drag');
  await page.mouse.move(handle.x + 10, handle.y + 10);
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y + 30, { steps: 4 });
  await page.mouse.move(target.x + 40, target.y + 12, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByRole('status').filter({ hasText: 'Platelets: Findings, 1 of 3.' })).toBeAttached();

  const other = await openSignedIn(browser, wardline.baseUrl, ADMIN);
  await other.page().goto(page.url());
  await other.page().getByLabel('Name of the form').fill('Blood count, theirs');
  await other.page().getByRole('button', { name: 'Save draft' }).click();
  await expect(other.page().getByRole('button', { name: 'Save draft' })).toBeDisabled();
  admin.expectConsole(
    failedLoad(409, '/api/facilities/{facility}/examination-forms/{form}/draft'),
    'the later of two is told',
  );
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText(/changed this form/)).toBeVisible();
  await page.getByRole('button', { name: 'Show the difference' }).click();
  await expect(page.getByText('Name: Blood count, theirs → Blood count, ward.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await publish(page, 2);

  const ward = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  await ward.page().goto(`/chat/f-${facilityId}/c-${chatId}/e-${examination.id}`);
  await expect(ward.page().getByText('This form has a newer version, 2.')).toBeVisible();
  await ward.page().getByRole('button', { name: 'Go on in version 2' }).click();
  await expect(ward.page().getByText('version 2', { exact: true })).toBeVisible();
  await Promise.all([admin, other, ward].map(({ context }) => context.close()));
});
