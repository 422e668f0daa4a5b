import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '#/platform/config/s3-settings.ts';

// What S3 does with a bucket, as far as it is asked here, and as strictly: every signature and every hash of a body is computed anew.

interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly sha256: string | undefined;
  readonly modifiedAt: Date;
}

/**
 * `status`: answers so with the code, and does nothing. `lost`: does it, and ends the connection without an answer. `truncated`: ends
 * the connection in the middle of the body. `silent`: never answers. `late failure`: an error with status 200.
 */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly code: string }
  | { readonly kind: 'lost' | 'refused' | 'truncated' | 'silent' | 'late failure' };

export interface FakeS3 {
  readonly settings: S3Settings;
  readonly objects: Map<string, StoredObject>;
  /** Uploads of parts that were begun and not ended. */
  readonly uploads: ReadonlyMap<string, unknown>;
  /** `METHOD name?query` of each request, as it came. */
  readonly asked: string[];
  /** How long the largest body was. */
  largestBody(): number;
  /** The next requests whose `METHOD name?query` fits fail so, one fault each. */
  fail(fits: RegExp, ...faults: Fault[]): void;
  close(): Promise<void>;
}

const CREDENTIALS = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a secret of the tests', region: 'eu-test-1' };
const BUCKET = 'ward-files';

