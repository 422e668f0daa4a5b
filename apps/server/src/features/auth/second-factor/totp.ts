import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { deriveKey } from '#/platform/config/derive-key.ts';

/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 s), and how their secrets are kept. */
export interface Totp {
  /** The secret of this person as it is stored. */
  seal(userId: string, secret: Uint8Array): Buffer;
  /** The secret as people type it in, in base32. */
  secretKey(userId: string, sealed: Buffer): string;
  /** What an app reads from the picture. */
  address(userId: string, sealed: Buffer, account: string): string;
  /** The step that a code is of: now's, the one before or the one after. Null for a wrong code. */
  stepOf(userId: string, sealed: Buffer, code: string): number | null;
}

interface TotpOptions {
  readonly appKey: Buffer;
  readonly productName: string;
  readonly now?: () => number;
}

const SECRET_BYTES = 20;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PERIOD_S = 30;
/** Clocks of phones are off, and typing takes a while. */
const WINDOW = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

export function createTotp({ appKey, productName, now = Date.now }: TotpOptions): Totp {
  const key = deriveKey(appKey, 'totp secret');

  // The person is part of what is sealed: a row copied to another account opens nothing there.
  function seal(userId: string, secret: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(userId));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  function open(userId: string, sealed: Buffer): Secret {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(userId))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return new Secret({ buffer: new Uint8Array(text).buffer });
  }

  return {
    seal,
    secretKey: (userId, sealed) => open(userId, sealed).base32,
    address: (userId, sealed, account) =>
      new TOTP({ issuer: productName, label: account, secret: open(userId, sealed), period: PERIOD_S }).toString(),
    stepOf(userId, sealed, code) {
      const token = code.replaceAll(/[\s-]/g, '');
      if (!/^\d{6}$/.test(token)) return null;
      const timestamp = now();
      const totp = new TOTP({ secret: open(userId, sealed), period: PERIOD_S });
      const delta = totp.validate({ token, timestamp, window: WINDOW });
      return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
    },
  };
}
