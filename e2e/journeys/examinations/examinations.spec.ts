import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { type BrowserPerson, openSignedIn, signIn } from '../../support/browser-person.ts';
import { openChat } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let doctor: BrowserPerson;
let path: string;
/** Of the examination. */
let address: string;
/** Of it, for another system. */
let file: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  path = (await makeCase(await overHttp('nurse'), [await overHttp('doctor')], 'Renal Case')).path;
  nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', { ownDevice: true });
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test', { phone: true });
});
test.afterAll(async () => {
  await nurse?.context.close();
  await doctor?.context.close();
  await wardline?.stop();
});

const panel = (page: Page) => page.getByRole('region', { name: 'Renal profile' });
const value = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');

/** Also in the dark, where colours are others. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('EXAM-1 EXAM-2 an examination is begun from the composer, requested and recorded by keyboard', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(nurse.page(), path);
  await page.getByRole('link', { name: 'New examination' }).press('Enter');
  await expectAccessible(page);
  await press(page, 'Renal profile');
  await press(page, 'Begin');
  await expect(value(page, 'Potassium')).toBeVisible();
  address = new URL(page.url()).pathname;
  await press(page, 'Request');
  await press(page, 'Start');
  await value(page, 'Potassium').focus();
  await page.keyboard.type('6.8');
  await expect(panel(page).getByRole('row', { name: /Potassium/ })).toContainText('Critically high');
  await page.keyboard.press('Tab');
  await page.keyboard.type('131');
  await value(page, 'Creatinine').fill('high');
  await expect(panel(page)).toContainText('Enter a number.');
  await expectAccessible(page);
  await value(page, 'Creatinine').fill('');
});

test('EXAM-1 what is typed outlives a tab that dies, and a colleague’s values come in beside it', {
  tag: NIGHTLY,
}, async () => {
  const phone = doctor.page();
  await phone.goto(address);
  await expect(value(phone, 'Potassium')).toHaveValue('6.8');
  await value(phone, 'Urea').fill('18.4');
  await value(phone, 'Urea').blur();
  await expect(value(nurse.page(), 'Urea')).toHaveValue('18.4');
  await value(nurse.page(), 'Impression').fill('Severe hyperkal');
  // The device writes it in the background: what it stores later is behind it.
  await nurse.page().evaluate(async () => {
    const [{ name = '' } = {}] = (await indexedDB.databases()).filter((found) => found.name?.startsWith('wardline'));
    await new Promise((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onerror = reject;
      opening.onsuccess = () => {
        const { result: db } = opening;
        const turn = db.transaction([...db.objectStoreNames], 'readwrite');
        turn.oncomplete = resolve;
        turn.onabort = reject;
        turn.objectStore(String(db.objectStoreNames[0])).count();
      };
    });
  });
  const page = await nurse.killTabAndReopen(address);
  await expect(value(page, 'Impression')).toHaveValue('Severe hyperkal');
  await value(page, 'Impression').fill('Severe hyperkalaemia');
  await value(page, 'Impression').blur();
  await expect(value(phone, 'Impression')).toHaveValue('Severe hyperkalaemia');
});

test('EXAM-3 a signed report that is amended is acknowledged by who read it, with the difference', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [nurse.page(), doctor.page()];
  await press(page, 'Sign report');
  const decision = page.getByRole('dialog', { name: 'Sign the report: critical result' });
  await decision.getByRole('radio', { name: /No alert/ }).press('Space');
  await decision.getByLabel('Why does nobody need to be called?').fill('Told at the bedside');
  await expectAccessible(page);
  await decision.getByRole('button', { name: 'Sign without alert' }).press('Enter');
  await expect(panel(page)).toContainText('Reported v1');
  await expect(page.getByRole('log')).toContainText('Renal profile: Potassium 6.8 mmol/L, HH');
  await phone.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(phone.getByRole('button', { name: 'Acknowledge' })).toBeHidden();
  await expectAccessible(phone);
  await press(page, 'Amend');
  await value(page, 'Potassium').fill('4.8');
  await press(page, 'Sign amendment');
  await page.getByLabel('Reason').fill('Sample haemolysed');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign amendment' }).press('Enter');
  await expect(panel(page)).toContainText('Amended v2');
  const changed = phone.getByRole('region', { name: 'What changed' });
  await expect(changed.locator('del')).toHaveText('6.8 mmol/L, critically high');
  await expect(changed.locator('ins')).toHaveText('4.8 mmol/L, within range');
  await expectAccessible(phone);
  await phone.getByRole('link', { name: 'Chat', exact: true }).click();
  await expect(phone.getByRole('link', { name: /Renal profile.*Acknowledge/ })).toBeVisible();
  await phone.getByRole('link', { name: /Renal profile.*Acknowledge/ }).click();
  await phone.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(changed).toBeHidden();
});

test('EXAM-1 EXAM-4 a finding is cited and drawn by keyboard; the message leads back to it, and says what an amendment changed', {
  tag: NIGHTLY,
}, async () => {
  const page = nurse.page();
  const choose = async (item: string) => {
    await press(page, 'Potassium');
    await page.getByRole('menuitem', { name: item }).press('Enter');
  };
  await choose('Trend');
  await expect(page.getByRole('img', { name: /Potassium: 1 value, the last 4.8 mmol\/L/ })).toBeVisible();
  await expectAccessible(page);
  await press(page, 'Close the trend');
  await choose('Cite in chat');
  await expect(page.getByRole('list', { name: 'Findings this message will cite' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type('Repeat it at six.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Potassium: 1 message cites it' })).toBeVisible();
  await press(page, 'Amend');
  await value(page, 'Potassium').fill('4.9');
  await press(page, 'Sign amendment');
  await page.getByLabel('Reason').fill('Typed wrongly');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign amendment' }).press('Enter');
  const cited = page.getByRole('link', { name: /Potassium 4.8 mmol\/L/ });
  await expect(cited).toContainText('Amended since, version 3: 4.9 mmol/L');
  await page.goto(path);
  await cited.press('Enter');
  await expect(page.getByRole('button', { name: 'Potassium', exact: true })).toBeFocused();
  await press(page, 'Potassium: 1 message cites it');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('link', { name: 'Repeat it at six.' }).press('Enter');
  await expect(page.getByRole('article', { name: /You/ }).filter({ hasText: 'Repeat it at six.' })).toBeInViewport();
  await page.goto(address);
});

test('EXAM-6 EXAM-7 a report is put on paper alone, and taken as a file for another system, by keyboard', {
  tag: NIGHTLY,
}, async () => {
  const page = nurse.page();
  const choose = async (name: string) => {
    await press(page, 'Print or export');
    await page.getByRole('menuitem', { name }).press('Enter');
  };
  await choose('Print or save as PDF');
  const sheet = page.getByRole('article', { name: /Renal profile/ });
  await expect(sheet).toContainText('Version 3 signed by');
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  for (const other of [page.getByRole('log'), page.getByRole('button', { name: 'Print or save as PDF' })]) {
    await expect(other).toBeHidden();
  }
  const box = await sheet.boundingBox();
  expect(box).toMatchObject({ x: 0, y: 0, width: page.viewportSize()?.width });
  await page.emulateMedia({ media: 'screen' });
  await press(page, 'Back to the examination');
  const taken = page.waitForEvent('download');
  await choose('Export as FHIR');
  const bundle = JSON.parse(await readFile(await (await taken).path(), 'utf8'));
  const kinds = bundle.entry.map(({ resource }: { resource: { resourceType: string } }) => resource.resourceType);
  expect(kinds).toEqual(expect.arrayContaining(['Patient', 'ServiceRequest', 'DiagnosticReport', 'Provenance']));
  file = JSON.stringify(bundle);
});

test('EXAM-6 the file is taken into another chat of the patient, seen finding by finding first, and into none of somebody else', {
  tag: NIGHTLY,
}, async () => {
  const owner = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const stranger = await makeCase(owner, [], 'Another Patient', 'MRN 99-000-002');
  const same = await makeCase(owner, [], 'Renal Case');
  const give = async (chatPath: string) => {
    const page = await openChat(doctor.page(), chatPath);
    await press(page, 'Chat menu');
    await page.getByRole('menuitem', { name: 'Import from FHIR' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Import from FHIR' });
    const upload = { name: 'report.json', mimeType: 'application/json', buffer: Buffer.from(file) };
    await dialog.locator('input[type=file]').setInputFiles(upload);
    return { page, dialog };
  };
  const refused = await give(stranger.path);
  await expect(refused.dialog).toContainText('It is of another patient than this chat.');
  await expectAccessible(refused.page);
  const { page, dialog } = await give(same.path);
  await expect(dialog).toContainText('1 report to import.');
  await expect(dialog.getByRole('row', { name: /Potassium/ })).toContainText('mmol/L');
  await expectAccessible(page);
  await press(page, 'Import 1 report');
  await expect(dialog).toContainText('1 report imported.');
  await press(page, 'Close');
  await page.getByRole('link', { name: /Renal profile/ }).click();
  await expect(panel(page)).toContainText('Imported by');
  await expect(panel(page).getByRole('button', { name: 'Amend' })).toHaveCount(0);
  await expectAccessible(page);
});
