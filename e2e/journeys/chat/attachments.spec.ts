import { expect, type Page } from '@playwright/test';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { firstFacilityId } from '../../support/ledger.ts';
import { makePdf } from '../../support/make-pdf.ts';
import { makeGroup } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

let wardline: WardlineProcess;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

const PDF = {
  name: 'ecg-2258.pdf',
  mimeType: 'application/pdf',
  buffer: makePdf(['Sinus rhythm, 72 per minute', 'QTc 470 ms']),
};

/** Pastes a picture into the box, as from a screenshot. */
async function pastePicture(page: Page, name: string): Promise<void> {
  await composer(page).evaluate(async (box, fileName) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 400];
    const context = canvas.getContext('2d');
    context?.fillRect(0, 0, 640, 400);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob ?? ''], fileName, { type: 'image/png' }));
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, name);
}

test('CHAT-14 CHAT-22 A19 a pasted picture and a PDF reach the other at once, stay after a reload, and nobody else', async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Strips');
  const other = await openChat(doctor.page(), chat.path);
  const at = await openChat(nurse.page(), chat.path);
  await pastePicture(at, 'strip.png');
  await at.getByRole('button', { name: 'Attach files' }).click();
  await at.getByLabel('Files', { exact: true }).setInputFiles(PDF);
  const tray = at.getByRole('list', { name: 'Files of this message' });
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  await expect(at.getByText('2 files are ready to send')).toBeAttached();
  await at.reload();
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  await composer(at).press('Enter');
  await expect(tray).toHaveCount(0);

  for (const page of [at, other]) {
    const picture = page.getByRole('img', { name: /^strip\.webp, from / });
    await expect(picture).toBeVisible();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
    await expect(messageRow(page, 'ecg-2258.pdf')).toContainText('1 kB');
    await expect(listRow(page, 'Strips')).toContainText('2 files');
  }
  await other.getByRole('button', { name: /^strip\.webp/ }).press('Enter');
  const viewer = other.getByRole('dialog', { name: 'strip.webp' });
  await expect(viewer.getByRole('img')).toHaveJSProperty('naturalWidth', 640);
  await other.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  await other.getByRole('button', { name: 'Open ecg-2258.pdf' }).press('Enter');
  const paper = other.getByRole('dialog', { name: 'ecg-2258.pdf' });
  await expect(paper.getByText('Page 1 of 2')).toBeVisible();
  await expect(paper.getByText('Sinus rhythm, 72 per minute')).toBeVisible();
  await paper.getByText('QTc 470 ms').scrollIntoViewIfNeeded();
  await expect(paper.getByText('Page 2 of 2')).toBeVisible();
  await other.keyboard.press('Escape');
  await expect(paper).toHaveCount(0);
  const downloading = other.waitForEvent('download');
  await other.getByRole('button', { name: 'Download ecg-2258.pdf' }).click();
  expect((await downloading).suggestedFilename()).toBe('ecg-2258.pdf');

  await other.reload();
  const picture = other.getByRole('img', { name: /^strip\.webp, from / });
  await expect(picture).toBeVisible();
  const address = await picture.evaluate((image: HTMLImageElement) => image.src);
  const outsider = await signInOverHttp(wardline.baseUrl, 'admin@demo.test');
  const statusFor = async (person: HttpPerson) =>
    (await person.send('GET', new URL(address).pathname, undefined))?.status;
  expect([await statusFor(nurseOverHttp), await statusFor(outsider)]).toEqual([200, 404]);
});

