import { randomBytes } from 'node:crypto';
import type { Exchange } from './exchange.ts';

/** A row of Laravel's session store. */
export interface Session {
  id: string;
  /** What X-XSRF-TOKEN must say, decrypted. */
  token: string;
  userId: string | null;
}

const TWO_HOURS_S = 7200;
const SESSION_COOKIE = 'laravel_session';

/** Sessions as StartSession, EncryptCookies and ValidateCsrfToken keep them. */
export interface Sessions {
  open(exchange: Exchange): Session;
  /** The cookies again, on every answer; their texts differ each time, since each is encrypted anew. */
  issue(exchange: Exchange, session: Session, which?: 'both' | 'session only'): void;
  /** The cookie of somebody who asked to be remembered. */
  remember(exchange: Exchange): void;
  hasToken(exchange: Exchange, session: Session): boolean;
  /** A new id and token, as after a sign-in. */
  regenerate(session: Session, userId: string | null): void;
  /** Ends every session of everybody, as a restart with an empty store does. */
  flush(): void;
}

export function createSessions(): Sessions {
  let rows = new Map<string, Session>();
  const make = (): Session => {
    const session = { id: random(), token: random(), userId: null };
    rows.set(session.id, session);
    return session;
  };
  return {
    open: (exchange) => rows.get(decrypt(exchange.cookies.get(SESSION_COOKIE) ?? '')) ?? make(),
    issue(exchange, session, which = 'both') {
      const age = `Max-Age=${TWO_HOURS_S}; path=/; samesite=lax`;
      if (which === 'both') exchange.setCookie(`XSRF-TOKEN=${encodeURIComponent(encrypt(session.token))}; ${age}`);
      exchange.setCookie(`${SESSION_COOKIE}=${encodeURIComponent(encrypt(session.id))}; ${age}; httponly`);
    },
    remember: (exchange) =>
      exchange.setCookie(`remember_web_${random()}=${random()}; Max-Age=34560000; path=/; httponly; samesite=lax`),
    hasToken: (exchange, session) => decrypt(exchange.header('x-xsrf-token'), false) === session.token,
    regenerate(session, userId) {
      rows.delete(session.id);
      Object.assign(session, { id: random(), token: random(), userId });
      rows.set(session.id, session);
    },
    flush() {
      rows = new Map();
    },
  };
}

function random(): string {
  return randomBytes(20).toString('hex');
}

/** The form of Laravel's encrypter (base64 of JSON); nothing here is secret. */
function encrypt(value: string): string {
  return Buffer.from(JSON.stringify({ iv: random(), value, mac: random(), tag: '' })).toString('base64');
}

/** Cookies come as the browser was given them, URL-encoded; a header must be decoded by the client. */
function decrypt(text: string, isEncoded = true): string {
  try {
    const plain = isEncoded ? decodeURIComponent(text) : text;
    return JSON.parse(Buffer.from(plain, 'base64').toString('utf8')).value;
  } catch {
    return '';
  }
}
