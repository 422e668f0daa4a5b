import { expect, test } from '@playwright/test';
import { type BrowserPerson, signIn } from '../support/browser-person.ts';
import { composer, messageRow, openChat, write } from '../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../support/http-person.ts';
import { makeGroup, say } from '../support/new-chats.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

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
  doctor = await signIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

test('CHAT-11 a reaction reaches the other, by pointer, by keyboard, and once the network is back', async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'One tap');
  const at = await openChat(doctor.page(), chat.path);
  const other = await openChat(nurse.page(), chat.path);
  await write(at, 'Monitor strip is on the desk.');
  const mine = messageRow(at, 'Monitor strip');
  const theirs = messageRow(other, 'Monitor strip');

  await theirs.hover();
  await theirs.getByRole('button', { name: 'On my way', exact: true }).click();
  await expect(mine.getByRole('list', { name: 'Reactions' })).toContainText('On my wayAna Reyes');

  await other.getByRole('log').getByRole('button', { name: /^\d\d:\d\d/ }).last().focus();
  await other.keyboard.press('Tab');
  await expect(theirs.getByRole('button', { name: 'On my way you' })).toBeFocused();
  await other.keyboard.press('Tab');
  await expect(theirs.getByRole('button', { name: 'Seen', exact: true })).toBeFocused();
  await other.keyboard.press('Enter');
  await expect(mine.getByRole('button', { name: 'Seen Ana Reyes' })).toBeVisible();

  await nurse.context.setOffline(true);
  await theirs.getByRole('button', { name: 'On my way you' }).click();
  await theirs.getByRole('button', { name: 'More' }).click();
  await other.getByRole('menuitem', { name: 'Done' }).click();
  await expect(theirs.getByRole('list', { name: 'Reactions' })).toHaveText('SeenyouDoneyou');
  await say(doctorOverHttp, chat.chatId, 'Said meanwhile');
  await nurse.context.setOffline(false);
  await expect(mine.getByRole('list', { name: 'Reactions' })).toHaveText('SeenAna ReyesDoneAna Reyes');
  await expect(messageRow(other, 'Said meanwhile')).toBeVisible();
  expect([...doctor.complaints(), ...nurse.complaints()]).toEqual([]);
});

test('CHAT-11 a reply quotes what it answers and leads there, also far back, and by keyboard', async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Who answers what');
  await say(nurseOverHttp, chat.chatId, 'Who signs the insulin with me?');
  for (let line = 1; line <= 260; line++) await say(doctorOverHttp, chat.chatId, `Line ${line} of a long talk`);
  const at = await openChat(doctor.page(), chat.path);
  await expect(messageRow(at, 'Line 260 of')).toBeInViewport();
  const other = await openChat(nurse.page(), `${chat.path}`);
  await other.getByRole('log').getByText('Who signs the insulin').scrollIntoViewIfNeeded();
  const question = messageRow(other, 'Who signs the insulin');
  await question.getByRole('button', { name: /^\d\d:\d\d/ }).focus();
  await other.keyboard.press('r');
  await expect(composer(other)).toBeFocused();
  await expect(other.getByRole('form', { name: 'Write a message' })).toContainText('YouWho signs the insulin with me?');
  await nurse.context.setOffline(true);
  await write(other, 'Still looking for somebody');
  await expect(messageRow(other, 'Still looking')).toContainText('Waiting to send');
  await expect(messageRow(other, 'Still looking')).toContainText('YouWho signs the insulin with me?');
  await nurse.context.setOffline(false);

  const reply = messageRow(at, 'Still looking');
  await expect(reply).toContainText('Ana ReyesWho signs the insulin with me?');
  await expect(messageRow(at, 'Line 3 of')).toHaveCount(0);
  await reply.getByRole('button', { name: 'Ana Reyes Who signs' }).click();
  const found = at.getByRole('article').filter({ hasText: 'Who signs the insulin' }).first();
  await expect(found).toBeInViewport();
  await expect(found.getByRole('button', { name: /^\d\d:\d\d/ })).toBeFocused();
  await expect(messageRow(at, 'Line 3 of')).toBeVisible();
  expect([...doctor.complaints(), ...nurse.complaints()]).toEqual([]);
});
