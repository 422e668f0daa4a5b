import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { CUT_OFF } from '../support/browser/console-lines.ts';
import { callMeHere, deliverPush, PUSH_HOST, pressNotification, shownNotifications } from '../support/browser/push.ts';
import { type BrowserPerson, openSignedIn, signIn, untilOfflineReady } from '../support/browser-person.ts';
import { composer, listRow, messageRow, timeline, write } from '../support/chat-page.ts';
import { test } from '../support/journey.ts';
import { startWardline, type WardlineProcess } from '../support/servers/wardline-process.ts';

/*
 * A quarter of an hour of a night on MED 3A. Ana Reyes sits at the desk of the ward, Priya Nair in the pharmacy with a dark screen,
 * and Dr. Mira Okafor walks with her phone. Each step says what the three see, and leaves a picture of it in screens/night-shift.
 */
test.describe.configure({ mode: 'serial', timeout: 180_000 });
test.use({ serviceWorkers: 'allow', actionTimeout: 15_000 });

const FOLDER = path.join(import.meta.dirname, '../../screens/night-shift');
const PATIENT = 'Leonard Hale';

let wardline: WardlineProcess;
let ana: BrowserPerson;
let priya: BrowserPerson;
let mira: BrowserPerson;

test.beforeAll(async ({ browser }) => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  wardline = await startWardline({ WARDLINE_PUSH_HOSTS: PUSH_HOST });
  const { baseUrl } = wardline;
  ana = await signIn(browser, baseUrl, 'nurse@demo.test');
  priya = await signIn(browser, baseUrl, 'priya.nair@demo.test', { dark: true });
  mira = await signIn(browser, baseUrl, 'doctor@demo.test', { phone: true, touch: true, ownDevice: true });
});
test.afterAll(async () => {
  for (const person of [ana, priya, mira]) await person?.context.close();
  await wardline?.stop();
});

/** Pictures of what these people see now, under the number and name of the moment. */
async function take(moment: string, people: Readonly<Record<string, BrowserPerson>>): Promise<void> {
  for (const [name, person] of Object.entries(people)) {
    const page = person.page();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: path.join(FOLDER, `${moment}-${name}.png`) });
  }
}

/** A strip of an ECG, as a phone would photograph it. */
async function photographStrip(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 800 });
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('This browser cannot draw.');
    pen.fillStyle = '#fdf3f1';
    pen.fillRect(0, 0, 1200, 800);
    for (let at = 0; at < 1200; at += 20) {
      pen.fillStyle = at % 100 === 0 ? '#e9a9a0' : '#f5d5d0';
      pen.fillRect(at, 0, 1, 800);
      if (at < 800) pen.fillRect(0, at, 1200, 1);
    }
    const beat = [0, 0, -14, 0, 0, 12, -190, 60, 0, 0, 0, -110, 0, 0, 0];
    pen.strokeStyle = '#1e293b';
    pen.lineWidth = 3;
    for (const line of [260, 560]) {
      pen.beginPath();
      for (let at = 0; at < 110; at++) pen.lineTo(20 + at * 11, line + (beat[at % beat.length] ?? 0));
      pen.stroke();
    }
    return canvas.toDataURL('image/jpeg', 0.9);
  });
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}

/** On the smallest phones too the tools of the box stand in one line, and the way to send beside the text. */
async function expectTwoLines(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 844 });
  const form = page.getByRole('form', { name: 'Write a message' });
  const lines = () =>
    form
      .locator('textarea, button, a')
      .evaluateAll((parts) => parts.flatMap((part) => part.getClientRects()[0]?.bottom ?? []));
  await expect.poll(async () => new Set(await lines()).size).toBe(2);
  const bottomOf = async (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(await bottomOf(form.getByRole('button', { name: 'Send prompt' }))).toBe(await bottomOf(composer(page)));
  await page.setViewportSize({ width: 390, height: 844 });
}