export async function startFakeS3({ pageSize = 3, prefix = 'ours/' } = {}): Promise<FakeS3> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const asked: string[] = [];
  const faults: { readonly fits: RegExp; readonly fault: Fault }[] = [];
  let largest = 0;

  const answerAs = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    largest = Math.max(largest, body.length);
    const url = new URL(request.url ?? '/', 'http://here');
    const name = decodeURIComponent(url.pathname).slice(`/${BUCKET}/`.length);
    const label = `${request.method} ${name}${url.search}`;
    asked.push(label);
    const at = faults.findIndex(({ fits }) => fits.test(label));
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'refused') return void request.socket.destroy();
    if (fault?.kind === 'status') return refuse(response, fault.status, fault.code);
    const wrong = findWrong(request, url, body);
    if (wrong !== null) return refuse(response, 403, wrong);
    if (!url.pathname.startsWith(`/${BUCKET}/`)) return refuse(response, 404, 'NoSuchBucket');
    const bucket = { objects, uploads, pageSize };
    const answer = bucketAnswer(bucket, { request, name, query: url.searchParams, body });
    if (fault?.kind === 'lost') return void request.socket.destroy();
    if (fault?.kind === 'late failure') return refuse(response, 200, 'InternalError');
    response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.length ?? answer.body.length });
    if (fault?.kind !== 'truncated') return void response.end(answer.body);
    response.write(answer.body.subarray(0, Math.ceil(answer.body.length / 2)), () => request.socket.destroy());
  };
  const server = createServer((request, response) => {
    answerAs(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { ...CREDENTIALS, endpoint, bucket: BUCKET, pathStyle: true, prefix },
    ...{ objects, uploads, asked },
    largestBody: () => largest,
    fail: (fits, ...given) => void faults.push(...given.map((fault) => ({ fits, fault }))),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

const sha256 = (of: string | Buffer) => createHash('sha256').update(of).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** By what the service says of itself (AWS Signature Version 4), not by the code that signs; null where all is right. */
function findWrong({ method, headers }: IncomingMessage, url: URL, body: Buffer): string | null {
  const said = headers['x-amz-content-sha256'];
  if (said !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, keyId, day = '', region = '', names = '', signature] = pattern.exec(headers.authorization ?? '') ?? [];
  if (keyId !== CREDENTIALS.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== CREDENTIALS.region) return 'AuthorizationHeaderMalformed';
  const signed = names.split(';');
  const mustBe = Object.keys(headers).filter(
    (name) => name === 'host' || name === 'range' || name.startsWith('x-amz-'),
  );
  if (!mustBe.every((name) => signed.includes(name))) return 'AccessDenied';
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < 15 * 60_000)) return 'RequestTimeTooSkewed';
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  const path = decodeURIComponent(url.pathname).split('/').map(encode).join('/');
  const query = [...url.searchParams].map((pair) => pair.map(encode).join('=')).sort();
  const canonical = [
    ...[method, path, query.join('&')],
    ...[...signed.map((name) => `${name}:${String(headers[name]).trim()}`), ''],
    ...[names, said],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${CREDENTIALS.secretAccessKey}`);
  const right = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  return right === signature ? null : 'SignatureDoesNotMatch';
}

interface Bucket {
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, Map<number, Buffer>>;
  readonly pageSize: number;
}

interface Asked {
  readonly request: IncomingMessage;
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Where it says another length than it has: an answer to HEAD. */
  readonly length?: number;
}

const xml = (text: string, status = 200): Answer => ({ status, headers: {}, body: Buffer.from(text) });
const error = (status: number, code: string) => xml(`<Error><Code>${code}</Code></Error>`, status);

function bucketAnswer(bucket: Bucket, { request, name, query, body }: Asked): Answer {
  const { objects, uploads } = bucket;
  const uploadId = query.get('uploadId');
  if (request.method === 'POST' && query.has('uploads')) {
    const id = randomBytes(8).toString('hex');
    uploads.set(id, new Map());
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (uploadId !== null) return partsAnswer(bucket, { request, name, query, body });
  if (request.method === 'PUT') {
    const meta = request.headers['x-amz-meta-sha256'];
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    objects.set(name, { body, etag, sha256: meta === undefined ? undefined : String(meta), modifiedAt: new Date() });
    return { ...xml(''), headers: { etag } };
  }
  if (request.method === 'DELETE') {
    objects.delete(name);
    return xml('', 204);
  }
  if (name === '' || query.has('list-type')) return listAnswer(bucket, query);
  return objectAnswer(objects.get(name), request);
}

function partsAnswer({ objects, uploads }: Bucket, { request, name, query, body }: Asked): Answer {
  const id = query.get('uploadId') ?? '';
  const parts = uploads.get(id);
  if (parts === undefined) return error(404, 'NoSuchUpload');
  if (request.method === 'PUT') {
    parts.set(Number(query.get('partNumber')), body);
    return { ...xml(''), headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } };
  }
  uploads.delete(id);
  if (request.method === 'DELETE') return xml('', 204);
  const named = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;([0-9a-f]{32})&quot;/g)];
  const bodies = named.map(([, number, etag]) => {
    const part = parts.get(Number(number));
    return part !== undefined && createHash('md5').update(part).digest('hex') === etag ? part : null;
  });
  const isRight =
    bodies.length > 0 &&
    bodies.every((part, index) => part !== null && (index === bodies.length - 1 || part.length >= 5 * 1024 * 1024));
  if (!isRight) return error(400, 'InvalidPart');
  const etag = `"${randomBytes(16).toString('hex')}-${bodies.length}"`;
  const whole = Buffer.concat(bodies.flatMap((part) => part ?? []));
  objects.set(name, { body: whole, etag, sha256: undefined, modifiedAt: new Date() });
  return xml('<CompleteMultipartUploadResult/>');
}

function listAnswer({ objects, pageSize }: Bucket, query: URLSearchParams): Answer {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const entries = page.map((key) => {
    const object = objects.get(key);
    return `<Contents><Key>${key}</Key><LastModified>${object?.modifiedAt.toISOString()}</LastModified><Size>${object?.body.length}</Size></Contents>`;
  });
  const isMore = keys.length > page.length;
  const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return xml(`<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`);
}

function objectAnswer(found: StoredObject | undefined, { method, headers }: IncomingMessage): Answer {
  if (found === undefined) return method === 'HEAD' ? xml('', 404) : error(404, 'NoSuchKey');
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== found.etag) return error(412, 'PreconditionFailed');
  const told = { etag: found.etag, ...(found.sha256 && { 'x-amz-meta-sha256': found.sha256 }) };
  if (method === 'HEAD') return { status: 200, headers: told, body: Buffer.alloc(0), length: found.body.length };
  const [, from, to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined) return { status: 200, headers: told, body: found.body };
  if (Number(from) >= found.body.length) return error(416, 'InvalidRange');
  return {
    status: 206,
    headers: told,
    body: found.body.subarray(Number(from), to === '' ? undefined : Number(to) + 1),
  };
}
