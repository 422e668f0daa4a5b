import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from '@playwright/test';
import { openBrowser, signIn } from '../support/browser-person.ts';
import { demoPages, GUEST_PAGES, openAndSettle } from '../support/demo-pages.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { makeCase, say } from '../support/new-chats.ts';
import { startWardline, type WardlineProcess } from '../support/servers/wardline-process.ts';

const FOLDER = path.join(import.meta.dirname, '../../screens');
const PEOPLE = ['nurse', 'officer', 'admin', 'operator', 'newcomer'] as const;
const LOOKS = [
  { name: 'desktop-light', dark: false, phone: false },
  { name: 'desktop-dark', dark: true, phone: false },
  { name: 'phone-light', dark: false, phone: true },
  { name: 'phone-dark', dark: true, phone: true },
] as const;

let wardline: WardlineProcess;
test.beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  wardline = await startWardline();
});
test.afterAll(() => wardline.stop());

for (const look of LOOKS) {
  test(`signed out, ${look.name}`, async ({ browser }) => {
    const guest = await openBrowser(browser, wardline.baseUrl, look);
    for (const { name, path: address } of GUEST_PAGES) {
      await openAndSettle(guest.page(), address);
      await guest.page().screenshot({ path: path.join(FOLDER, `${name}-${look.name}.png`), fullPage: true });
    }
    await guest.context.close();
  });

  for (const who of PEOPLE) {
    test(`${who}, ${look.name}`, async ({ browser }) => {
      const person = await signIn(browser, wardline.baseUrl, `${who}@demo.test`, look);
      for (const { name, path: address } of await demoPages(
        await signInOverHttp(wardline.baseUrl, `${who}@demo.test`),
      )) {
        await openAndSettle(person.page(), address);
        // The parts of a page that load once they are needed, and what they ask for.
        await person.page().waitForLoadState('networkidle');
        await person.page().waitForTimeout(400);
        await person.page().screenshot({ path: path.join(FOLDER, `${who}-${name}-${look.name}.png`) });
      }
      await person.context.close();
    });
  }

  test(`census settings, ${look.name}`, async ({ browser }) => {
    const person = await signIn(browser, wardline.baseUrl, 'admin@demo.test', look);
    const page = person.page();
    const take = (name: string, fullPage = false) =>
      page.screenshot({ path: path.join(FOLDER, `state-census-settings-${name}-${look.name}.png`), fullPage });
    await openAndSettle(page, '/census?view=settings');
    await page.getByLabel('Grace, minutes').fill('90');
    await take('whole', true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Edit MED 3A' }).click();
    const dialog = page.getByRole('dialog', { name: 'MED 3A' });
    await dialog.waitFor();
    await take('unit');
    await dialog.getByLabel('Search people to add').fill('a');
    await dialog.getByRole('list', { name: 'Found' }).waitFor();
    await dialog.getByLabel('Staffed').fill('99');
    await dialog.getByRole('button', { name: 'Save beds' }).click();
    await dialog.getByText('Choose the first date.').waitFor();
    await take('unit-wrong');
    await person.context.close();
  });

  test(`notifications, ${look.name}`, async ({ browser }) => {
    const person = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', look);
    const page = person.page();
    const take = (name: string) =>
      page.screenshot({ path: path.join(FOLDER, `state-notifications-${name}-${look.name}.png`) });
    await openAndSettle(page, '/settings#notifications');
    const section = page.getByRole('region', { name: 'Notifications', exact: true });
    await section.getByRole('switch', { name: 'Quiet hours' }).click();
    await section.getByLabel('From').waitFor();
    await take('settings');
    await section.getByRole('switch', { name: 'Quiet hours' }).click();
    const [first] = (await demoPages(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'))).filter(
      ({ name }) => name === 'case',
    );
    await openAndSettle(page, first?.path ?? '/chats');
    await page.getByRole('button', { name: /people in this chat/ }).click();
    await page.getByRole('dialog').getByRole('switch').waitFor();
    await take('chat');
    await person.context.close();
  });

  test(`chat states, ${look.name}`, async ({ browser }) => {
    const doctor = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
    const nurse = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
    const { path: address, chatId } = await makeCase(doctor, [nurse], 'Greta Hollis', 'MRN 40-120-015');
    await say(nurse, chatId, 'Off oxygen since the last round, NEWS 3 twice in a row.');
    const person = await signIn(browser, wardline.baseUrl, 'doctor@demo.test', look);
    const page = person.page();
    const take = (name: string) => page.screenshot({ path: path.join(FOLDER, `state-chat-${name}-${look.name}.png`) });
    await openAndSettle(page, address);
    await page.getByRole('button', { name: 'Chat menu' }).click();
    await page.getByRole('menuitem', { name: 'Close chat' }).waitFor();
    await take('menu');
    await page.getByRole('menuitem', { name: 'Close chat' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close chat' }).click();
    await page.getByRole('note').getByRole('button', { name: 'Reopen' }).waitFor();
    await take('closed');
    await person.context.close();
  });

  test(`search, ${look.name}`, async ({ browser }) => {
    const person = await signIn(browser, wardline.baseUrl, 'doctor@demo.test', look);
    const page = person.page();
    const take = (name: string) =>
      page.screenshot({ path: path.join(FOLDER, `state-search-${name}-${look.name}.png`) });
    await openAndSettle(page, '/search');
    const field = page.getByRole('searchbox');
    await field.fill('ma');
    await page.getByRole('region', { name: 'People' }).waitFor();
    await take('names');
    await field.fill('potassium');
    await page.getByRole('list', { name: 'Messages found' }).waitFor();
    await take('messages');
    await field.fill('zzzz');
    await page.getByRole('heading', { name: /Nothing found/ }).waitFor();
    await take('nothing');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('potassium');
    await page.getByRole('group', { name: 'Messages' }).waitFor();
    await take('palette');
    await person.context.close();
  });

  test(`states, ${look.name}`, async ({ browser }) => {
    const person = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', { ...look, ownDevice: true });
    const page = person.page();
    const take = (name: string) => page.screenshot({ path: path.join(FOLDER, `state-${name}-${look.name}.png`) });
    const pages = await demoPages(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'));
    await openAndSettle(page, pages.find(({ name }) => name === 'case')?.path ?? '/chats');
    await page.getByRole('button', { name: /people in this chat/ }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await take('people');
    await page.keyboard.press('Escape');
    await person.context.setOffline(true);
    await page.getByPlaceholder('Type your message here…').fill('Written where there is no network');
    await page.keyboard.press('Enter');
    await page.getByText('Waiting to send').waitFor();
    await take('offline');
    await person.context.setOffline(false);
    await openAndSettle(page, '/chats');
    await page.getByRole('button', { name: 'New chat' }).first().click();
    await page.getByRole('dialog', { name: 'New chat' }).waitFor();
    await take('new-chat');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await take('new-chat-wrong');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('mar');
    await page.getByRole('group', { name: 'People' }).waitFor();
    await take('palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await take('shortcuts');
    await person.context.close();
  });
}