test('CHAT-1 CHAT-5 02:40 a chat of a patient is begun, found as unread on the phone, and answered', async () => {
  const [desk, phone] = [ana.page(), mira.page()];
  await phone.goto('/chats');
  await desk.goto('/chats');
  await desk.getByRole('button', { name: 'New chat' }).first().click();
  const dialog = desk.getByRole('dialog', { name: 'New chat' });
  await dialog.getByLabel('Facility', { exact: true }).selectOption({ label: 'St. Brigid General' });
  await dialog.getByLabel('Patient’s name').fill(PATIENT);
  await dialog.getByLabel('MRN or other ID').fill('MRN 40-121-777');
  await dialog.getByLabel('Bed (optional)').fill('3A-07');
  await dialog.getByLabel('Search people').fill('okafor');
  await dialog.getByRole('checkbox', { name: /Mira Okafor/ }).press('Space');
  await take('01-new-chat', { ana });
  await dialog.getByRole('button', { name: 'Start chat' }).click();
  await expect(composer(desk)).toBeEditable();
  await write(desk, 'Leonard, bed 7: pulse 48, was 76 at ten. BP 104/58, he says he feels faint when he sits up.');
  await write(desk, 'He had his bisoprolol at eight, and the new diltiazem.');

  const row = phone.getByRole('link').filter({ hasText: PATIENT });
  await expect(row).toContainText('He had his bisoprolol at eight');
  await expect(phone.getByText(`You were added to ${PATIENT}, MRN 40-121-777`, { exact: true })).toBeVisible();
  await take('02-unread', { mira });
  await row.click();
  await expect(messageRow(phone, 'pulse 48')).toBeVisible();
  await expect(phone.getByText(`You were added to ${PATIENT}, MRN 40-121-777`, { exact: true })).toHaveCount(0);
  await expectTwoLines(phone);
  await composer(phone).fill('Coming in five. ECG please, and hold both tablets.');
  await take('03-writing', { mira });
  await phone.getByRole('button', { name: 'Send prompt' }).click();
  await expect(messageRow(desk, 'Coming in five')).toBeVisible();
  await expect(messageRow(desk, 'the new diltiazem')).toContainText('Read by 1');
  await take('04-answered', { ana, mira });
});

test('CHAT-14 CHAT-11 02:43 the photograph of the ECG is looked at on the phone, answered, and marked', async () => {
  const [desk, phone] = [ana.page(), mira.page()];
  await desk.getByRole('button', { name: 'Attach files' }).click();
  await desk
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'ecg.jpg', mimeType: 'image/jpeg', buffer: await photographStrip(desk) });
  await expect(desk.getByText('1 file is ready to send')).toBeAttached();
  await composer(desk).fill('ECG, 02:42');
  await take('05-attached', { ana });
  await composer(desk).press('Enter');
  const picture = phone.getByRole('button', { name: /^ecg\.\w+/ });
  await expect(picture).toBeVisible();
  await take('06-photo', { ana, mira });
  await picture.click();
  const viewer = phone.getByRole('dialog', { name: /^ecg\./ });
  await expect.poll(() => viewer.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  await take('07-viewer', { mira });
  await viewer.getByRole('button', { name: 'Close' }).click();

  await messageRow(phone, 'ECG, 02:42').getByRole('button', { name: 'More' }).click();
  await expect(phone.getByRole('menuitem', { name: 'Pin' })).toBeInViewport({ ratio: 1 });
  await take('08-menu', { mira });
  await phone.getByRole('menuitem', { name: 'Reply' }).click();
  await composer(phone).fill('Junctional, 46. No P waves before the QRS. I am at the lift.');
  await expect(phone.getByRole('form', { name: 'Write a message' })).toContainText('ECG, 02:42');
  await take('09-reply', { mira });
  await phone.getByRole('button', { name: 'Send prompt' }).click();
  const reply = messageRow(desk, 'Junctional, 46');
  await expect(reply).toContainText('ECG, 02:42');
  await reply.hover();
  await reply.getByRole('button', { name: 'Done' }).click();
  await expect(messageRow(phone, 'Junctional, 46')).toContainText('DoneAna Reyes');
  await take('10-replied', { ana, mira });
});

