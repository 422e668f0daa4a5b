import { expect, type Page } from '@playwright/test';
import { v7 as newId } from 'uuid';
import { axeViolations } from '../../support/browser/axe.ts';
import { CUT_OFF, failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { type MadeChat, makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

const RENAL_PROFILE = '00000000-0000-7000-8000-0000000000e1';
const [ANA, MIRA] = ['Ana Reyes', 'Dr. Mira Okafor'];

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let doctor: BrowserPerson;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;
let chat: MadeChat;
let address: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  chat = await makeCase(doctorOverHttp, [nurseOverHttp], 'Two Pens');
  const id = await beginExamination();
  address = `${chat.path}/e-${id}`;
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test', { phone: true, dark: true });
});
test.afterAll(async () => {
  await nurse?.context.close();
  await doctor?.context.close();
  await wardline?.stop();
});

/** In progress, so that values are entered in it. */
async function beginExamination(): Promise<string> {
  const made = { client_id: newId(), template_id: RENAL_PROFILE };
  const answer = await doctorOverHttp.send('POST', `/api/chats/${chat.chatId}/examinations`, made);
  if (answer?.status !== 201) throw new Error('The examination was not begun.');
  const { id } = answer.body as { id: string };
  for (const [to, expected_version] of [
    ['requested', 1],
    ['in_progress', 2],
  ] as const) {
    const moved = await doctorOverHttp.send('POST', `/api/examinations/${id}/transitions`, { to, expected_version });
    expect(moved?.status).toBe(200);
  }
  return id;
}

const value = (page: Page, label: string) => page.getByLabel(label, { exact: true });
/** What a screen reader says with a field: who is in it, and what is wrong with it. */
async function expectNote(page: Page, label: string, text: string): Promise<void> {
  const note = () =>
    value(page, label).evaluate((field) =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );
  await expect.poll(note).toContain(text);
}
const editing = (page: Page, name: string) => page.getByText(`${name} is editing`);

async function expectAccessible(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
}

/** Looked at where a folder is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

test('EXAM-1 CHAT-12 two people in different fields see who is where, and each other’s values as they come', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [nurse.page(), doctor.page()];
  await page.goto(address);
  await phone.goto(address);
  await value(page, 'Potassium').focus();
  await expectNote(phone, 'Potassium', `${ANA} is editing`);
  await value(phone, 'Urea').focus();
  await expectNote(page, 'Urea', `${MIRA} is editing`);
  await expect(editing(page, ANA)).toHaveCount(0);
  await page.keyboard.type('5.1');
  await phone.keyboard.type('18.4');
  await expectAccessible(page);
  await expectAccessible(phone);
  await picture(page, 'editing-desktop-light');
  await picture(phone, 'editing-phone-dark');
  await value(page, 'Impression').focus();
  await value(phone, 'Potassium').focus();
  await expect(value(phone, 'Potassium')).toHaveValue('5.1');
  await expect(value(page, 'Urea')).toHaveValue('18.4');
  await expectNote(page, 'Potassium', `${MIRA} is editing`);
  await expect(editing(phone, ANA)).toHaveCount(1);
  await value(page, 'Impression').blur();
  await expect(editing(phone, ANA)).toHaveCount(0);
  // It stays for as long as the field has the focus, past the time that it is live by itself.
  await phone.waitForTimeout(25_000);
  await expect(editing(page, MIRA)).toHaveCount(1);
});

test('EXAM-1 A48 two people in the same field: both values are shown as they meet, and it is asked whose stands', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [nurse.page(), doctor.page()];
  await value(page, 'Sodium').focus();
  await value(phone, 'Sodium').focus();
  await expectNote(page, 'Sodium', `${MIRA} is editing`);
  await expectNote(phone, 'Sodium', `${ANA} is editing`);
  await value(page, 'Sodium').pressSequentially('131');
  await value(phone, 'Sodium').pressSequentially('141');
  await value(page, 'Sodium').blur();
  // She has not left the field yet.
  await expectNote(phone, 'Sodium', `${ANA} entered 131.`);
  await expect(value(phone, 'Sodium')).toHaveValue('141');
  await expect(phone.getByRole('button', { name: 'Take 131' })).toBeVisible();
  await expectAccessible(phone);
  await picture(phone, 'conflict-phone-dark');
  await phone.setViewportSize({ width: 1440, height: 900 });
  await phone.emulateMedia({ colorScheme: 'light' });
  await picture(phone, 'conflict-desktop-light');
  await phone.emulateMedia({ colorScheme: 'dark' });
  await phone.setViewportSize({ width: 390, height: 844 });
  await value(phone, 'Sodium').blur();
  await expect(value(page, 'Sodium')).toHaveValue('131');
  await phone.getByRole('button', { name: 'Keep mine: 141' }).click();
  await expect(value(page, 'Sodium')).toHaveValue('141');
  await expect(phone.getByRole('button', { name: /^Keep mine/ })).toHaveCount(0);
});

test('EXAM-1 A48 CHAT-12 a tab dies in a field: its person is gone from it, what was typed is back, beside what came meanwhile', {
  tag: NIGHTLY,
}, async () => {
  const phone = doctor.page();
  await value(nurse.page(), 'Creatinine').pressSequentially('180');
  await expectNote(phone, 'Creatinine', `${ANA} is editing`);
  // The device writes it in the background.
  await expect.poll(() => nurse.page().evaluate(async () => (await indexedDB.databases()).length)).toBeGreaterThan(0);
  await nurse.page().waitForTimeout(500);
  const page = await nurse.killTabAndReopen(address);
  await expect(editing(phone, ANA)).toHaveCount(0);
  await expect(value(page, 'Creatinine')).toHaveValue('180');
  await value(phone, 'Creatinine').fill('95');
  await value(phone, 'Creatinine').blur();
  await expectNote(page, 'Creatinine', `${MIRA} entered 95.`);
  await page.getByRole('button', { name: 'Take 95' }).click();
  await expect(value(page, 'Creatinine')).toHaveValue('95');
});

test('CHAT-12 R1 the server is killed with both in their fields: afterwards each is told of the other again, by themselves', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [nurse.page(), doctor.page()];
  await value(page, 'Impression').focus();
  await value(phone, 'Urea').focus();
  await expectNote(page, 'Urea', `${MIRA} is editing`);
  for (const person of [nurse, doctor]) person.allowConsole(CUT_OFF, 'the server is gone');
  await wardline.kill();
  // Longer than anything is live: nobody is shown who is not known to be there.
  await expect(editing(page, MIRA)).toHaveCount(0, { timeout: 40_000 });
  await wardline.restart();
  await expect(editing(page, MIRA)).toHaveCount(1, { timeout: 60_000 });
  await expect(editing(phone, ANA)).toHaveCount(1, { timeout: 60_000 });
});

test('CHAT-6 RT-10 who is taken out of the chat is seen in no field any more, and sees nobody', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [nurse.page(), doctor.page()];
  await expect(editing(phone, ANA)).toHaveCount(1);
  for (const status of [403, 404]) nurse.allowConsole(failedLoad(status, '/*'), 'what is not hers any more');
  nurse.allowConsole(/was refused with status 403/, 'the channel is closed to her');
  const path = `/api/chats/${chat.chatId}/participants/${nurseOverHttp.userId}`;
  expect((await doctorOverHttp.send('DELETE', path, undefined))?.status).toBeLessThan(300);
  await expect(editing(phone, ANA)).toHaveCount(0, { timeout: 2_000 });
  await expect(editing(page, MIRA)).toHaveCount(0, { timeout: 2_000 });
});
