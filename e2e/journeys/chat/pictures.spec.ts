import { expect, type Page } from '@playwright/test';
import {
  compressedFile,
  PHANTOMS,
} from '../../../apps/web/src/features/chat/viewer/dicom/testing/compressed-phantoms.ts';
import { item, makeDicom, shorts } from '../../../apps/web/src/features/chat/viewer/dicom/testing/make-dicom.ts';
import { axeViolations } from '../../support/browser/axe.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, openChat } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { type MadeChat, makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

let wardline: WardlineProcess;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let chat: MadeChat;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  chat = await makeCase(await overHttp('doctor'), [await overHttp('nurse')], 'Nodule Case');
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

const SIDE = 100;
/** A disc of 40 mm in the middle of 100 × 100 pixels, each 1 mm wide and high; of three frames, the second is without it. */
function phantom(): Buffer {
  const disc = (inside: number) =>
    Array.from({ length: SIDE * SIDE }, (_, at) => {
      const [x, y] = [(at % SIDE) + 0.5 - SIDE / 2, Math.floor(at / SIDE) + 0.5 - SIDE / 2];
      return Math.hypot(x, y) <= 20 ? inside : 0;
    });
  const measures = item({ '00289110': item({ '00280030': '1\\1' }) });
  return Buffer.from(
    makeDicom({
      ...{ rows: SIDE, columns: SIDE, frames: 3, texts: { '00281050': '500', '00281051': '1000' } },
      sequences: { '52009229': measures },
      pixels: shorts([disc(1000), disc(0), disc(500)].flat()),
    }),
  );
}

async function send(page: Page, files: Readonly<Record<string, Buffer>>): Promise<void> {
  const all = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: 'application/octet-stream', buffer }));
  await page.getByRole('button', { name: 'Attach files' }).click();
  await page.getByLabel('Files', { exact: true }).setInputFiles(all);
  await expect(page.getByText(all.length === 1 ? '1 file is ready' : `${all.length} files are ready`)).toBeAttached();
  await composer(page).press('Enter');
}

/** How bright the picture is, in the middle and at the corner. */
const greys = (page: Page, name: RegExp) =>
  page.getByRole('img', { name }).evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const at = (place: number) => copy?.getImageData(place, place, 1, 1).data[0];
    return [at(canvas.width / 2), at(1)];
  });

test('EXAM-7 CHAT-14 a DICOM file opens in the viewer: its greys, its images, and millimetres by keyboard', async () => {
  const page = await openChat(doctor.page(), chat.path);
  await send(page, { 'chest.dcm': phantom() });
  await page.getByRole('button', { name: 'Open chest.dcm' }).press('Enter');
  const picture = /^chest\.dcm, from /;
  await expect.poll(() => greys(page, picture)).toEqual([255, 0]);
  await page.keyboard.press('.');
  await expect.poll(() => greys(page, picture)).toEqual([0, 0]);
  await page.keyboard.press('.');
  await expect.poll(() => greys(page, picture)).toEqual([128, 0]);
  await expect(page.getByText('Image 3 of 3')).toBeVisible();
  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  for (let step = 0; step < 4; step++) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByText('100 % · 40.0 mm')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('EXAM-2 EXAM-3 EXAM-7 a finding is marked on a picture, signed with it, and found there by a colleague on a phone', {
  tag: NIGHTLY,
}, async () => {
  const page = doctor.page();
  await page.getByRole('link', { name: 'New examination' }).press('Enter');
  await page.getByRole('button', { name: 'Imaging', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Begin', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Request', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  await page.getByLabel('Main finding', { exact: true }).fill('Nodule of 40 mm');
  await page.getByRole('button', { name: 'Mark on a picture for Main finding' }).press('Enter');
  await expect.poll(() => greys(page, /^chest\.dcm, from /)).toEqual([255, 0]);
  expect(await axeViolations(page)).toEqual([]);
  const stage = page.getByRole('region', { name: /^Picture 1 of 1/ });
  await page.keyboard.press('e');
  const box = await stage.locator('.viewer-frame').boundingBox();
  if (!box) throw new Error('the picture has no place');
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.7, { steps: 4 });
  await page.mouse.up();
  await expect(stage.locator('ellipse')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByLabel('Impression', { exact: true }).fill('Nodule');
  await page.getByRole('button', { name: 'Sign report', exact: true }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign report' }).press('Enter');
  await expect(page.getByText('Reported v1').first()).toBeVisible();

  const phone = nurse.page();
  await phone.goto(new URL(page.url()).pathname);
  await phone.getByRole('button', { name: /^chest\.dcm, place 1/ }).click();
  await expect.poll(() => greys(phone, /^chest\.dcm, from /)).toEqual([255, 0]);
  await expect(phone.locator('.viewer-lines ellipse')).toHaveCount(1);
  await expect(phone.getByRole('button', { name: /^Mark/ })).toHaveCount(0);
  await phone.emulateMedia({ colorScheme: 'dark' });
  expect(await axeViolations(phone)).toEqual([]);
});

test('EXAM-7 CHAT-14 compressed DICOM files look as those that are not', { tag: NIGHTLY }, async () => {
  const page = await openChat(doctor.page(), chat.path);
  const compressed = (name: string) => Buffer.from(compressedFile(name));
  const files = {
    'plain.dcm': Buffer.from(makeDicom(PHANTOMS.grey12)),
    'lossless.dcm': compressed('grey12-jpeg-sv1.dcm'),
    'ls.dcm': compressed('grey12-jls.dcm'),
    '2000.dcm': compressed('grey12-j2k-tiles.dcm'),
    'deflated.dcm': compressed('grey12-deflate.dcm'),
  };
  await send(page, files);
  const seen: unknown[] = [];
  for (const name of Object.keys(files)) {
    await page.getByRole('button', { name: `Open ${name}` }).press('Enter');
    // Drawn: the values that are black and white stand over it.
    await expect(page.locator('.viewer-greys')).toBeVisible();
    seen.push(await greys(page, new RegExp(`^${name}, from `)));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  expect(seen).toEqual(Object.keys(files).map(() => seen[0]));
  expect(seen[0]).toEqual([255, 17]);
});
