import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { GUEST_TOKEN } from '@wardline/contract/config.ts';
import { parseCookie, stringifySetCookie } from 'cookie';
import { RecentlyUsed } from '#/platform/recently-used.ts';

/** A cookie whose value is whatever the feature that sets it gave; no script can read it. */
export interface NoteCookie {
  /** The value in a Cookie header, else null. */
  read(cookieHeader: string | undefined): string | null;
  /** The Set-Cookie value; null takes the cookie away. */
  issue(value: string | null): string;
}

interface NoteCookieOptions {
  readonly name: string;
  readonly maxAgeS: number;
  /** Longer values are none. */
  readonly longest: number;
}

/** `secure` is on behind HTTPS, as for the session's cookie. Lax, since a link is followed from the mail program. */
function createNoteCookie({ name, maxAgeS, longest }: NoteCookieOptions, secure: boolean): NoteCookie {
  const fullName = secure ? `__Host-${name}` : name;
  const shared = { name: fullName, httpOnly: true, path: '/', sameSite: 'lax', secure } as const;
  return {
    read(header) {
      const value = header === undefined ? undefined : parseCookie(header)[fullName];
      return value !== undefined && value !== '' && value.length <= longest ? value : null;
    },
    issue: (value) => stringifySetCookie({ ...shared, value: value ?? '', maxAge: value === null ? 0 : maxAgeS }),
  };
}

/** Notes in a browser which mailed link was followed there. */
export function createLinkCookie(secure: boolean): NoteCookie {
  return createNoteCookie({ name: 'wardline_link', maxAgeS: 30 * 60, longest: 512 }, secure);
}

/** Notes on a device who has signed in there before; see features/auth/credentials/known-device.ts. */
export function createDeviceCookie(secure: boolean): NoteCookie {
  return createNoteCookie({ name: 'wardline_device', maxAgeS: 90 * 24 * 60 * 60, longest: 1024 }, secure);
}

/**
 * The two cookies of cookie mode, as Laravel Sanctum sets them: the session's (HttpOnly) and XSRF-TOKEN (readable, sent
 * back decoded in X-XSRF-TOKEN). The token is an HMAC of the session id, so it is bound to the session, changes with it,
 * and a guest needs no row in the database.
 */
export interface SessionCookies {
  /** The well-formed session id of a Cookie header, else null. */
  read(cookieHeader: string | undefined): string | null;
  /** Set-Cookie values for this session; `maxAgeS` null ends with the browser. A guest's token says so to the page. */
  issue(sessionId: string, options: { readonly maxAgeS: number | null; readonly isGuest: boolean }): string[];
  csrfToken(sessionId: string): string;
  isCsrfToken(sessionId: string, given: string): boolean;
  /** A sign-in or sign-out gave the browser another id than this one. */
  retire(sessionId: string): void;
  isRetired(sessionId: string): boolean;
}

export const XSRF_COOKIE = 'XSRF-TOKEN';
const XSRF_MAX_AGE_S = 2 * 60 * 60;
/** Answers that are under way when a session begins are far fewer. */
const RETIRED_KEPT = 20_000;
const SESSION_ID = /^[A-Za-z0-9_-]{43}$/;

export function newSessionId(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a session id or a token. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** `secure` is on behind HTTPS: the name then carries the `__Host-` prefix, which binds it to this host and path. */
export function createSessionCookies(key: Buffer, secure: boolean): SessionCookies {
  const name = secure ? '__Host-wardline_session' : 'wardline_session';
  const shared = { path: '/', sameSite: 'lax', secure } as const;
  const retired = new RecentlyUsed<string, true>(RETIRED_KEPT);
  const csrfToken = (sessionId: string) => createHmac('sha256', key).update(`csrf:${sessionId}`).digest('base64url');
  return {
    read(header) {
      const value = header === undefined ? undefined : parseCookie(header)[name];
      return value !== undefined && SESSION_ID.test(value) ? value : null;
    },
    issue(sessionId, { maxAgeS, isGuest }) {
      const age = maxAgeS === null ? {} : { maxAge: maxAgeS };
      const token = (isGuest ? GUEST_TOKEN : '') + csrfToken(sessionId);
      return [
        stringifySetCookie({ name, value: sessionId, httpOnly: true, ...shared, ...age }),
        stringifySetCookie({ name: XSRF_COOKIE, value: token, maxAge: XSRF_MAX_AGE_S, ...shared }),
      ];
    },
    csrfToken,
    isCsrfToken(sessionId, given) {
      const expected = Buffer.from(csrfToken(sessionId));
      // Whether the page took it for a guest's changes nothing about whose it is.
      const actual = Buffer.from(given.startsWith(GUEST_TOKEN) ? given.slice(GUEST_TOKEN.length) : given);
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
    retire: (sessionId) => retired.set(sessionId, true),
    isRetired: (sessionId) => retired.get(sessionId) === true,
  };
}
