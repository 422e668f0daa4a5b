import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { createSeal } from '#/platform/config/seal.ts';

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
const PERIOD_S = 30;
/** Clocks of phones are off, and typing takes a while. */
const WINDOW = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

export function createTotp({ appKey, productName, now = Date.now }: TotpOptions): Totp {
  const { seal, open: openSealed } = createSeal(deriveKey(appKey, 'totp secret'));
  const open = (userId: string, sealed: Buffer): Secret =>
    new Secret({ buffer: new Uint8Array(openSealed(userId, sealed)).buffer });

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
