import { parseCookie, stringifySetCookie } from 'cookie';

/** Notes in a browser which mailed link was followed there. Its value is whatever the feature that mails links gave. */
export interface LinkCookie {
  /** The value in a Cookie header, else null. */
  read(cookieHeader: string | undefined): string | null;
  /** The Set-Cookie value; null takes the cookie away. */
  issue(value: string | null): string;
}

const MAX_AGE_S = 30 * 60;
const LONGEST = 512;

/** `secure` is on behind HTTPS, as for the session's cookie. Lax, since the link is followed from the mail program. */
export function createLinkCookie(secure: boolean): LinkCookie {
  const name = secure ? '__Host-wardline_link' : 'wardline_link';
  const shared = { name, httpOnly: true, path: '/', sameSite: 'lax', secure } as const;
  return {
    read(header) {
      const value = header === undefined ? undefined : parseCookie(header)[name];
      return value !== undefined && value !== '' && value.length <= LONGEST ? value : null;
    },
    issue: (value) => stringifySetCookie({ ...shared, value: value ?? '', maxAge: value === null ? 0 : MAX_AGE_S }),
  };
}
