import type { Call } from '@wardline/client/http/call.ts';
import { subscribePush, unsubscribePush } from '@wardline/contract/chat/notifications.ts';

/**
 * What this browser offers: `install` where only the installed app is told (iPhone, iPad), `denied` where the person, or their
 * administrator, has said no to the browser.
 */
export type PushSupport = 'none' | 'install' | 'denied' | 'possible';

/** Who turned push on in this browser: nobody else is told there without asking for it (A37). */
const OWNER = 'wardline-push-owner';

export async function pushSupport(): Promise<PushSupport> {
  if (!('PushManager' in window) || !('Notification' in window)) return isUninstalledApple() ? 'install' : 'none';
  if (Notification.permission === 'denied') return 'denied';
  return (await navigator.serviceWorker?.getRegistration()) ? 'possible' : 'none';
}

function isUninstalledApple(): boolean {
  const { userAgent, maxTouchPoints, standalone = false } = navigator as Navigator & { standalone?: boolean };
  return !standalone && (/iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1));
}

interface PushDeps {
  readonly call: Call;
  readonly userId: string;
}

/** Asks for leave and has this browser told. False where the person did not allow it. */
export async function turnPushOn({ call, userId }: PushDeps, key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const { pushManager } = await requireRegistration();
  // Another key, as of another server, cannot be changed in a subscription.
  const known = await pushManager.getSubscription();
  if (known && keyOf(known) !== key) await known.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await tell(call, subscription);
  localStorage.setItem(OWNER, userId);
  return true;
}

export async function turnPushOff({ call }: Pick<PushDeps, 'call'>): Promise<void> {
  await call(unsubscribePush);
  await clearDevicePush();
}

/** Ends what this browser has, once somebody signed out: the server has forgotten it with the session. */
export async function clearDevicePush(): Promise<void> {
  localStorage.removeItem(OWNER);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/**
 * After a new sign-in, or when the push service has changed the address: tells the server again, for who turned it on here. What
 * somebody else left in this browser ends.
 */
export async function renewDevicePush({ call, userId }: PushDeps): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription) return;
  if (localStorage.getItem(OWNER) === userId) await tell(call, subscription);
  else await clearDevicePush();
}

async function tell(call: Call, subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  await call(subscribePush, { body: { endpoint, keys: { p256dh, auth } } });
}

async function requireRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) throw new Error('There is no service worker.');
  return registration;
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
