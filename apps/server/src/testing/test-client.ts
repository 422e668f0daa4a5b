import { parseSetCookie } from 'cookie';
import type { LightMyRequestResponse } from 'fastify';
import { createSessionCookies } from '#/platform/http/session-cookie.ts';
import { makeSession, TEST_PASSWORD } from './factories/users.ts';
import { TEST_APP_KEY, type TestServer } from './test-server.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface TestRequest {
  readonly body?: unknown;
  /** Given as null, a header of the client's own is left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly ip?: string;
}

/** Somebody at a browser, or with a bearer token: keeps the cookies and sends the CSRF token as our client does. */
export interface TestClient {
  readonly cookies: Map<string, string>;
  send(method: Method, url: string, request?: TestRequest): Promise<LightMyRequestResponse>;
}

export const SESSION_COOKIE = 'wardline_session';
const testCookies = createSessionCookies(Buffer.from(TEST_APP_KEY), false);

/** Somebody nobody knows yet. */
export function guest(server: TestServer): TestClient {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async send(method, url, { body, headers = {}, ip }: TestRequest = {}) {
      const given = { ...cookieHeaders(cookies), ...(body !== undefined && { 'content-type': 'application/json' }) };
      const response = await server.app.inject({
        method,
        url,
        headers: withoutNulls({ ...given, ...headers }),
        ...(body !== undefined && { payload: isRaw(body) ? body : JSON.stringify(body) }),
        ...(ip !== undefined && { remoteAddress: ip }),
      });
      keepCookies(cookies, response);
      return response;
    },
  };
}

/** A guest who has asked for the cookies. */
export async function guestWithCookies(server: TestServer): Promise<TestClient> {
  const client = guest(server);
  await client.send('GET', '/sanctum/csrf-cookie');
  return client;
}

/** A person with a session in which all was given that a sign-in can ask for, without having gone through it. */
export async function signedIn(server: TestServer, userId: string): Promise<TestClient> {
  return withSession(server, await makeSession(server.db, { userId, hasGivenFactor: true }));
}

/** A browser that holds this session id. */
export function withSession(server: TestServer, sessionId: string): TestClient {
  const client = guest(server);
  client.cookies.set(SESSION_COOKIE, sessionId);
  client.cookies.set('XSRF-TOKEN', testCookies.csrfToken(sessionId));
  return client;
}

/** Somebody who sends a bearer token and no cookie. */
export function withToken(server: TestServer, token: string): TestClient {
  const { send } = guest(server);
  return {
    cookies: new Map(),
    send: (method, url, request = {}) =>
      send(method, url, {
        ...request,
        headers: { authorization: `Bearer ${token}`, cookie: null, 'x-xsrf-token': null, ...request.headers },
      }),
  };
}

function isRaw(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function cookieHeaders(cookies: ReadonlyMap<string, string>): Record<string, string> {
  if (cookies.size === 0) return {};
  const token = cookies.get('XSRF-TOKEN');
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, ...(token !== undefined && { 'x-xsrf-token': token }) };
}

function keepCookies(cookies: Map<string, string>, response: LightMyRequestResponse): void {
  for (const line of [response.headers['set-cookie'] ?? []].flat()) {
    const { name, value } = parseSetCookie(line) ?? {};
    if (name !== undefined && value !== undefined) cookies.set(name, value);
  }
}

function withoutNulls(headers: Readonly<Record<string, string | null>>): Record<string, string> {
  const present = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(present);
}

export interface SignInOptions {
  readonly email?: string;
  readonly password?: string;
  readonly remember?: boolean;
  readonly ip?: string;
}

/** The sign-in form, with the test password and from an address that nobody else used, unless said otherwise. */
export function postLogin(client: TestClient, options: SignInOptions): Promise<LightMyRequestResponse> {
  const { email, password = TEST_PASSWORD, remember, ip = newAddress() } = options;
  return client.send('POST', '/login', { body: { email, password, ...(remember && { remember }) }, ip });
}

let lastNet = 0;

/** An address of its own, so that one test's tries are not counted in another's. */
export function newAddress(): string {
  lastNet++;
  return `10.${lastNet >> 8}.${lastNet & 255}.1`;
}

/** 200 for somebody who is signed in, 401 for nobody. */
export async function statusOf(client: TestClient): Promise<number> {
  return (await client.send('GET', '/api/user')).statusCode;
}

/** The audit entries of an action by a person, the newest first; null is for those that name nobody. */
export function auditOf({ db }: TestServer, action: string, actorId: string | null) {
  return db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', '=', action)
    .where('actor_id', actorId === null ? 'is' : '=', actorId)
    .orderBy('id', 'desc')
    .execute();
}

/** All that the audit says somebody did, in order: what, in which facility, to what, how it went, and in detail. */
export function actsOf({ db }: TestServer, actorId: string) {
  return db
    .selectFrom('audit_entries')
    .select(['action', 'facility_id', 'object_type', 'object_id', 'outcome', 'detail'])
    .where('actor_id', '=', actorId)
    .orderBy('id')
    .execute();
}

/** One of them as it is expected: done, and in no facility, unless said otherwise. */
export function audited(action: string, [object_type, object_id]: readonly [string, string] | [], more: object = {}) {
  const object = { object_type: object_type ?? null, object_id: object_id ?? null };
  return { action, facility_id: null, ...object, outcome: 'done', detail: null, ...more };
}
