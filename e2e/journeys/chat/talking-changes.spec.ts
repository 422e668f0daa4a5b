import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat, write } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeGroup, say } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

/** The name of the button that shows a message's exact time. */
const TIME = /^\d\d:\d\d/;

interface Listed {
  readonly id: string;
  readonly facility_id: string;
  readonly title: string;
  readonly head_seq: number;
}

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

  await other.getByRole('log').getByRole('button', { name: TIME }).last().focus();
  await other.keyboard.press('Tab');
  await expect(theirs.getByRole('button', { name: 'On my way you' })).toBeFocused();
  await other.keyboard.press('Tab');
  await expect(theirs.getByRole('button', { name: 'Seen', exact: true })).toBeFocused();
  await other.keyboard.press('Enter');
  await expect(mine.getByRole('button', { name: 'Seen Ana Reyes' })).toBeVisible();

  await cutNetwork(nurse);
  await theirs.getByRole('button', { name: 'On my way you' }).click();
  await theirs.getByRole('button', { name: 'More' }).click();
  await other.getByRole('menuitem', { name: 'Done' }).click();
  await expect(theirs.getByRole('list', { name: 'Reactions' })).toHaveText('SeenyouDoneyou');
  await say(doctorOverHttp, chat.chatId, 'Said meanwhile');
  await restoreNetwork(nurse);
  await expect(mine.getByRole('list', { name: 'Reactions' })).toHaveText('SeenAna ReyesDoneAna Reyes');
  await expect(messageRow(other, 'Said meanwhile')).toBeVisible();
});

test('CHAT-11 OFF-1 a reply is written by keyboard and without a network, and quotes what it answers', {
  tag: NIGHTLY,
}, async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Who answers what');
  const at = await openChat(doctor.page(), chat.path);
  await write(at, 'Who signs the insulin with me?');
  const other = await openChat(nurse.page(), chat.path);
  await messageRow(other, 'Who signs').getByRole('button', { name: TIME }).focus();
  await other.keyboard.press('r');
  await expect(composer(other)).toBeFocused();
  await expect(other.getByRole('form', { name: 'Write a message' })).toContainText('Who signs the insulin with me?');
  await cutNetwork(nurse);
  await write(other, 'I do, in two minutes');
  const pending = messageRow(other, 'I do, in two minutes');
  await expect(pending).toContainText('Waiting to send');
  await expect(pending).toContainText('Dr. Mira OkaforWho signs the insulin with me?');
  await restoreNetwork(nurse);
  await expect(messageRow(at, 'I do, in two minutes')).toContainText('YouWho signs the insulin with me?');
});

test('CHAT-11 CHAT-13 a quote leads to what was said 20,000 messages ago, and the keyboard goes on from there', {
  tag: NIGHTLY,
}, async () => {
  const { chats } = await doctorOverHttp.get<{ chats: Listed[] }>('/api/sync?limit=200');
  const chat = chats.find(({ title }) => title === 'Ward coordination');
  if (!chat) throw new Error('The long chat is missing.');
  const path = `/api/chats/${chat.id}/messages`;
  const { data } = await doctorOverHttp.get<{ data: { id: string; body: string }[] }>(`${path}?after=6&limit=1`);
  const old = data[0]?.body.split('\n')[0] ?? '';
  const body = { client_id: randomUUID(), body: 'As said at the very beginning', reply_to: data[0]?.id };
  expect((await doctorOverHttp.send('POST', path, body))?.status).toBe(201);
  await doctorOverHttp.send('PUT', `/api/chats/${chat.id}/markers`, { read_seq: chat.head_seq + 1 });

  const at = await openChat(doctor.page(), `/chat/f-${chat.facility_id}/c-${chat.id}`);
  const reply = messageRow(at, 'As said at the very beginning');
  await expect(reply).toBeInViewport();
  await reply.getByRole('button', { name: old }).click();
  const found = messageRow(at, old).first();
  await expect(found).toBeInViewport();
  await expect(found.getByRole('button', { name: TIME })).toBeFocused();
  await at.getByRole('button', { name: /^Newest/ }).click();
  await expect(reply).toBeInViewport();
});

