import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { type BrowserPerson, openSignedIn, signIn } from '../../support/browser-person.ts';
import { openChat, timeline } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase, say } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let doctor: BrowserPerson;
let path: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  const by = await overHttp('nurse');
  const made = await makeCase(by, [await overHttp('doctor')], 'Shift Change');
  path = made.path;
  const seq = await say(by, made.chatId, 'Allergic to penicillin');
  const { data } = await by.get<{ data: { id: string }[] }>(
    `/api/chats/${made.chatId}/messages?after=${seq - 1}&limit=1`,
  );
  await by.send('PUT', `/api/chats/${made.chatId}/messages/${data[0]?.id}/pin`, { is_pinned: true });
  nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', { ownDevice: true });
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test', { phone: true });
});
test.afterAll(async () => {
  await nurse?.context.close();
  await doctor?.context.close();
  await wardline?.stop();
});

/** Also in the dark, where colours are others. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('HAND-1 a patient is handed over by keyboard alone, received with a synthesis on a phone, and both see it live', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(nurse.page(), path);
  await page.getByRole('link', { name: 'Hand over' }).press('Enter');
  const quoted = page.getByRole('textbox', { name: 'Patient summary, line' });
  await expect(quoted).toHaveValue('Allergic to penicillin');
  await page.getByRole('radio', { name: 'Watcher' }).press('Space');
  await page.getByRole('button', { name: /^Write a line.*What may happen/ }).press('Enter');
  await page.keyboard.type('If the pressure falls: 250 mL and call me');
  await page.getByRole('button', { name: 'Add an action' }).press('Enter');
  await expect(page.getByLabel('What', { exact: true })).toBeFocused();
  await page.keyboard.type('Repeat lactate');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Night SHO');
  await expectAccessible(page);

  // A tab that dies, and what was written is there.
  await expect(page.getByText('Kept on this device until you sign.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Who', { exact: true })).toHaveValue('Night SHO');
  await expect(page.getByRole('radio', { name: 'Watcher' })).toBeChecked();

  const to = page.getByLabel('Hand over to');
  await to.focus();
  await page.keyboard.type('Dr. Mira Okafor');
  await expect(to).not.toHaveValue('nobody');
  await page.getByRole('button', { name: 'Sign and hand over' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign and hand over' }).press('Enter');
  const panel = page.getByRole('region', { name: /^Hand-over: I-PASS/ });
  await expect(panel).toContainText('Waiting');
  await expect(timeline(page)).toContainText('handed over to Dr. Mira Okafor: I-PASS, watcher');
  await expectAccessible(page);

  const phone = doctor.page();
  await phone.goto('/dashboard');
  await phone.getByRole('link', { name: /^Receive.*Shift Change/ }).click();
  await expect(phone.getByText('If the pressure falls: 250 mL and call me')).toBeVisible();
  await phone
    .getByLabel('Synthesis by receiver')
    .fill('Stable now. I repeat the lactate and give 250 mL if she drops.');
  await expectAccessible(phone);
  await phone.getByRole('button', { name: 'Sign and receive' }).click();
  await expect(phone.getByText('Received', { exact: true })).toBeVisible();

  await expect(panel).toContainText('I repeat the lactate');
  // Checked once the server has it: `check` would look before.
  await phone.getByRole('checkbox', { name: /Repeat lactate/ }).click();
  await expect(phone.getByRole('checkbox', { name: /Repeat lactate/ })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: /Repeat lactate/ })).toBeChecked();
  await expect(panel).toContainText('Done by Dr. Mira Okafor');
  await expectAccessible(phone);
});

test('HAND-1 the list of a unit says live whose hand-over is missing, at a desk, on a phone, offline and on paper', {
  tag: NIGHTLY,
}, async () => {
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  const [by, mira] = [await overHttp('nurse'), await overHttp('doctor')];
  const forgotten = await makeCase(by, [mira], 'Nearly Forgotten', 'MRN 99-000-002');
  const given = await makeCase(by, [mira], 'Handed Over', 'MRN 99-000-003');

  const page = nurse.page();
  await page.goto('/chats');
  await page.getByRole('link', { name: 'Hand-over list' }).press('Enter');
  await page.getByLabel('Unit').selectOption({ label: await labelOf(page, 'MED 3A') });
  const row = (patient: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name: patient, exact: true }) });
  await expect(row('Nearly Forgotten')).toContainText('No hand-over yet');
  await expect(row('Handed Over')).toContainText('No hand-over yet');
  await expectAccessible(page);

  // Somebody else hands over meanwhile, and it is ticked off by nobody yet.
  const due_at = new Date(Date.now() + 3_600_000).toISOString();
  const sheet = {
    ...{ format: 'ipass', severity: 'unstable' },
    lines: [{ section: 'summary', text: 'Urosepsis, day 2.' }],
    actions: [{ id: randomUUID(), text: 'Repeat lactate', owner: 'Night SHO', due_at }],
  };
  const body = { client_id: randomUUID(), sheet, to: { user_id: by.userId, role_id: null }, hands_over_chat: false };
  expect((await mira.send('POST', `/api/chats/${given.chatId}/handovers`, body))?.status).toBe(201);
  await expect(row('Handed Over')).toContainText('Waiting');
  await expect(row('Handed Over')).toContainText('Repeat lactate · Night SHO');
  await expect(row('Nearly Forgotten')).toContainText('No hand-over yet');

  const phone = doctor.page();
  await phone.goto(new URL(page.url()).pathname + new URL(page.url()).search);
  await expect(phone.getByRole('link', { name: 'Handed Over', exact: true })).toBeVisible();
  const overflow = () =>
    phone.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBe(0);
  await expectAccessible(phone);

  await nurse.context.setOffline(true);
  await expect(page.getByText(/^You’re offline\. This is the list of/)).toBeVisible();
  await nurse.context.setOffline(false);
  await expect(page.getByText(/^You’re offline\. This is the list of/)).toBeHidden();

  await page.getByRole('button', { name: 'Print', exact: true }).press('Enter');
  await expect(page.getByRole('article', { name: /^Hand-over list: MED 3A/ })).toBeVisible();
  const printed = (await readPdf(await page.pdf({ format: 'A4' }))).flatMap(({ lines }) => lines).join('\n');
  for (const said of ['St. Brigid General', 'Nearly Forgotten', 'No hand-over yet', 'Handed Over', 'Repeat lactate'])
    expect(printed).toContain(said);
  expect(printed).not.toMatch(/Back to the list|Print or save as PDF|Dashboard/);
  await page.getByRole('button', { name: 'Back to the list' }).press('Enter');

  await row('Nearly Forgotten')
    .getByRole('link', { name: /^Hand over/ })
    .press('Enter');
  await expect(page).toHaveURL(new RegExp(`${forgotten.path}/h-${forgotten.chatId}$`));
  await expect(page.getByRole('button', { name: 'Sign and hand over' })).toBeVisible();
});

/** The choice of a unit, which says how far it is. */
async function labelOf(page: Page, unit: string): Promise<string> {
  const option = page.getByLabel('Unit').locator('option').filter({ hasText: unit });
  return (await option.textContent()) ?? '';
}
