import { checkConfig } from '@wardline/client/check-config.ts';
import { buildUrl } from '@wardline/client/http/build-request.ts';
import { readCookie } from '@wardline/client/http/csrf.ts';
import { noteNotificationDelivered } from '@wardline/contract/chat/notifications.ts';

/** The service worker's own; not in every browser. */
export interface CookieReader {
  get(name: string): Promise<{ readonly value?: string | undefined } | null>;
}

interface NoteDeps {
  /** What config.json says. */
  readonly config: unknown;
  readonly cookies: CookieReader | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Tells the server that this device shows a call, without a page: its sender sees that it is on a device (URG-1). Where that does
 * not come through, a page tells it once it is open.
 */
export async function noteDelivered(id: string, { config: given, cookies, fetch }: NoteDeps): Promise<void> {
  const config = checkConfig(given);
  // A token is a page's.
  if (config.mode !== 'cookie') return;
  const { cookie, header } = config.csrf;
  const token = readCookie(`${cookie}=${(await cookies?.get(cookie))?.value ?? ''}`, cookie);
  if (token === null) return;
  await fetch(buildUrl(config, noteNotificationDelivered, { params: { notification: id } }), {
    method: noteNotificationDelivered.method,
    credentials: 'include',
    headers: { Accept: 'application/json', [header]: token },
    signal: AbortSignal.timeout(20_000),
  });
}