test('CHAT-11 a link leads to its message, also after a reload, and says no more where there is none for me', {
  tag: NIGHTLY,
}, async () => {
  const { chats } = await doctorOverHttp.get<{ chats: Listed[] }>('/api/sync?limit=200');
  const chat = chats.find(({ title }) => title === 'Ward coordination');
  if (!chat) throw new Error('The long chat is missing.');
  const path = `/chat/f-${chat.facility_id}/c-${chat.id}`;
  const { data } = await doctorOverHttp.get<{ data: { seq: number; body: string }[] }>(
    `/api/chats/${chat.id}/messages?after=900&limit=1`,
  );
  const old = data[0]?.body.split('\n')[0] ?? '';
  const at = doctor.page();
  for (const open of [() => at.goto(`${path}?message=${data[0]?.seq}`), () => at.reload()]) {
    await open();
    const found = messageRow(at, old).and(at.locator('.is-focused'));
    await expect(found).toBeInViewport();
    await expect(found.getByRole('button', { name: TIME })).toBeFocused();
  }
  await at.getByTitle('Go to date').first().click();
  await at.getByLabel('Date', { exact: true }).fill('2000-01-01');
  await at.getByLabel('Date', { exact: true }).press('Enter');
  await expect(at.getByRole('log').locator('[data-index="0"]')).toBeInViewport();
  await expect(at.getByRole('log').locator('[data-index="1"] :focus')).toBeVisible();
  await at.goto(`${path}?message=9000000`);
  await expect(at.getByText('It doesn’t exist, or you can’t see it.', { exact: true })).toBeVisible();
});

test('CHAT-10 CHAT-11 who is called sees it in the list, pins the message by touch, and is led to it', {
  tag: NIGHTLY,
}, async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Look at this');
  const at = await openChat(doctor.page(), chat.path);
  const other = nurse.page();
  const size = other.viewportSize();
  await other.setViewportSize({ width: 390, height: 844 });
  await other.goto('/chats');
  await composer(at).pressSequentially('Bed 9 please, @an');
  await expect(at.getByRole('option', { name: 'Ana Reyes' })).toBeVisible();
  await composer(at).press('Enter');
  await composer(at).press('Enter');
  await expect(other.getByLabel('You are mentioned').filter({ visible: true })).toHaveCount(1);

  await openChat(other, chat.path);
  const mine = messageRow(other, 'Bed 9');
  await expect(mine.locator('.is-mine')).toHaveText('@Ana Reyes');
  await mine.hover();
  await mine.getByRole('button', { name: 'More' }).click();
  await other.getByRole('menuitem', { name: 'Pin' }).click();
  await expect(mine).toContainText('Pinned by you');
  for (const page of [at, other]) await page.getByRole('button', { name: 'Pinned messages' }).click();
  await other.getByRole('button', { name: /Bed 9/ }).click();
  await expect(mine.and(other.locator('.is-focused'))).toBeInViewport();
  await expect(mine.getByRole('button', { name: TIME })).toBeFocused();
  await at.getByRole('button', { name: 'Unpin' }).click();
  await expect(mine).not.toContainText('Pinned by');
  await expect(other.getByRole('button', { name: 'Pinned messages' })).toHaveCount(0);
  if (size) await other.setViewportSize(size);
});

