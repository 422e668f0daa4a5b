import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key, private (PKCS #8) and public (SubjectPublicKeyInfo). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

export interface RecordSigner {
  /** 32 bytes, in hexadecimal: what somebody needs to verify, and nothing more. */
  readonly publicKey: string;
  sign(manifest: Buffer): Buffer;
}

/** The key of the installation for its exports; whoever has only the archive and the public half can verify and not sign. */
export function createRecordSigner(appKey: Buffer): RecordSigner {
  const seed = deriveKey(appKey, 'record signature');
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: bytesOf(createPublicKey(key)).toString('hex'),
    sign: (manifest) => sign(null, manifest, key),
  };
}

export function isSigned(manifest: Buffer, signature: Buffer, publicKey: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(publicKey)) return false;
  const der = Buffer.concat([PUBLIC_HEAD, Buffer.from(publicKey, 'hex')]);
  return verify(null, manifest, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

function bytesOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length);
}
