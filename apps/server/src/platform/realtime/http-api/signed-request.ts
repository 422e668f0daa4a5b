import { createHmac, hash } from 'node:crypto';
import { type AppKey, isSame } from '#/platform/realtime/protocol/signature.ts';
import { HttpApiError } from './http-api-error.ts';

/** A signed request is good for so long before and after its time; within it the same one may come again. */
const WINDOW_S = 600;

/** A request whose signature is right. That says nothing of its body yet, but for `bodyMd5`. */
export interface SignedRequest {
  readonly query: ReadonlyMap<string, string>;
}

/**
 * Reads the query of a request and checks that whoever has the secret made it lately, for this method and path. `url` is as it was
 * sent. Throws 401. The body need not be there yet: what it must be is in the signed query.
 */
export function verifyRequest(app: AppKey, method: string, url: string, nowMs: number): SignedRequest {
  const [path = '', queryText = ''] = url.split('?', 2);
  const query = readQuery(queryText);
  if (query.get('auth_key') !== app.key) throw new HttpApiError(401, 'There is no application with this auth_key.');
  if (query.get('auth_version') !== '1.0') throw new HttpApiError(401, 'auth_version must be 1.0.');
  const at = query.get('auth_timestamp') ?? '';
  if (!/^\d{1,12}$/.test(at) || Math.abs(nowMs / 1_000 - Number(at)) > WINDOW_S) {
    throw new HttpApiError(401, `auth_timestamp must be within ${WINDOW_S} seconds of the server's clock.`);
  }
  if (!isSame(query.get('auth_signature') ?? '', signRequest(app.secret, { method, path, query }))) {
    throw new HttpApiError(401, 'auth_signature is wrong.');
  }
  return { query };
}

/** Throws 401 where this is not the body that the request was signed with. */
export function verifyBody({ query }: SignedRequest, body: Buffer): void {
  const given = query.get('body_md5');
  // A request without a body may say nothing of it.
  if (given === undefined && body.length === 0) return;
  if (!isSame(given ?? '', hash('md5', body, 'hex'))) {
    throw new HttpApiError(401, 'body_md5 is not that of the body.');
  }
}

interface Signed {
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

function signRequest(secret: string, { method, path, query }: Signed): string {
  const names = [...query.keys()].filter((name) => name !== 'auth_signature').sort();
  const text = names.map((name) => `${name}=${query.get(name)}`).join('&');
  return createHmac('sha256', secret).update(`${method}\n${path}\n${text}`).digest('hex');
}

/** Names in small letters, as they are signed. One that stands twice would be read in two ways. */
function readQuery(text: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const part of text.split('&')) {
    const middle = part.indexOf('=');
    if (middle < 1) continue;
    const name = decode(part.slice(0, middle)).toLowerCase();
    if (query.has(name)) throw new HttpApiError(401, 'A parameter stands twice.');
    query.set(name, decode(part.slice(middle + 1)));
  }
  return query;
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new HttpApiError(401, 'The query cannot be decoded.');
  }
}
