import { createECDH, createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { isPrivateKey } from '#/platform/config/push-format.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';

/** This installation as push services know it (RFC 8292). */
export interface Vapid {
  /** What browsers subscribe with: base64url of the uncompressed point. */
  readonly publicKey: string;
  /** The value of `Authorization` for a push service. */
  authorization(endpoint: URL): string;
}

interface VapidDeps {
  /** Whom a push service writes to if something is wrong: `mailto:` or an https address. */
  readonly contact: string;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** Services refuse more than 24 hours. */
const LIFETIME_S = 12 * 60 * 60;
const RENEWED_BEFORE_S = 60 * 60;

/**
 * The private key of the settings (32 bytes in base64url), or one made of the app key: the same in every server process, and
 * after every restart, without anything to be stored.
 */
export function readVapidKey(appKey: Buffer, configured: string | null): Buffer {
  if (configured !== null) return Buffer.from(configured, 'base64url');
  let key = deriveKey(appKey, 'push services');
  // One in four thousand million values is past the curve's order.
  while (!isPrivateKey(key)) key = createHash('sha256').update(key).digest();
  return key;
}

export function createVapid(privateKey: Buffer, { contact, now = Date.now }: VapidDeps): Vapid {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  const point = ecdh.getPublicKey();
  const publicKey = point.toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256', d: privateKey.toString('base64url') },
      ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
    },
  });
  const tokens = new RecentlyUsed<string, { token: string; expiresAt: number }>(100);
  return {
    publicKey,
    authorization({ origin }) {
      const nowS = Math.floor(now() / 1000);
      let known = tokens.get(origin);
      if (!known || known.expiresAt - nowS < RENEWED_BEFORE_S) {
        const expiresAt = nowS + LIFETIME_S;
        known = { token: signToken(key, { aud: origin, exp: expiresAt, sub: contact }), expiresAt };
        tokens.set(origin, known);
      }
      return `vapid t=${known.token}, k=${publicKey}`;
    },
  };
}

/** A JSON web token, ES256. */
function signToken(key: KeyObject, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
