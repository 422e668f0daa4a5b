import { expect, type Page } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { openSignedIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat, write } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { readAllMessages } from '../../support/ledger.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

const CLINIC = 'Harbour District Clinic';
const WAS_CLOSED = `${CLINIC} was closed by the system administrator.`;

test.describe.configure({ timeout: 120_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

test('ADM-2 PERM-4 ACC-7 by keyboard on a phone the system administrator disables an account, whose open page is led out at once, and enables it again', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  await admin.page().goto('/settings/system');
  await expect(admin.page()).toHaveURL(/\/403$/);

  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const theirs = nurse.page();
  await theirs.goto('/dashboard');
  await expect(theirs.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();

  const operator = await openSignedIn(browser, wardline.baseUrl, 'operator@demo.test', { phone: true });
  operator.allowConsole(failedLoad(423, '/api/system/accounts/{user}/disabled'), 'the password was not given yet');
  nurse.allowConsole(/^failed load: 401 /, 'the session has ended');
  nurse.allowConsole(/User session is not set in API or expired/, 'the session has ended');
  const page = operator.page();
  const press = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    await page.getByRole(role, { name, exact: true }).last().focus();
    await page.keyboard.press('Enter');
  };
  await page.goto('/dashboard');
  await expect(page.getByText('Emails are kept in a folder and reach no one.')).toBeVisible();
  await press('System administration', 'link');
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('No security contact.');
  await page.getByLabel('Search names and email').focus();
  await page.keyboard.type('nurse@demo');
  await expect(page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')).toHaveCount(1);
  await press('Manage Ana Reyes');
  const dialog = page.getByRole('dialog', { name: 'Ana Reyes' });
  await expect(dialog).toContainText('St. Brigid General: Charge nurse');
  await press('Disable account');
  await page.getByLabel('Reason').focus();
  await page.keyboard.type('Her phone was stolen.');
  await press('Disable');
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Her phone was stolen.')).toBeVisible();
  await expect(theirs).toHaveURL(/\/sign-in/);

  await press('Enable account');
  await press('Enable');
  await expect(dialog.getByRole('button', { name: 'Disable account' })).toBeVisible();
  await press('Close');
  await expect(dialog).toBeHidden();

  await press('Email and push', 'link');
  await press('Send test email');
  await expect(page.getByText('Kept in a folder of the server')).toBeVisible();
  await page.goto('/mailbox');
  for (const subject of ['was disabled', 'was enabled again', 'Test email']) {
    await expect(page.getByText(subject).first()).toBeVisible();
  }
  for (const person of [admin, nurse, operator]) await person.context.close();
});

test('ADM-2 ACC-7 OFF-1 the system administrator closes a facility by its name and the password: open pages lose everything at once and say why, what was not sent is kept, and opening it again brings all back', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const visitorOverHttp = await signInOverHttp(wardline.baseUrl, 'visitor@demo.test');
  const nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  const chat = await makeCase(visitorOverHttp, [nurseOverHttp], 'Closing Day');

  const visitor = await openSignedIn(browser, wardline.baseUrl, 'visitor@demo.test', { phone: true, dark: true });
  visitor.allowConsole(/^failed load: 403 /, 'the facility is closed');
  visitor.allowConsole(/^warning: The channel \S+ was refused with status 403/, 'the facility is closed');
  visitor.allowConsole(/^failed load: net::ERR_FAILED /, 'nothing is sent yet');
  visitor.expectConsole(/^warning: An item of the outbox was refused: facility_closed$/, 'it goes out when it may not');
  const theirList = visitor.page();
  const isListTold = untilTold(theirList);
  await theirList.goto('/chats');
  await expect(listRow(theirList, 'Closing Day')).toBeVisible();
  const theirChat = await visitor.context.newPage();
  const isChatTold = untilTold(theirChat);
  await openChat(theirChat, chat.path);
  await visitor.context.route(/\/api\/chats\/[^/]+\/messages$/, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await write(theirChat, 'Written before it was closed');
  await expect(messageRow(theirChat, 'Written before it was closed')).toBeVisible();

  // The nurse has another facility, which stays open.
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const hers = nurse.page();
  const isNurseTold = untilTold(hers);
  await hers.goto('/dashboard');
  await Promise.all([isListTold, isChatTold, isNurseTold]);

  const operator = await openSignedIn(browser, wardline.baseUrl, 'operator@demo.test');
  const path = '/api/system/facilities/{facility}/deactivation';
  operator.expectConsole(failedLoad(423, path), 'the password was not given yet');
  operator.expectConsole(failedLoad(422, path), 'another name was typed');
  const page = operator.page();
  await page.goto('/settings/system?part=facilities');
  await page.getByRole('button', { name: `Close ${CLINIC}` }).click();
  const dialog = page.getByRole('dialog', { name: `Close ${CLINIC}?` });
  await dialog.getByLabel('Facility name').fill('Another clinic');
  await dialog.getByRole('button', { name: 'Close facility' }).click();
  await page
    .getByRole('dialog', { name: 'Confirm it’s you' })
    .getByLabel('Password', { exact: true })
    .fill(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the name of the facility.')).toBeVisible();
  await expect(listRow(theirList, 'Closing Day')).toBeVisible();
  await dialog.getByLabel('Facility name').fill(CLINIC);
  await dialog.getByRole('button', { name: 'Close facility' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('list', { name: 'Facilities' }).getByRole('listitem').filter({ hasText: CLINIC });
  await expect(row.getByText('Closed', { exact: true })).toBeVisible();

  for (const theirs of [theirList, theirChat]) {
    await expect(theirs.getByText(WAS_CLOSED)).toBeVisible();
    await expect(theirs.getByText('Closing Day')).toHaveCount(0);
    await expect(composer(theirs)).toHaveCount(0);
  }
  await expect(hers.getByText(WAS_CLOSED)).toBeVisible();
  await expect(hers.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();

  await visitor.context.unrouteAll();
  await expect(theirChat.getByText(/1 message was refused/)).toBeVisible();

  await row.getByRole('button', { name: `Open ${CLINIC} again` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Open again' }).click();
  await expect(row.getByText('Closed', { exact: true })).toBeHidden();
  await expect(listRow(theirList, 'Closing Day')).toBeVisible();
  await expect(composer(theirChat)).toBeEditable();
  const unsent = messageRow(theirChat, 'Written before it was closed');
  await expect(unsent).toContainText('This facility was closed by the system administrator.');
  await unsent.getByRole('button', { name: 'Retry' }).click();
  await expect(theirChat.getByText(/1 message was refused/)).toBeHidden();
  // It is on its way when it is no longer told as refused.
  const said = async () => (await readAllMessages(nurseOverHttp, chat.chatId)).map(({ body }) => body);
  await expect.poll(said).toContain('Written before it was closed');
  await expect(hers.getByText(WAS_CLOSED)).toBeHidden();
  for (const person of [visitor, nurse, operator]) await person.context.close();
});

/** Waits until a page that is opened next is told its person's news. */
function untilTold(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/subscription_succeeded.*private-App\.Models\.User/.test(String(payload))) resolve();
      }),
    );
  });
}
