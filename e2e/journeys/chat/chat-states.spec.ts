import { expect } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat, timeline, write } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeGroup } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

let wardline: WardlineProcess;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let chatPath: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  chatPath = (await makeGroup(await overHttp('doctor'), [await overHttp('nurse')], 'Night plan')).path;
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

/** Chooses from the chat's menu, and says yes to what is asked. */
async function choose(person: BrowserPerson, act: string): Promise<void> {
  const page = person.page();
  await page.getByRole('button', { name: 'Chat menu' }).click();
  await page.getByRole('menuitem', { name: act }).click();
  await page.getByRole('dialog').getByRole('button', { name: act }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('CHAT-7 CHAT-18 a chat is renamed, handed over, closed and reopened, and the other one sees each at once', {
  tag: NIGHTLY,
}, async () => {
  const [at, other] = [await openChat(doctor.page(), chatPath), await openChat(nurse.page(), chatPath)];
  const asked = at.getByRole('dialog');

  // By keys alone.
  await at.getByRole('button', { name: 'Chat menu' }).focus();
  await at.keyboard.press('Enter');
  await expect(at.getByRole('menuitem', { name: 'People and notifications' })).toBeFocused();
  await at.keyboard.press('r');
  await expect(at.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await at.keyboard.press('Enter');
  await expect(asked.getByLabel('Title')).toBeFocused();
  await asked.getByLabel('Title').fill('Day plan');
  await at.keyboard.press('Enter');
  await expect(other.getByRole('heading', { name: 'Day plan', level: 2 })).toBeVisible();
  await expect(at.getByRole('heading', { name: 'Day plan', level: 2 })).toBeVisible();
  await expect(timeline(other).getByText('Dr. Mira Okafor renamed the chat to “Day plan”')).toBeVisible();

  // The dialog gives the focus back before the menu is pressed again.
  await expect(asked).toHaveCount(0);
  await choose(doctor, 'Hand over');
  for (const page of [at, other]) {
    await expect(page.getByText('The next team goes on here.')).toBeVisible();
    await expect(timeline(page).getByText('handed the chat over')).toBeVisible();
  }
  await write(other, 'Read, thank you.');
  await expect(messageRow(at, 'Read, thank you.')).toBeVisible();
  // What goes on stands among the open chats.
  await expect(listRow(at, 'Day plan').getByText('Handed over', { exact: true })).toBeVisible();

  nurse.allowConsole(
    failedLoad(403, '/api/chats/{chat}/draft'),
    'the chat is closed before the server has what is written',
  );
  await composer(other).fill('One more thing');
  await choose(doctor, 'Close chat');
  await expect(other.getByRole('note')).toHaveText('This chat is closed. New messages can’t be sent.');
  await expect(at.getByRole('note')).toContainText('This chat is closed.');
  // Who does not manage it has no way back, and keeps what they were writing.
  await other.getByRole('button', { name: 'Chat menu' }).click();
  await expect(other.getByRole('menuitem')).toHaveText([
    ...['People and notifications', 'Add to favourites', 'Mark as unread', 'Go to date'],
  ]);
  await other.keyboard.press('Escape');
  await at.getByRole('note').getByRole('button', { name: 'Reopen' }).click();
  await asked.getByRole('button', { name: 'Reopen' }).click();
  await expect(composer(at)).toBeEditable();
  await expect(composer(other)).toHaveValue('One more thing');
});

test('CHAT-7 where somebody is faster nothing is done, and it says what the chat is now', { tag: NIGHTLY }, async ({
  browser,
}) => {
  const again = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  const [at, other] = [await openChat(doctor.page(), chatPath), await openChat(again.page(), chatPath)];
  for (const page of [at, other]) {
    await page.getByRole('button', { name: 'Chat menu' }).click();
    await page.getByRole('menuitem', { name: page === at ? 'Hand over' : 'Close chat' }).click();
  }
  await at.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
  await expect(other.getByText('The next team goes on here.')).toBeAttached();
  again.expectConsole(/409/, 'the chat was handed over meanwhile');
  await other.getByRole('dialog').getByRole('button', { name: 'Close chat' }).click();
  await expect(other.getByRole('alert')).toContainText(
    'Somebody changed this chat meanwhile. It is now handed over. Nothing else was changed.',
  );
  await other.getByRole('button', { name: 'OK' }).click();
  await expect(composer(other)).toBeEditable();
  await again.context.close();
});