test('CHAT-18 CHAT-10 02:46 the night pharmacist is added by the role, called by it, and answers', async () => {
  const [desk, pharmacy] = [ana.page(), priya.page()];
  await pharmacy.goto('/chats');
  await desk.getByRole('button', { name: '2 people in this chat' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Add people' }).click();
  const adding = desk.getByRole('dialog', { name: 'Add people' });
  await adding.getByLabel('Search people and on-call roles').fill('pharm');
  await adding.getByRole('checkbox', { name: /^Night pharmacist/ }).press('Space');
  await take('11-add-role', { ana });
  await adding.getByRole('button', { name: 'Add to chat' }).click();
  const people = desk.getByRole('dialog', { name: '3 people in this chat' });
  await expect(people.getByRole('list', { name: 'On-call roles' })).toContainText('Priya Nair');
  await take('12-people', { ana });
  await people.getByRole('button', { name: 'Close' }).click();

  await composer(desk).pressSequentially('Both bisoprolol and diltiazem tonight. How long does it last, @night');
  await expect(desk.getByRole('option', { name: 'Night pharmacist On call: Priya Nair' })).toBeVisible();
  await take('13-mention', { ana });
  await composer(desk).press('Enter');
  await composer(desk).press('Enter');
  const row = listRow(pharmacy, PATIENT);
  await expect(row.getByRole('img', { name: 'You are mentioned' })).toBeVisible();
  await take('14-mentioned', { priya });
  await row.click();
  await expect(messageRow(pharmacy, 'How long does it last')).toBeVisible();
  await write(
    pharmacy,
    'Diltiazem up to **twelve hours**, it is the slow one. Atropine 500 micrograms is in your bradycardia box; calcium gluconate helps too.',
  );
  await expect(messageRow(desk, 'Diltiazem up to')).toContainText('as Night pharmacist');
  await take('15-answered-as-role', { ana, priya });
});

test('CHAT-10 CHAT-18 02:48 a role that nobody holds says so, and calls who takes it over', async () => {
  const [desk, pharmacy] = [ana.page(), priya.page()];
  await desk.getByRole('button', { name: '3 people in this chat' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Add people' }).click();
  const adding = desk.getByRole('dialog', { name: 'Add people' });
  await adding.getByLabel('Search people and on-call roles').fill('biochem');
  await adding.getByRole('checkbox', { name: /^Biochemist on call/ }).press('Space');
  await adding.getByRole('button', { name: 'Add to chat' }).click();
  await desk.getByRole('dialog', { name: '3 people in this chat' }).getByRole('button', { name: 'Close' }).click();
  await composer(desk).pressSequentially('Diltiazem level, please, @bioch');
  await expect(desk.getByRole('option', { name: 'Biochemist on call On call: nobody now' })).toBeVisible();
  await composer(desk).press('Enter');
  await composer(desk).press('Enter');
  const asked = 'Diltiazem level, please';
  for (const page of [desk, pharmacy])
    await expect(messageRow(page, asked)).toContainText('Nobody was on call as Biochemist. Whoever takes over next');
  // A part of a row that comes later does not push the end of it out of view.
  for (const page of [desk, pharmacy]) await expect(messageRow(page, asked)).toBeInViewport({ ratio: 1 });
  await take('16-nobody-on-call', { ana, priya });

  const { context } = await openSignedIn(
    desk.context().browser() as Browser,
    wardline.baseUrl,
    'ben.whitlock@demo.test',
  );
  const [page = await context.newPage()] = context.pages();
  await page.goto('/people?view=on-call');
  await page.getByRole('button', { name: 'Take over Biochemist on call' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take over: Biochemist on call' });
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await expect(dialog).toBeHidden();
  await page.goto('/chats');
  await expect(listRow(page, PATIENT).getByRole('img', { name: 'You are mentioned' })).toBeVisible();
  await page.screenshot({ path: path.join(FOLDER, '17-called-ben.png') });
  await context.close();
  await expect(timeline(desk)).toContainText('Ben Whitlock is on call as Biochemist and reads this chat');
});

test('URG-1 URG-2 CHAT-21 02:50 an urgent message rings the phone, is acknowledged from there and closed at the bedside', async () => {
  const [desk, phone] = [ana.page(), mira.page()];
  await untilOfflineReady(phone);
  await callMeHere(phone, wardline.baseUrl);
  await take('18-call-me', { mira });
  await phone.goto('/dashboard');

  await composer(desk).fill('Pulse 34, BP 80/40, grey and sweating. Please come now.');
  await desk.getByRole('button', { name: 'Urgent', exact: true }).click();
  const form = desk.getByRole('dialog', { name: 'Urgent message' });
  await form.getByRole('checkbox', { name: /Mira Okafor/ }).press('Space');
  await take('19-urgent-form', { ana });
  await form.getByRole('button', { name: 'Send and call' }).click();
  const card = (page: Page) => page.getByRole('region', { name: 'Urgent message' });
  await expect(card(desk)).toContainText('To Dr. Mira Okafor');

  const notification = await deliver(phone, 'urgent');
  await expect.poll(() => shownNotifications(phone)).toContainEqual(expect.stringContaining('Urgent'));
  const banner = phone.getByRole('alert').filter({ hasText: 'Urgent from Ana Reyes' });
  await expect(banner).toContainText('Pulse 34');
  await expect(phone.getByRole('main')).toContainText('Ana Reyes · now');
  await take('20-rings', { ana, mira });
  await pressNotification(phone, `message:${notification}`);
  await expect(card(phone)).toBeInViewport();
  // Who is led to a message sees who wrote it: nothing lies over the name.
  const opened = phone.getByRole('article').filter({ has: card(phone) });
  await opened.getByRole('link', { name: 'Ana Reyes' }).click({ trial: true });
  await take('21-opened', { mira });
  await card(phone).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(card(desk)).toContainText('Dr. Mira Okafor');
  await expect(card(desk).getByRole('listitem').filter({ hasText: 'Acknowledged' })).toContainText('Mira Okafor');
  await take('22-acknowledged', { ana, mira });
  await card(phone)
    .getByRole('textbox', { name: 'What was done?' })
    .fill('Atropine 500 micrograms, pulse 62, BP 108/60');
  await card(phone).getByRole('button', { name: 'Done' }).click();
  for (const page of [desk, phone]) await expect(card(page)).toContainText('Urgent, closed');
  await take('23-closed', { ana, mira });
});

test('CHAT-3 02:52 what is written in the lift waits on the phone, and arrives once, in order, when the doors open', async () => {
  const [desk, phone] = [ana.page(), mira.page()];
  mira.allowConsole(CUT_OFF, 'the lift');
  await mira.context.setOffline(true);
  for (const text of ['ICU has a bed for him.', 'I have told the registrar there.']) {
    await composer(phone).fill(text);
    await phone.getByRole('button', { name: 'Send prompt' }).click();
  }
  await expect(messageRow(phone, 'I have told the registrar')).toContainText('Waiting to send');
  await take('24-lift', { mira });
  await mira.context.setOffline(false);
  await expect(messageRow(desk, 'I have told the registrar there.')).toHaveCount(1);
  await expect(messageRow(phone, 'I have told the registrar')).not.toContainText('Waiting');
  const said = (await timeline(desk).innerText()).split('\n').filter((line) => /^(ICU has|I have told)/.test(line));
  expect(said).toEqual(['ICU has a bed for him.', 'I have told the registrar there.']);
  await take('25-arrived', { ana, mira });
});

test('HAND-1 02:53 Ana hands the patient over with a sheet, and Mira receives it on the phone', async () => {
  const [desk, phone] = [ana.page(), mira.page()];
  await desk.getByRole('link', { name: 'Hand over' }).click();
  await desk.getByRole('radio', { name: 'Unstable' }).press('Space');
  await desk.getByRole('button', { name: /^Write a line.*What may happen/ }).click();
  await desk.keyboard.type('If the pulse falls below 40: atropine again, and call ICU');
  await take('26-sheet', { ana });
  await desk.getByLabel('Hand over to').pressSequentially('Dr. Mira Okafor');
  await desk.getByRole('button', { name: 'Sign and hand over' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Sign and hand over' }).click();
  await expect(timeline(desk)).toContainText('handed over to Dr. Mira Okafor');
  await take('27-handed-over', { ana });

  await phone.goto('/dashboard');
  await expect(phone.getByRole('link', { name: new RegExp(`^Receive.*${PATIENT}`) })).toBeVisible();
  await take('28-to-receive', { mira });
  await phone.getByRole('link', { name: new RegExp(`^Receive.*${PATIENT}`) }).click();
  await expect(phone.getByText('atropine again, and call ICU')).toBeVisible();
  await phone.getByLabel('Synthesis by receiver').fill('To ICU now. Below 40 I give atropine again.');
  await take('29-synthesis', { mira });
  await phone.getByRole('button', { name: 'Sign and receive' }).click();
  await expect(phone.getByText('Received', { exact: true })).toBeVisible();
  await expect(desk.getByRole('region', { name: /^Hand-over: I-PASS/ })).toContainText(
    'Below 40 I give atropine again.',
  );
  await take('30-received', { ana, mira });
});

test('CHAT-15 02:54 the pharmacist finds what was said by a part of a word, and is led to its place', async () => {
  const pharmacy = priya.page();
  await pharmacy.keyboard.press('Control+k');
  await pharmacy.getByRole('combobox', { name: 'Search and commands' }).fill('junction');
  await expect(pharmacy.getByRole('group', { name: 'Messages' })).toContainText('Junctional, 46');
  await take('31-palette', { priya });
  await pharmacy.getByRole('group', { name: 'Messages' }).getByText('Junctional, 46').click();
  await expect(messageRow(pharmacy, 'Junctional, 46')).toBeInViewport();
  await expect(messageRow(pharmacy, 'Junctional, 46')).toHaveClass(/is-focused/);
  await take('32-found', { priya });
});

test('CHAT-16 02:55 a mention is told to the phone that lies elsewhere, without words, and a press opens the message', async () => {
  const [desk, phone] = [ana.page(), mira.page()];
  await phone.goto('/people');
  await composer(desk).pressSequentially('ICU has him, bed 4. Thank you, @mira');
  await desk.getByRole('option', { name: /Mira Okafor/ }).click();
  await composer(desk).press('Enter');
  await expect(messageRow(desk, 'ICU has him, bed 4')).toContainText('Delivered to');
  const notification = await deliver(phone, 'message');
  await expect.poll(() => shownNotifications(phone)).toEqual([`Wardline: New message message:${notification}`]);
  await take('33-told', { mira });
  await pressNotification(phone, `message:${notification}`);
  await expect(messageRow(phone, 'ICU has him, bed 4').locator('.is-mine')).toHaveText('@Dr. Mira Okafor');
  await expect(messageRow(phone, 'ICU has him, bed 4')).toBeInViewport({ ratio: 1 });
  await take('34-end', { ana, priya, mira });
  // To where the press of the notification had found her.
  await phone.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(phone).toHaveURL(/\/people$/);
  await phone.goto('/chats');
  await expect(phone.getByRole('link').filter({ hasText: PATIENT })).toBeVisible();
  await take('35-list', { mira });
});

/** Hands the phone what the server has for it by now; answers the notification's id. */
async function deliver(phone: Page, type: 'urgent' | 'message'): Promise<string> {
  const query = `select n.id from chat_notifications n join users u on u.id = n.user_id join chats c on c.id = n.chat_id
    where u.email = 'doctor@demo.test' and c.patient_name = '${PATIENT}' and n.seq >= c.head_seq`;
  let id = '';
  await expect(async () => {
    const [row] = (await wardline.asDatabaseOwner(query)) as { id: string }[];
    id = row?.id ?? '';
    expect(id).not.toBe('');
  }).toPass();
  await deliverPush(phone, wardline.baseUrl, { type, id });
  return id;
}
