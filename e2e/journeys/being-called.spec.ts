import { expect, type Page } from '@playwright/test';
import { type BrowserPerson, openSignedIn, untilOfflineReady } from '../support/browser-person.ts';
import { composer } from '../support/chat-page.ts';
import { WHOLE_BROWSER } from '../support/chromium-path.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { test } from '../support/journey.ts';
import { makeCase } from '../support/new-chats.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let casePath: string;

test.beforeAll(async ({ browser }) => {
  // A push service that is nowhere: what the browser is sent is handed to its worker below.
  wardline = await startWardline({ WARDLINE_PUSH_HOSTS: 'push.journey.invalid' });
  const by = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  casePath = (await makeCase(by, [await signInOverHttp(wardline.baseUrl, 'nurse@demo.test')], 'Called Case')).path;
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await nurse?.context.close();
  await wardline?.stop();
});

/** Without a push service a browser has no subscription to give: this one has, and all else is the browser's own. */
function subscribeNowhere(): void {
  let given: object | null = null;
  const subscription = {
    options: { applicationServerKey: null },
    unsubscribe: async () => true,
    toJSON: () => ({
      endpoint: 'https://push.journey.invalid/one',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }),
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => given,
    subscribe: async () => {
      given = subscription;
      return given;
    },
  });
}

/** What the push service would hand to the browser, once it is decrypted. */
async function deliver(page: Page, payload: object): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  const { origin } = new URL(wardline.baseUrl);
  const registrationId = await registered;
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  await browser.detach();
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.getNotifications())?.map(({ title, body, tag }) => `${title}: ${body} ${tag}`);
  });

/** What a worker has beside what a page has. */
interface WorkerScope extends Pick<EventTarget, 'dispatchEvent'> {
  readonly registration: ServiceWorkerRegistration;
  readonly NotificationEvent: new (type: string, init: { readonly notification: Notification }) => Event;
}

/** Nobody can press what the system shows: the worker is told that somebody did. */
const press = (page: Page, tag: string) =>
  page
    .context()
    .serviceWorkers()[0]
    ?.evaluate(async (tag) => {
      const worker = globalThis as unknown as WorkerScope;
      const [notification] = await worker.registration.getNotifications({ tag });
      if (!notification) throw new Error('there is no such notification');
      const event = new worker.NotificationEvent('notificationclick', { notification });
      // What a script made may not keep the worker alive.
      Object.defineProperty(event, 'waitUntil', { value: () => undefined });
      worker.dispatchEvent(event);
    }, tag);

test('CHAT-16 CHAT-21 a device is called: turned on where it is explained, told without words, and a press opens the chat', {
  tag: WHOLE_BROWSER,
}, async () => {
  const page = nurse.page();
  await page.context().grantPermissions(['notifications'], { origin: new URL(wardline.baseUrl).origin });
  await page.addInitScript(subscribeNowhere);
  await page.goto('/settings#notifications');
  await untilOfflineReady(page);
  const section = page.getByRole('region', { name: 'Notifications', exact: true });
  await section.getByRole('button', { name: 'Call me on this device' }).click();
  await section.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('Test sent. It should show in a few seconds.').first()).toBeVisible();
  await deliver(page, { type: 'test', id: '' });
  await expect.poll(() => shown(page)).toEqual(['Wardline: This device can be called. test']);

  const id = '01987654-3210-7000-8000-000000000001';
  const [facility_id, chat_id] = casePath.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  await page.route(`**/api/user/notifications/${id}`, (route) =>
    route.fulfill({ json: { facility_id, chat_id, seq: 1 } }),
  );
  await deliver(page, { type: 'message', id });
  await deliver(page, { type: 'message_aloud', id });
  await expect
    .poll(async () => (await shown(page))?.filter((line) => line.includes(id)))
    .toEqual([`Wardline: New message message:${id}`]);
  await press(page, `message:${id}`);
  await expect(page).toHaveURL(new RegExp(`${casePath}`));
  await expect(composer(page)).toBeVisible();
});
