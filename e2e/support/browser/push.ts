import { expect, type Page } from '@playwright/test';
import { untilOfflineReady } from '../browser-person.ts';

/** A push service that is nowhere; the server is told of it as `WARDLINE_PUSH_HOSTS`. */
export const PUSH_HOST = 'push.journey.invalid';

/** For `addInitScript`. Without a push service a browser has no subscription to give: this one has, and all else is its own. */
export function subscribeNowhere(host: string): void {
  let given: object | null = null;
  const subscription = {
    options: { applicationServerKey: null },
    unsubscribe: async () => true,
    toJSON: () => ({
      endpoint: `https://${host}/one`,
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

/** Turns calling on in the settings, as a person does. */
export async function callMeHere(page: Page, baseUrl: string): Promise<void> {
  await page.context().grantPermissions(['notifications'], { origin: new URL(baseUrl).origin });
  await page.addInitScript(subscribeNowhere, PUSH_HOST);
  await page.goto('/settings#notifications');
  await untilOfflineReady(page);
  const section = page.getByRole('region', { name: 'Notifications', exact: true });
  await section.getByRole('button', { name: 'Call me on this device' }).click();
  await expect(section.getByRole('button', { name: 'Send a test' })).toBeVisible();
}

/** What the push service would hand to the browser, once it is decrypted. */
export async function deliverPush(page: Page, baseUrl: string, payload: object): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  const { origin } = new URL(baseUrl);
  const registrationId = await registered;
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  await browser.detach();
}

/** The notifications that the system shows now. */
export function shownNotifications(page: Page): Promise<string[] | undefined> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.getNotifications())?.map(({ title, body, tag }) => `${title}: ${body} ${tag}`);
  });
}

/** What a worker has beside what a page has. */
interface WorkerScope extends Pick<EventTarget, 'dispatchEvent'> {
  readonly registration: ServiceWorkerRegistration;
  readonly NotificationEvent: new (type: string, init: { readonly notification: Notification }) => Event;
}

/** Nobody can press what the system shows: the worker is told that somebody did. */
export async function pressNotification(page: Page, tag: string): Promise<void> {
  await page
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
}
