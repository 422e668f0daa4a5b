import { type ClientConfig, GUEST_TOKEN } from '@wardline/contract/config.ts';
import { readCookie } from '#/http/csrf.ts';
import type { DeviceOwner } from './device-owner.ts';

/** As long as a guest's CSRF cookie lives: a later one is of a session that began after it. */
export const GUEST_COOKIE_MS = 2 * 60 * 60 * 1000;

interface SessionHintDeps {
  readonly config: Pick<ClientConfig, 'mode' | 'csrf'>;
  readonly owner: Pick<DeviceOwner, 'get' | 'isSignOutOwed' | 'signedOutAtMs'>;
  /** Token mode: whether there is a token. */
  readonly hasToken: () => boolean;
  readonly readCookies?: () => string;
  readonly now?: () => number;
}

/**
 * Whether somebody may be signed in, as far as this device can tell without asking (F-C6): somebody signed in here and did
 * not sign out, a sign-out is owed, there is a token; or there is a CSRF cookie, which a session that began elsewhere on
 * this host sets too. Our server marks a guest's. One of Laravel's is a guest's after a sign-out or a 401, until it must
 * have run out.
 */
export function hasSessionHint(deps: SessionHintDeps): boolean {
  const { config, owner, hasToken, readCookies = () => globalThis.document?.cookie ?? '', now = Date.now } = deps;
  if (owner.get() !== null || owner.isSignOutOwed()) return true;
  if (config.mode === 'token') return hasToken();
  const signedOutAtMs = owner.signedOutAtMs();
  if (signedOutAtMs !== null && Math.abs(now() - signedOutAtMs) < GUEST_COOKIE_MS) return false;
  const cookies = readCookies();
  return readCookie(cookies, config.csrf.cookie) !== null && !isMarkedGuest(config, cookies);
}

/** Whether our server has marked whoever is at this browser as a guest, by its CSRF cookie. */
export function isMarkedGuest(
  { csrf }: Pick<ClientConfig, 'csrf'>,
  cookies = globalThis.document?.cookie ?? '',
): boolean {
  return readCookie(cookies, csrf.cookie)?.startsWith(GUEST_TOKEN) ?? false;
}
