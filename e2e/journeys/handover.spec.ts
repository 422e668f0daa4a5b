import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { type BrowserPerson, openSignedIn, signIn } from '../support/browser-person.ts';
import { openChat, timeline } from '../support/chat-page.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { test } from '../support/journey.ts';
import { makeCase, say } from '../support/new-chats.ts';
import { NIGHTLY } from '../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

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
  await phone.getByRole('checkbox', { name: /Repeat lactate/ }).check();
  await expect(page.getByRole('checkbox', { name: /Repeat lactate/ })).toBeChecked();
  await expect(panel).toContainText('Done by Dr. Mira Okafor');
  await expectAccessible(phone);
});
