import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** Where a browser reads what is sent to it: its public key (uncompressed P-256 point) and its secret. */
export interface PushKeys {
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

/** Fixed for the published vector in the test. */
interface EncryptionInput {
  readonly privateKey: Buffer;
  readonly salt: Buffer;
  readonly paddedBytes: number;
}

/** All payloads are padded to it, so that the size tells nothing. */
const PADDED_BYTES = 256;
const RECORD_BYTES = 4096;

/**
 * A push message as RFC 8291 has it (`aes128gcm` of RFC 8188, one record): readable by nobody but the browser. Throws where the
 * browser's key is no point of the curve.
 */
export function encryptPayload(text: string, keys: PushKeys, given?: EncryptionInput): Buffer {
  const ecdh = createECDH('prime256v1');
  if (given) ecdh.setPrivateKey(given.privateKey);
  else ecdh.generateKeys();
  const salt = given?.salt ?? randomBytes(16);
  const publicKey = ecdh.getPublicKey();
  const context = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, publicKey]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(keys.p256dh), keys.auth, context, 32));
  const contentKey = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const plain = Buffer.from(text);
  // The last record ends with 2, then zeros.
  const padding = Buffer.alloc(Math.max(1, (given?.paddedBytes ?? PADDED_BYTES) - plain.length));
  padding[0] = 2;
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const sealed = Buffer.concat([cipher.update(plain), cipher.update(padding), cipher.final(), cipher.getAuthTag()]);
  const head = Buffer.alloc(21);
  salt.copy(head);
  head.writeUInt32BE(RECORD_BYTES, 16);
  head.writeUInt8(publicKey.length, 20);
  return Buffer.concat([head, publicKey, sealed]);
}

/** Whether these are the keys of a browser: a point of the curve, not only as many bytes. */
export function areUsableKeys({ p256dh, auth }: PushKeys): boolean {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(p256dh);
    return p256dh.length === 65 && auth.length === 16;
  } catch {
    return false;
  }
}
