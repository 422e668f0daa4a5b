import { expect } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { openSignedIn } from '../../support/browser-person.ts';
import { messageRow, openChat, timeline, write } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase, say } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });

const NUMBER = '77-310-456';
const WHY = 'Crash call on MED 3A, I lead the team.';

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

test('PERM-4 ADM-4 a nurse opens the chat of a patient in an emergency by keyboard, the doctor sees why and keeps her, the administrator signs it off', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const chat = await makeCase(doctorOverHttp, [], 'Rosa Lindqvist', NUMBER, '1951-04-02');
  await say(doctorOverHttp, chat.chatId, 'Potassium 6.9, peaked T waves.');
  const doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  const theirs = await openChat(doctor.page(), chat.path);
  await expect(messageRow(theirs, 'Potassium 6.9')).toBeVisible();

  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
  const page = nurse.page();
  await page.goto('/search');
  await page.getByRole('searchbox').fill(NUMBER);
  await expect(page.getByRole('heading', { name: /^Nothing found/ })).toBeVisible();
  await page.getByRole('button', { name: 'Emergency access to a patient’s chat' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('MRN or other ID')).toHaveValue(NUMBER);
  await dialog.getByLabel('Born').fill('1951-04-03');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('No chat about this patient.')).toBeVisible();
  await dialog.getByLabel('Born').fill('1951-04-02');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Rosa Lindqvist' })).toBeVisible();
  await expect(dialog).toContainText('born 2 Apr 1951');

  nurse.expectConsole(failedLoad(422, '/api/facilities/{facility}/emergency-accesses'), 'the reason is too short');
  await dialog.getByLabel('Why you need to open it').fill('Now');
  await dialog.getByRole('button', { name: 'Open in an emergency' }).click();
  await expect(dialog.getByLabel('Why you need to open it')).toHaveAccessibleDescription(/at least 10 characters/);
  await cutNetwork(nurse);
  await expect(dialog.getByText('You’re offline.')).toBeVisible();
  await restoreNetwork(nurse);
  await dialog.getByLabel('Why you need to open it').fill(WHY);
  await expect(dialog.getByRole('button', { name: 'Open in an emergency' })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Open in an emergency' }).focus();
  await page.keyboard.press('Enter');
  await expect(messageRow(page, 'Potassium 6.9')).toBeVisible();
  await write(page, 'On my way with the cart.');

  await expect(timeline(theirs).getByText(`opened this chat in an emergency, for 8 hours: ${WHY}`)).toBeVisible();
  await expect(messageRow(theirs, 'On my way with the cart.')).toBeVisible();
  await theirs.getByRole('button', { name: '2 people' }).first().click();
  const people = theirs.getByRole('dialog');
  await expect(people.getByText(/^Emergency access until \d\d:\d\d$/)).toBeVisible();
  await people.getByRole('button', { name: 'What Ana Reyes may do' }).click();
  await theirs.getByRole('menuitem', { name: 'Keep in the chat' }).click();
  await expect(people.getByText(/^Emergency access until/)).toHaveCount(0);
  await expect(timeline(page).getByText('kept Ana Reyes in the chat')).toBeVisible();

  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const office = admin.page();
  await office.goto('/settings/emergency');
  const entry = office.getByRole('article').filter({ hasText: WHY });
  await expect(entry).toContainText('Ana Reyes · Rosa Lindqvist, 77-310-456');
  await entry.getByRole('button', { name: 'Review Ana Reyes' }).focus();
  await office.keyboard.press('Enter');
  const review = office.getByRole('dialog');
  await review.getByRole('button', { name: 'Sign off' }).click();
  await expect(review.getByText('Choose one.')).toBeVisible();
  await review.getByLabel('Justified', { exact: true }).check();
  await review.getByLabel('Note (optional)').fill('Seen with the ward.');
  await review.getByRole('button', { name: 'Sign off' }).click();
  await expect(office.getByText('Every emergency access has been reviewed.')).toBeVisible();
  await office.getByText('All', { exact: true }).click();
  await expect(entry).toContainText('reviewed by');
  await expect(entry).toContainText('Seen with the ward.');
  for (const person of [doctor, nurse, admin]) await person.context.close();
});
