import { AwsV4Signer } from 'aws4fetch';
import type { S3Credentials } from '#/platform/config/s3-settings.ts';

interface RequestToSign {
  readonly method: string;
  readonly url: URL;
  /** All of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body, in hex. */
  readonly sha256: string;
}

/**
 * The headers of a request to S3 with its signature (AWS Signature Version 4). What is sent is bound to it: method, address, each
 * header given, and the body by its hash. `datetime` is for the published examples.
 */
export async function signRequest(
  { method, url, headers, sha256 }: RequestToSign,
  credentials: S3Credentials,
  datetime?: string,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    ...{ ...credentials, service: 's3', method, url: url.href, allHeaders: true },
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    ...(datetime && { datetime }),
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers.entries());
}
