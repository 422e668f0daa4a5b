import { isIP } from 'node:net';

/** For whom passkeys are made, and on which pages they are used. */
export interface RelyingParty {
  /** The host that a passkey is bound to for ever. */
  readonly id: string;
  readonly origin: string;
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * From the address that people use. Browsers bind passkeys to names, not to numbers: on one's own machine that is `localhost`.
 * Null where they give none: without HTTPS, or under a number.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin, port, protocol } = new URL(publicUrl);
  if (LOOPBACK.has(hostname)) {
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
  }
  const isName = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0;
  return protocol === 'https:' && isName ? { id: hostname, origin } : null;
}
