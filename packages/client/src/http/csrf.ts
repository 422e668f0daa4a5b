import type { ClientConfig } from '@wardline/contract/config.ts';
import type { Log } from '#/log.ts';

interface CsrfDeps {
  readonly config: ClientConfig;
  readonly log: Log;
  /** The page's cookies, as document.cookie gives them. */
  readonly readCookies: () => string;
  /** GETs the csrf endpoint; rejects when that fails. */
  readonly fetchCookie: () => Promise<unknown>;
}

export interface Csrf {
  /** The header a write carries, or null when the cookie is still missing (a warning was logged). */
  header(): Promise<{ name: string; value: string } | null>;
  /** Fetches the cookie anew even when there is one; those who ask meanwhile share the answer. */
  renew(): Promise<void>;
}

/** The CSRF side of cookie mode (HTTP-3). Calls at the same time share one fetch of the cookie. */
export function createCsrf({ config, log, readCookies, fetchCookie }: CsrfDeps): Csrf {
  let fetching: Promise<void> | null = null;
  const renew = (): Promise<void> => {
    fetching ??= fetchCookie()
      .then(() => undefined)
      .finally(() => {
        fetching = null;
      });
    return fetching;
  };
  return {
    renew,
    async header() {
      const { cookie, header } = config.csrf;
      let value = readCookie(readCookies(), cookie);
      if (value === null) {
        await renew();
        value = readCookie(readCookies(), cookie);
      }
      if (value !== null) return { name: header, value };
      log.warn(`${cookie} cookie is missing, unable to set ${header} header`);
      return null;
    },
  };
}

/** A cookie's decoded value, the raw text where it cannot be decoded, null when missing or empty. The first of two wins. */
export function readCookie(cookies: string, name: string): string | null {
  for (const pair of cookies.split(';')) {
    const [key = '', ...rest] = pair.trim().split('=');
    if (key !== name) continue;
    const raw = rest.join('=').replace(/^"(.*)"$/, '$1');
    if (raw === '') return null;
    try {
      return decodeURIComponent(raw);
    } catch {
      return raw;
    }
  }
  return null;
}
