import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type Purpose } from '#/platform/config/derive-key.ts';
import { AppError } from './app-error.ts';

/** What the query of a signed address says. */
export interface AddressSignature {
  /** Names the session or token for which it was signed; it cannot be signed in with. */
  readonly holder: string;
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

/** Signs addresses of pictures and files for pages that ask for them without a cookie or token. */
export interface AddressSignatures {
  /** The address, which has no query yet, for the session or token of this key. */
  sign(address: string, key: string): string;
  /** For whom this address was signed. Throws where it was not signed here, or is late. */
  keyOf(address: string, signature: AddressSignature): string;
}

/** Long enough for a page to begin loading its pictures (A19). */
export const SIGNED_FOR_S = 60;

const QUERY = /^holder=([0-9a-f]{64})&expires=(\d{1,12})&signature=([\w-]{43})$/;

export function createAddressSignatures(appKey: Buffer, purpose: Purpose, now = () => Date.now()): AddressSignatures {
  const key = deriveKey(appKey, purpose);
  // Path and modifiers are of the address, so that neither another picture nor another size is had by it.
  const hmac = (address: string, { holder, expires }: Pick<AddressSignature, 'holder' | 'expires'>) =>
    createHmac('sha256', key).update(`${address}?holder=${holder}&expires=${expires}`).digest('base64url');
  return {
    sign(address, holder) {
      const expires = String(Math.floor(now() / 1000) + SIGNED_FOR_S);
      const signature = hmac(address, { holder, expires });
      return `${address}?holder=${holder}&expires=${expires}&signature=${signature}`;
    },
    keyOf(address, signed) {
      const isOurs = timingSafeEqual(Buffer.from(signed.signature), Buffer.from(hmac(address, signed)));
      if (!isOurs || Number(signed.expires) * 1000 <= now()) throw invalid();
      return signed.holder;
    },
  };
}

/** Reads the query of a signed address. One of any other form is 400. */
export function readSignature(query: string): AddressSignature {
  const [, holder, expires, signature] = QUERY.exec(query) ?? [];
  if (holder === undefined || expires === undefined || signature === undefined) {
    throw new AppError('bad_request', { message: 'This is not the path of a picture.' });
  }
  return { holder, expires, signature };
}

function invalid(): AppError {
  return new AppError('forbidden', { message: 'Invalid signature.' });
}
