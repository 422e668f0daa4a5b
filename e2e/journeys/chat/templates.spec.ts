import { expect, type Page } from '@playwright/test';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, messageRow, openChat } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

let wardline: WardlineProcess;
let admin: BrowserPerson;
let nurse: BrowserPerson;
let path: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  path = (await makeCase(await overHttp('admin'), [await overHttp('nurse')], 'Template Case')).path;
  admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
});
test.afterAll(async () => {
  await admin?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

const opener = (page: Page) => page.getByRole('button', { name: 'Templates', exact: true });

async function chooseFirst(page: Page): Promise<void> {
  await opener(page).press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Enter');
}

test('CHAT-10 a template is filled in by keyboard alone, and one step of Undo takes it back', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(admin.page(), path);
  await composer(page).fill('Edith Maron');
  await chooseFirst(page);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(composer(page)).toHaveValue('Edith Maron');
  await page.keyboard.press('Control+y');
  await composer(page).fill('');
  await chooseFirst(page);
  await expect(composer(page)).toBeFocused();
  for (const said of ['K 6.9', 'dialysis', 'unstable']) {
    await page.keyboard.type(said);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('come now');
  await page.keyboard.press('Tab');
  await expect(composer(page)).not.toBeFocused();
  await composer(page).press('Enter');
  const row = messageRow(page, 'dialysis');
  await expect(row.locator('strong')).toHaveText(['Situation:', 'Background:', 'Assessment:', 'Recommendation:']);
  await expect(row).toContainText('Situation: K 6.9');
});

test('CHAT-10 what the administrator adds is in a colleague’s menu at once, on the phone too', {
  tag: NIGHTLY,
}, async () => {
  const [page, phone] = [admin.page(), await openChat(nurse.page(), path)];
  await opener(phone).click();
  await expect(phone.getByRole('menuitem')).toHaveText(['SBAR', 'Consult question']);
  await opener(page).press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New template' }).click();
  const form = page.getByRole('dialog', { name: 'New template' });
  await form.getByLabel('Title').fill('Bed request');
  await form.getByLabel('Text').fill('**From:**\n**Isolation:** no');
  await expect(form.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText(['From:', 'Isolation:']);
  await form.getByRole('button', { name: 'Create template' }).click();
  await expect(page.getByRole('button', { name: 'Edit Bed request' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opener(page)).toBeFocused();
  await phone.getByRole('menuitem', { name: 'Bed request' }).click();
  await expect(composer(phone)).toHaveValue('**From:** \n**Isolation:** no');
});
