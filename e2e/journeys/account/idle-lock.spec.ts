import { expect, type Page } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, openChat } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

const TITLE = 'Covered Case';
const HALF = 'Half a sentence about pota';

let wardline: WardlineProcess;
let path: string;
let doctor: BrowserPerson;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  path = (await makeCase(await signInOverHttp(wardline.baseUrl, 'doctor@demo.test'), [], TITLE)).path;
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
});
test.afterAll(async () => {
  await doctor?.context.close();
  await wardline?.stop();
});

const locked = (page: Page) => page.getByRole('heading', { name: 'Locked', level: 1 });

/** All that somebody in front of the screen could find out, with the tools of the browser too. */
const visible = async (page: Page) => `${await page.title()} ${await page.content()}`;

async function unlock(page: Page, password: string): Promise<void> {
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

test('ACC-6 A35 by keyboard a ward computer is locked in every tab, shows nothing of a patient, and opens as it was left', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(doctor.page(), path);
  const other = await openChat(await doctor.context.newPage(), path);
  await page.bringToFront();
  await composer(page).fill(HALF);
  await page.getByRole('button', { name: /^Dr. Mira Okafor/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Lock screen' }).press('Enter');
  for (const each of [page, other]) {
    await expect(locked(each)).toBeVisible();
    expect(await visible(each)).not.toMatch(/Covered Case|Half a sentence/);
  }

  doctor.expectConsole(failedLoad(422, '/api/user/unlock'), 'a wrong password opens nothing');
  await unlock(page, 'not the password at all');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(locked(page)).toBeVisible();
  await page.reload();
  await expect(locked(page)).toBeVisible();
  expect(await visible(page)).not.toMatch(/Covered Case|Half a sentence/);

  await cutNetwork(doctor);
  await expect(page.getByText('Unlocking needs the network.')).toBeVisible();
  await restoreNetwork(doctor);
  await unlock(page, DEMO_PASSWORD);
  await expect(composer(page)).toHaveValue(HALF);
  await expect(composer(other)).toBeVisible();
});