test('CHAT-11 an edit is shown to both with its versions, and what was changed elsewhere meanwhile is not lost', {
  tag: NIGHTLY,
}, async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Said better');
  const at = await openChat(doctor.page(), chat.path);
  const other = await openChat(nurse.page(), chat.path);
  await write(other, 'Insulin 10 unit');
  await expect(messageRow(at, 'Insulin 10 unit')).toBeVisible();
  await other.getByRole('log').getByRole('button', { name: TIME }).last().focus();
  await other.keyboard.press('e');
  await expect(other.getByRole('textbox', { name: 'Message text' })).toBeFocused();
  await other.getByRole('textbox', { name: 'Message text' }).fill('Insulin 10 units');
  await other.keyboard.press('Enter');
  const theirs = messageRow(at, 'Insulin 10 units');
  await expect(theirs).toContainText('Edited');
  await expect(listRow(at, 'Said better')).toContainText('Insulin 10 units');
  await theirs.getByRole('button', { name: /^Edited/ }).click();
  await expect(at.getByRole('dialog', { name: 'Edits' }).getByRole('listitem')).toHaveText([
    /Insulin 10 units$/,
    /Insulin 10 unit$/,
  ]);
  await at.getByRole('button', { name: 'Close' }).click();

  await cutNetwork(nurse);
  const mine = messageRow(other, 'Insulin 10 units');
  await mine.hover();
  await mine.getByRole('button', { name: 'More' }).click();
  await other.getByRole('menuitem', { name: 'Edit' }).click();
  await other.getByRole('textbox', { name: 'Message text' }).fill('Insulin 12 units');
  await other.keyboard.press('Enter');
  await expect(messageRow(other, 'Insulin 12 units')).toContainText('Waiting to save');
  const { data } = await nurseOverHttp.get<{ data: { id: string; version?: number }[] }>(
    `/api/chats/${chat.chatId}/messages?limit=1`,
  );
  nurse.expectConsole(failedLoad(409, '/api/chats/{chat}/messages/{message}'), 'the text was changed elsewhere');
  nurse.expectConsole(/^warning: An item of the outbox was refused: conflict$/, 'the same');
  const elsewhere = { expected_version: data[0]?.version, body: 'Insulin 8 units' };
  await nurseOverHttp.send('PATCH', `/api/chats/${chat.chatId}/messages/${data[0]?.id}`, elsewhere);
  await restoreNetwork(nurse);
  const refused = messageRow(other, 'Insulin 8 units');
  await expect(refused).toContainText('You changed this message elsewhere. Your text: Insulin 12 units');
  await refused.getByRole('button', { name: 'Edit again' }).click();
  await expect(other.getByRole('textbox', { name: 'Message text' })).toHaveValue('Insulin 12 units');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(messageRow(at, 'Insulin 12 units')).toBeVisible();
});

test('CHAT-11 a deleted message leaves who, when and why, and its text on no screen, in no list and in no quote', {
  tag: NIGHTLY,
}, async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Taken back');
  const at = await openChat(doctor.page(), chat.path);
  const other = await openChat(nurse.page(), chat.path);
  await write(other, 'Zebrafish for the wrong patient');
  await messageRow(at, 'Zebrafish').hover();
  await messageRow(at, 'Zebrafish').getByRole('button', { name: 'Reply', exact: true }).click();
  await write(at, 'Whose is this?');
  await expect(messageRow(other, 'Whose is this?')).toContainText('Zebrafish');
  const time = messageRow(other, 'Zebrafish').first().getByRole('button', { name: TIME });
  const dialog = other.getByRole('dialog', { name: 'Delete this message?' });
  await time.focus();
  await other.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(dialog).toHaveCount(0);
  await cutNetwork(nurse);
  await time.focus();
  await other.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toContainText('Choose a reason.');
  await dialog.getByLabel('Wrong patient').check();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(messageRow(other, 'Deleted by you')).toContainText('Wrong patient');
  await expect(messageRow(at, 'Zebrafish')).not.toHaveCount(0);
  await restoreNetwork(nurse);
  await expect(messageRow(at, 'Deleted by Ana Reyes')).toContainText('Wrong patient');
  await expect(messageRow(at, 'Whose is this?')).toContainText('Deleted message');
  for (const page of [at, other]) await expect(page.getByText('Zebrafish')).toHaveCount(0);
  const answers = await Promise.all([
    doctorOverHttp.get(`/api/chats/${chat.chatId}/messages`),
    doctorOverHttp.get('/api/sync?limit=200'),
  ]);
  expect(JSON.stringify(answers)).not.toContain('Zebrafish');
});
