import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { openSignedIn } from '../../support/browser-person.ts';
import { openChat, timeline } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase, say } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });

const MAIN = path.join(import.meta.dirname, '../../../apps/server/dist/main.js');
const NUMBER = '88-400-112';
const WHY = 'Asked for by the patient, file 12/2026.';

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

/** On a machine that has the file and nothing else. */
const verify = (file: string) =>
  spawnSync(process.execPath, [MAIN, 'records', 'verify', file], { encoding: 'utf8', env: {} });

test('ADM-4 an administrator says by keyboard how long messages are kept, holds a patient and exports the chats, which a command verifies', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const chat = await makeCase(doctorOverHttp, [], 'Rósa Lindqvist', NUMBER, '1951-04-02');
  await say(doctorOverHttp, chat.chatId, 'Kalium 6,9 – déjà vu.');
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const page = admin.page();
  await page.goto('/settings/facility#records');

  const mode = page.getByLabel('Team chats', { exact: true });
  await mode.focus();
  await page.keyboard.press('ArrowDown');
  await expect(mode).toHaveValue('delete');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('365');
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete messages for good?' });
  await expect(question).toContainText('after 24 hours');
  admin.expectConsole(failedLoad(423, '/api/facilities/{facility}/retention'), 'the password is asked for');
  await question.getByRole('button', { name: 'Save rules' }).focus();
  await page.keyboard.press('Enter');
  const password = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await password.getByRole('textbox', { name: 'Password' }).fill(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Deletes nothing before/)).toBeVisible();

  await page.getByRole('button', { name: 'New legal hold' }).focus();
  await page.keyboard.press('Enter');
  const hold = page.getByRole('dialog', { name: 'New legal hold' });
  await hold.getByLabel('MRN or other ID').fill(NUMBER);
  await hold.getByLabel('Reason').fill(WHY);
  await hold.getByRole('button', { name: 'Place hold' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Legal holds' })).toContainText(`Patient ${NUMBER}, 1 chat`);

  await page.getByRole('button', { name: 'Export a patient’s chats' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export a patient’s chats' });
  await dialog.getByLabel('MRN or other ID').fill(NUMBER);
  await dialog.getByLabel('Date of birth').fill('1951-04-02');
  await dialog.getByLabel('Reason').fill(WHY);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).focus();
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^record-.*\.zip$/);
  await expect(dialog).toBeHidden();

  const file = test.info().outputPath('record.zip');
  await download.saveAs(file);
  const whole = verify(file);
  expect(whole.stdout).toContain('The record is whole.');
  expect(whole.status).toBe(0);
  const bytes = readFileSync(file);
  // The PDF came from the process that the build has for it.
  expect(bytes.includes('record.pdf')).toBe(true);
  // Where the packed bytes of the record begin: one of them is another.
  const place = bytes.indexOf('record.json') + 200;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(file, bytes);
  const changed = verify(file);
  expect(changed.status).toBe(1);
  expect(changed.stdout).toContain('NOT whole');

  const doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  const theirs = await openChat(doctor.page(), chat.path);
  await expect(timeline(theirs).getByText(`exported this chat to the record: ${WHY}`)).toBeVisible();
  for (const person of [admin, doctor]) await person.context.close();
});
