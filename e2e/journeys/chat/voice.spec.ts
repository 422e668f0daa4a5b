import { expect, type Page } from '@playwright/test';
import { chromiumPath } from '../../support/browser/chromium-path.ts';
import { type BrowserPerson, fillSignIn, openBrowser, openSignedIn } from '../../support/browser-person.ts';
import { openChat } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { type StaticHost, startStaticHost } from '../../support/laravel/static-host.ts';
import { makeGroup } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
// A microphone that beeps.
test.use({
  launchOptions: { executablePath: chromiumPath(), args: ['--no-sandbox', '--use-fake-device-for-media-stream'] },
});

let host: StaticHost;
let wardline: WardlineProcess;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let chat: { readonly path: string };

test.beforeAll(async ({ browser }) => {
  host = await startStaticHost();
  wardline = await startWardline({ WARDLINE_CLIENT_ORIGINS: host.origin });
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Voices');
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
  await host?.stop();
});

const place = (page: Page) => page.getByRole('slider', { name: /^Place in voice note/ });
/** How far it was played, in ms. */
const playedMs = async (page: Page) => Number(await place(page).inputValue());

test('CHAT-14 a voice note is refused with words, then recorded with pauses, heard before it goes, and played by its reader', {
  tag: NIGHTLY,
}, async () => {
  const at = await openChat(doctor.page(), chat.path);
  await doctor.context.clearPermissions();
  await at.getByRole('button', { name: 'Record a voice note' }).click();
  await expect(at.getByRole('alert')).toContainText('does not let Wardline use the microphone');
  await at.getByRole('button', { name: 'Cancel' }).click();
  await doctor.context.grantPermissions(['microphone']);
  await at.getByRole('button', { name: 'Record a voice note' }).click();
  const dialog = at.getByRole('dialog', { name: 'Voice note' });
  await expect(dialog.getByRole('status')).toContainText('Recording');
  await expect(dialog).toContainText('0:02');
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await expect(dialog.getByRole('status')).toContainText('Paused');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog).toContainText('0:04');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('button', { name: 'Play what you said' }).click();
  await expect(dialog.getByRole('button', { name: 'Pause what you said' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Add to message' }).click();
  await expect(at.getByRole('list', { name: 'Files of this message' })).toContainText('Voice note.weba');
  await at.getByRole('button', { name: 'Send prompt' }).click();

  const other = await openChat(nurse.page(), chat.path);
  const answers: number[] = [];
  other.on('response', (response) => {
    if (response.url().includes('/storage/attachments/')) answers.push(response.status());
  });
  await expect(other.locator('svg.voice-wave rect')).toHaveCount(48);
  await other.getByRole('button', { name: /^Play voice note from/ }).click();
  await expect.poll(() => playedMs(other)).toBeGreaterThan(200);
  await other.getByRole('button', { name: /^Pause voice note from/ }).click();
  await place(other).press('Home');
  await place(other).press('ArrowRight');
  await place(other).press('ArrowRight');
  await expect(place(other)).toHaveAttribute('aria-valuetext', /^0:02 of 0:0\d$/);
  await other.getByRole('button', { name: 'Speed: 1×' }).click();
  await other.getByRole('button', { name: /^Play voice note from/ }).click();
  await expect.poll(() => playedMs(other)).toBeGreaterThan(2_200);
  expect(answers.every((status) => status === 200 || status === 206)).toBe(true);
});

test('CHAT-14 it is played by a page of another site with a token, under the policy of that page', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const { port } = new URL(wardline.baseUrl);
  const apiOrigin = `http://localhost:${port}`;
  const ours = (await (await fetch(`${wardline.baseUrl}/config.json`)).json()) as Record<string, object>;
  const echo = { ...ours['echo'], host: 'localhost', port: Number(port), scheme: 'http' };
  host.config = { ...ours, base_url: apiOrigin, mode: 'token', echo };
  host.connects = [apiOrigin, `ws://localhost:${port}`];
  const person = await openBrowser(browser, host.origin, { origins: [apiOrigin] });
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, 'nurse@demo.test');
  await expect(page).toHaveURL(/\/dashboard$/);
  const at = await openChat(page, chat.path);
  await at.getByRole('button', { name: /^Play voice note from/ }).click();
  await expect.poll(() => playedMs(at)).toBeGreaterThan(200);
  await person.context.close();
});