test('CHAT-14 CHAT-3 a tab that is killed in the middle of an upload leaves the rest to the next', {
  tag: NIGHTLY,
}, async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Long film');
  const other = await openChat(doctor.page(), chat.path);
  const at = await openChat(nurse.page(), chat.path);
  const begun: string[] = [];
  const parts: number[] = [];
  let isStuck = true;
  await nurse.context.route(/\/uploads/, async (route) => {
    const request = route.request();
    if (request.method() === 'POST') begun.push(request.url());
    if (request.method() === 'PATCH') {
      const from = Number(request.headers()['upload-offset']);
      // Nothing comes back of what follows the first part.
      if (isStuck && from > 0) return;
      parts.push(from);
    }
    await route.continue();
  });
  await at.getByRole('button', { name: 'Attach files' }).click();
  const film = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 'x')]);
  await at.getByLabel('Files', { exact: true }).setInputFiles({ ...PDF, name: 'film.pdf', buffer: film });
  await expect.poll(() => parts).toEqual([0]);
  await composer(at).fill('The film of tonight');
  await composer(at).press('Enter');
  await expect(messageRow(at, 'The film of tonight')).toContainText('Sending');

  nurse.allowConsole(/.*/, 'its tab is killed');
  isStuck = false;
  const again = await nurse.killTabAndReopen(chat.path);
  await expect(messageRow(other, 'The film of tonight')).toContainText('film.pdf');
  await expect(messageRow(again, 'The film of tonight')).toContainText('2.9 MB');
  expect(begun).toHaveLength(1);
  expect(parts.filter((from) => from === 0)).toHaveLength(1);
});

test('CHAT-14 CHAT-17 CHAT-3 a file goes with the first message to a person, also from a tab that is killed in the middle of its upload', {
  tag: NIGHTLY,
}, async () => {
  const leila = await signInOverHttp(wardline.baseUrl, 'leila.haddad@demo.test');
  const facility = await firstFacilityId(nurseOverHttp);
  const address = `/chat/f-${facility}/p-${leila.userId}`;
  const filesOf = async () => {
    const { data } = await leila.get<{ data: Chat[] }>(`/api/facilities/${facility}/chats?kind=direct&limit=100`);
    const chat = data.find(({ direct }) => direct?.user_id === nurseOverHttp.userId);
    if (!chat) return null;
    const { data: messages } = await leila.get<{ data: Message[] }>(`/api/chats/${chat.id}/messages`);
    return messages.map(({ body, attachments = [] }) => [body, ...attachments.map(({ name }) => name)]);
  };
  const begun: string[] = [];
  const parts: number[] = [];
  let isStuck = true;
  await nurse.context.route(/\/uploads/, async (route) => {
    const request = route.request();
    if (request.method() === 'POST') begun.push(new URL(request.url()).pathname);
    if (request.method() === 'PATCH') {
      const from = Number(request.headers()['upload-offset']);
      if (isStuck && from > 0) return;
      parts.push(from);
    }
    await route.continue();
  });
  const at = nurse.page();
  await at.goto(address);
  await pastePicture(at, 'wound.png');
  const film = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 'x')]);
  await at.getByRole('button', { name: 'Attach files' }).click();
  await at.getByLabel('Files', { exact: true }).setInputFiles({ ...PDF, name: 'film.pdf', buffer: film });
  const tray = at.getByRole('list', { name: 'Files of this message' });
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  await expect.poll(() => parts.length).toBe(2);
  await composer(at).fill('For your round');
  await composer(at).press('Enter');
  await expect(messageRow(at, 'For your round')).toContainText('film.pdf');
  // Nobody learns of it before it is whole.
  expect(await filesOf()).toBeNull();

  nurse.allowConsole(/.*/, 'its tab is killed');
  isStuck = false;
  const again = await nurse.killTabAndReopen(address);
  await expect(again).toHaveURL(/\/c-[0-9a-f-]{36}$/);
  await expect(messageRow(again, 'For your round')).toContainText('2.9 MB');
  expect(await filesOf()).toEqual([['For your round', 'wound.webp', 'film.pdf']]);
  const uploads = `/api/facilities/${facility}/members/${leila.userId}/uploads`;
  expect(begun).toEqual([uploads, uploads]);
  expect(parts.filter((from) => from === 0)).toHaveLength(2);
});
