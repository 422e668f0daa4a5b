import { expect } from '@playwright/test';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { v7 as newId } from 'uuid';
import { WHOLE_BROWSER } from '../../support/browser/chromium-path.ts';
import {
  callMeHere,
  deliverPush,
  PUSH_HOST,
  pressNotification,
  shownNotifications,
} from '../../support/browser/push.ts';
import { type BrowserPerson, openSignedIn, untilOfflineReady } from '../../support/browser-person.ts';
import { composer } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;
let doctor: HttpPerson;
let nurseId: string;
let nurse: BrowserPerson;
let casePath: string;

test.beforeAll(async ({ browser }) => {
  // A push service that is nowhere: what the browser is sent is handed to its worker below.
  wardline = await startWardline({ WARDLINE_PUSH_HOSTS: PUSH_HOST });
  doctor = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const called = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  nurseId = called.userId;
  casePath = (await makeCase(doctor, [called], 'Called Case')).path;
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await nurse?.context.close();
  await wardline?.stop();
});

test('CHAT-16 CHAT-21 a device is called: turned on where it is explained, told without words, and a press opens the chat', {
  tag: WHOLE_BROWSER,
}, async () => {
  const page = nurse.page();
  const deliver = (payload: object) => deliverPush(page, wardline.baseUrl, payload);
  await callMeHere(page, wardline.baseUrl);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('Test sent. It should show in a few seconds.').first()).toBeVisible();
  await deliver({ type: 'test', id: '' });
  await expect.poll(() => shownNotifications(page)).toEqual(['Wardline: This device can be called. test']);

  const id = '01987654-3210-7000-8000-000000000001';
  const [facility_id, chat_id] = casePath.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  await page.route(`**/api/user/notifications/${id}`, (route) =>
    route.fulfill({ json: { facility_id, chat_id, seq: 1 } }),
  );
  await deliver({ type: 'message', id });
  await deliver({ type: 'message_aloud', id });
  await expect
    .poll(async () => (await shownNotifications(page))?.filter((line) => line.includes(id)))
    .toEqual([`Wardline: New message message:${id}`]);
  await pressNotification(page, `message:${id}`);
  await expect(page).toHaveURL(new RegExp(`${casePath}`));
  await expect(composer(page)).toBeVisible();
});

test('URG-1 the sender of an urgent message learns that a phone shows the call while its app is closed', {
  tag: WHOLE_BROWSER,
}, async () => {
  const page = nurse.page();
  await page.context().grantPermissions(['notifications'], { origin: new URL(wardline.baseUrl).origin });
  await page.goto('/dashboard');
  await untilOfflineReady(page);
  await page.goto('about:blank');
  const chatId = casePath.slice(casePath.indexOf('/c-') + 3);
  const urgent = { targets: { people: [nurseId], role_id: null } };
  const body = { client_id: newId(), body: 'K 6.9, please come', urgent };
  const sent = await doctor.send('POST', `/api/chats/${chatId}/messages`, body);
  expect(sent?.status).toBe(201);
  const [notification] = (await wardline.asDatabaseOwner(
    `select id from chat_notifications where chat_id = '${chatId}' and user_id = '${nurseId}'`,
  )) as { id: string }[];
  const isOnDevice = async () => {
    const { data } = await doctor.get<{ data: Message[] }>(`/api/chats/${chatId}/messages`);
    return data.at(-1)?.urgent?.people.map(({ delivered_at }) => delivered_at !== null);
  };
  expect(await isOnDevice()).toEqual([false]);
  await deliverPush(page, wardline.baseUrl, { type: 'urgent', id: notification?.id });
  await expect.poll(isOnDevice).toEqual([true]);
});
