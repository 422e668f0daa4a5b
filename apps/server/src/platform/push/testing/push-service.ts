import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import http from 'node:http';
import type https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { OutboundWorld } from '#/platform/http/outbound.ts';

/** What a browser gives away of its subscription, as `PushSubscription.toJSON` has it. */
export interface TestSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

export interface ReceivedPush {
  readonly endpoint: string;
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string | null;
  /** What only the browser can read. */
  readonly payload: unknown;
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
}

type Answer = number | { readonly status: number; readonly headers?: Record<string, string> } | 'silence';

export interface TestPushService {
  readonly origin: string;
  readonly received: readonly ReceivedPush[];
  /** For createPushSender: every push service of the Internet is this one. */
  readonly world: OutboundWorld;
  subscribe(): TestSubscription;
  /** What is answered from now on; 201 at first. */
  answer(next: Answer): void;
  close(): Promise<void>;
}

const ORIGIN = 'https://updates.push.services.mozilla.com';

/**
 * A push service as RFC 8030, 8291 and 8292 have it: refuses what has no TTL, no valid token of the key that the browser
 * subscribed with, too much text, or nothing that the browser can decrypt.
 */
export async function startPushService(publicKey: () => string): Promise<TestPushService> {
  const received: ReceivedPush[] = [];
  const browsers = new Map<string, { privateKey: Buffer; auth: Buffer }>();
  let next: Answer = 201;
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (next === 'silence') return;
    const browser = browsers.get(request.url ?? '');
    const claims = readToken(request.headers.authorization ?? '', publicKey());
    const refusal = refusalOf(request.headers, body);
    const status = browser && claims ? (refusal ?? statusOf(next)) : browser ? 403 : 404;
    if (status === 201 && browser && claims) {
      const payload: unknown = JSON.parse(decryptPayload(body, browser));
      received.push({ endpoint: `${ORIGIN}${request.url}`, ...readHeaders(request.headers), payload, claims });
    }
    response.writeHead(status, typeof next === 'object' ? next.headers : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const request = (url: URL, options: http.RequestOptions) =>
    http.request({ ...options, host: '127.0.0.1', port, path: url.pathname, lookup: undefined });
  return {
    origin: ORIGIN,
    received,
    world: { request: request as typeof https.request, resolve: async () => [], isPublic: () => true },
    subscribe() {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const [auth, path] = [randomBytes(16), `/wpush/v2/${randomBytes(12).toString('hex')}`];
      browsers.set(path, { privateKey: ecdh.getPrivateKey(), auth });
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
      return { endpoint: `${ORIGIN}${path}`, keys };
    },
    answer: (given) => {
      next = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function statusOf(answer: Exclude<Answer, 'silence'>): number {
  return typeof answer === 'number' ? answer : answer.status;
}

/** What every push service refuses (RFC 8030, 5.2; RFC 8291, 4). */
function refusalOf(headers: http.IncomingHttpHeaders, body: Buffer): number | null {
  if (body.length > 4096) return 413;
  const isWhole = headers['ttl'] !== undefined && headers['content-encoding'] === 'aes128gcm';
  return isWhole && /^[\w-]{0,32}$/.test(String(headers['topic'] ?? '')) ? null : 400;
}

function readHeaders(headers: http.IncomingHttpHeaders): Pick<ReceivedPush, 'ttl' | 'urgency' | 'topic'> {
  const topic = headers['topic'] === undefined ? null : String(headers['topic']);
  return { ttl: Number(headers['ttl']), urgency: String(headers['urgency']), topic };
}

/** What the browser reads of a push message (RFC 8291). Throws where it is not for it. */
export function decryptPayload(body: Buffer, { privateKey, auth }: { privateKey: Buffer; auth: Buffer }): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const context = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, context, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.findLastIndex((byte) => byte !== 0);
  if (plain[end] !== 2) throw new Error('the last record ends with 2');
  return plain.subarray(0, end).toString();
}

/** The claims of a VAPID token that was signed with this key and has not expired; null otherwise. */
function readToken(authorization: string, publicKey: string): ReceivedPush['claims'] | null {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (key !== publicKey) return null;
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const jwk = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const signed = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    'sha256',
    signed,
    { key: jwk, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as ReceivedPush['claims'];
  const leftS = said.exp - Date.now() / 1000;
  return isSigned && said.aud === ORIGIN && leftS > 0 && leftS <= 86_400 ? said : null;
}
