import { expect } from '@playwright/test';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, messageRow, openChat, write } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makePdf } from '../../support/make-pdf.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 90_000 });

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let casePath: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  casePath = (await makeCase(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'), [], 'Search Case')).path;
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
});
test.afterAll(async () => {
  await nurse?.context.close();
  await wardline?.stop();
});

test('CHAT-15 what was said is found on a phone, leads to its place in the chat, and back leads to what was found', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(nurse.page(), casePath);
  await write(page, 'Hyperkaliämie: K 6.8, zweite Probe läuft');
  await expect(messageRow(page, 'Hyperkaliämie').getByText('Sent')).toBeVisible();
  for (let n = 0; n < 40; n++) await write(page, `Later line ${n}`);
  await expect(messageRow(page, 'Later line 39').getByText('Sent')).toBeVisible();

  await page.goto('/chats');
  await page.getByRole('searchbox').fill('kaliamie');
  await page.getByRole('link', { name: 'Search messages for “kaliamie”' }).click();
  const row = page.getByRole('list', { name: 'Messages found' }).getByRole('link', { name: /Hyperkaliämie/ });
  await expect(row.locator('mark')).toHaveText('kaliämie');
  expect(new URL(page.url()).search).toBe('');
  await row.click();
  await expect(messageRow(page, 'Hyperkaliämie')).toBeInViewport();
  await expect(messageRow(page, 'Hyperkaliämie')).toHaveClass(/is-focused/);

  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('kaliamie');
  await expect(row).toBeVisible();
  await page.reload();
  await expect(row).toBeVisible();
});

test('CHAT-15 CHAT-14 a file is found by a part of its name on a phone, and leads to its message', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(nurse.page(), casePath);
  await page.getByRole('button', { name: 'Attach files' }).click();
  const files = ['CTscanThorax.pdf', 'Entlassbrief Müller.pdf'].map((name) => ({
    ...{ name, mimeType: 'application/pdf', buffer: makePdf([name]) },
  }));
  await page.getByLabel('Files', { exact: true }).setInputFiles(files);
  await expect(page.getByText('2 files are ready to send')).toBeAttached();
  await composer(page).fill('Both are here');
  await page.getByRole('button', { name: 'Send prompt' }).click();
  await expect(messageRow(page, 'Both are here').getByText('Sent')).toBeVisible();

  await page.goto('/search?type=files');
  await page.getByRole('searchbox').fill('thorax');
  const row = page.getByRole('list', { name: 'Files found' }).getByRole('link', { name: /CTscanThorax\.pdf/ });
  await expect(row.locator('mark')).toHaveText('Thorax');
  await page.getByRole('searchbox').fill('muller brief');
  await page.getByRole('link', { name: /Entlassbrief Müller\.pdf/ }).click();
  await expect(messageRow(page, 'Both are here')).toBeInViewport();
});
