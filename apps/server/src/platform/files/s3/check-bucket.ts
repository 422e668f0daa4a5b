import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { AppError } from '#/platform/http/app-error.ts';
import type { FileStore } from '../file-store.ts';
import { S3Error } from './s3-client.ts';

export interface BucketFault {
  readonly code: string;
  /** For the operator, and without any secret. */
  readonly message: string;
  /** The service may be back in a moment; otherwise the settings are wrong. */
  readonly isPassing: boolean;
}

/** Writes, reads, lists and removes a file, as the product will; null where all of it goes well. */
export async function findBucketFault(store: FileStore): Promise<BucketFault | null> {
  const name = `probe/${randomBytes(8).toString('hex')}.bin`;
  try {
    await store.put(name, Buffer.from('wardline'));
    const stream = await store.read(name, { start: 4, end: 7 });
    if (stream === null || String(await buffer(stream)) !== 'line')
      return mixedUp('what was written is read otherwise');
    let isListed = false;
    for await (const file of store.list('probe')) isListed ||= file.name === name;
    if (!isListed) return mixedUp('what was written is not listed');
    await store.remove(name);
    return (await store.size(name)) === null ? null : mixedUp('what was removed is still there');
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (!(cause instanceof S3Error)) throw error;
    return { code: cause.code, message: sentenceFor(cause), isPassing: cause.isPassing && !LASTING.has(cause.code) };
  }
}

const mixedUp = (message: string): BucketFault => ({ code: 'mixed up', message, isPassing: false });

const SENTENCES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no bucket of that name (S3_BUCKET).',
  InvalidAccessKeyId: 'it does not know this key (S3_ACCESS_KEY_ID).',
  SignatureDoesNotMatch: 'the signature is refused: S3_SECRET_ACCESS_KEY or S3_REGION is wrong.',
  AuthorizationHeaderMalformed: 'the bucket is in another region (S3_REGION).',
  PermanentRedirect: 'the bucket is at another endpoint or in another region (S3_ENDPOINT, S3_REGION).',
  AccessDenied: 'the key may not write, read, list and delete objects in this bucket under S3_PREFIX.',
  RequestTimeTooSkewed: 'the clock of this machine or of the storage is wrong by more than a quarter of an hour.',
  ENOTFOUND: 'there is no such host (S3_ENDPOINT, or S3_PATH_STYLE=true is needed).',
  EPROTO: 'it does not speak TLS as it should (S3_ENDPOINT).',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name (S3_ENDPOINT, or S3_PATH_STYLE=true is needed).',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody known signed its certificate: name the authority in NODE_EXTRA_CA_CERTS.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody known signed its certificate: name the authority in NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody known signed its certificate: name the authority in NODE_EXTRA_CA_CERTS.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
};
/** Of a connection, but not gone in a moment. */
const LASTING: ReadonlySet<string> = new Set(Object.keys(SENTENCES));

function sentenceFor({ code, message, status }: S3Error): string {
  return SENTENCES[code] ?? (status === null ? `it cannot be reached (${code}).` : `${message}.`);
}
