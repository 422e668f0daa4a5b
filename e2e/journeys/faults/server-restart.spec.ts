import { expect, type Page } from '@playwright/test';
import { CUT_OFF } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, messageRow, openChat, shownTexts, timeline, write } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { type MadeChat, makeCase } from '../../support/new-chats.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });
test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let chat: MadeChat;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  chat = await makeCase(
    await signInOverHttp(wardline.baseUrl, 'doctor@demo.test'),
    [await signInOverHttp(wardline.baseUrl, 'nurse@demo.test')],
    'Power Cut',
  );
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

/** The quiet line at the foot of the rail. */
function connection(page: Page) {
  return page.getByRole('complementary', { name: 'Wardline' }).getByRole('status');
}

test('R1 CHAT-3 RTA-3 the server is killed under two people: both see it, both go on writing, both come back', async () => {
  const [at, other] = [await openChat(doctor.page(), chat.path), await openChat(nurse.page(), chat.path)];
  await write(at, 'Before the cut');
  await expect(messageRow(other, 'Before the cut')).toBeVisible();
  // That it was read has arrived as well: from here on, what waits was written during the cut.
  for (const page of [at, other]) await expect(connection(page)).toHaveText('Live');

  for (const person of [doctor, nurse]) person.allowConsole(CUT_OFF, 'the server is gone');
  await wardline.kill();
  await write(at, 'During the cut, by the doctor');
  await write(other, 'During the cut, by the nurse');
  for (const page of [at, other]) {
    await expect(connection(page)).toHaveText(/^(Connecting|Reconnecting) · 1 waiting$/);
    await expect(timeline(page).getByText('Waiting to send')).toHaveCount(1);
  }

  await wardline.restart();
  for (const page of [at, other]) {
    await expect(messageRow(page, 'During the cut, by the doctor')).toBeVisible({ timeout: 60_000 });
    await expect(messageRow(page, 'During the cut, by the nurse')).toBeVisible({ timeout: 60_000 });
    await expect(connection(page)).toHaveText('Live', { timeout: 60_000 });
    await expect(timeline(page).getByText(/Waiting to send|Sending/)).toHaveCount(0);
  }
  const order = await shownTexts(at, 'During the cut');
  expect(order).toHaveLength(2);
  expect(await shownTexts(other, 'During the cut')).toEqual(order);
});

test('CHAT-12 after the restart presence, typing and live messages work again, both ways', async () => {
  for (const [writer, reader, name] of [
    [doctor.page(), nurse.page(), 'Dr. Mira Okafor'],
    [nurse.page(), doctor.page(), 'Ana Reyes'],
  ] as const) {
    // Whose channel is not joined again yet hears nothing; a person goes on typing.
    await expect(async () => {
      await composer(writer).pressSequentially('And now');
      await expect(reader.getByText(`${name} is typing`)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await composer(writer).press('Enter');
    await expect(messageRow(reader, 'And now').last()).toBeVisible();
    await expect(reader.getByText(`${name} is typing`)).toHaveCount(0);
    await writer.getByRole('button', { name: '2 people in this chat' }).click();
    const dialog = writer.getByRole('dialog', { name: '2 people in this chat' });
    await expect(dialog.getByText('Here now')).not.toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
});

test('AUTH-1 the restart ended no session: nobody had to sign in again', () => {
  for (const person of [doctor, nurse]) {
    expect(person.page().url()).toBe(wardline.baseUrl + chat.path);
  }
});
