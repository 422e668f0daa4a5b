import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeResetLink } from '#/testing/factories/accounts.ts';
import { makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { LARAVEL_ANSWERS, type LaravelAnswer, type LaravelCase } from '#/testing/laravel-answers.ts';
import { multipart } from '#/testing/multipart.ts';
import {
  guest,
  guestWithCookies,
  newAddress,
  SESSION_COOKIE,
  signedIn,
  type TestClient,
  type TestRequest,
  withToken,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

/** A page of the client, where it is served from elsewhere. */
const PAGE = 'https://client.example';
const FOREIGN = 'https://evil.example';

let server: TestServer;
let bo: { readonly id: string; readonly email: string };
beforeAll(async () => {
  server = await startTestServer({ clientOrigins: [PAGE] });
  const passwordHash = await testPasswordHash(TEST_APP_KEY);
  bo = await makeUser(server.db, { name: 'Bo Lind', email: 'bo@ward.test', passwordHash });
});
afterAll(() => server.close());

type Ask = () => Promise<LightMyRequestResponse>;

interface Row {
  readonly ask: Ask;
  /** What our answer has otherwise, and why. */
  readonly ours?: { readonly [Part in keyof LaravelAnswer]?: LaravelAnswer[Part] | undefined };
  readonly why?: string;
}

const html = { accept: 'text/html,application/xhtml+xml' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const right = { email: 'bo@ward.test', password: TEST_PASSWORD };
const wrong = { email: 'bo@ward.test', password: 'wrong horse' };
const broadcast = { socket_id: '1.1', channel_name: 'private-App.Models.User.01970000-0000-7000-8000-000000000009' };
const bareToken = { 'x-xsrf-token': null };

/** Everybody from an address of their own: how many tries are left is the same in each row. */
const by =
  (client: () => TestClient | Promise<TestClient>) =>
  (method: Parameters<TestClient['send']>[0], url: string, request: TestRequest = {}): Ask =>
  async () =>
    (await client()).send(method, url, { ip: newAddress(), ...request });
const nobody = by(() => guest(server));
const visitor = by(() => guestWithCookies(server));
const person = by(() => signedIn(server, bo.id));
const login = (body: unknown, headers: TestRequest['headers'] = {}) => visitor('POST', '/login', { body, headers });
const inject =
  (method: 'HEAD' | 'OPTIONS', url: string, headers: Record<string, string> = {}): Ask =>
  () =>
    server.app.inject({ method, url, headers });

async function bearer(): Promise<string> {
  const body = { ...right, device_name: 'phone' };
  const { token } = (await guest(server).send('POST', '/api/tokens', { body, ip: newAddress() })).json();
  return token as string;
}
const withBearer =
  (request: TestRequest): Ask =>
  async () => {
    const authorization = (request.headers?.['authorization'] ?? 'Bearer {token}').replace('{token}', await bearer());
    return withToken(server, '').send('GET', '/api/user', { headers: { ...request.headers, authorization } });
  };

/** A session that ended on the server while its cookies stayed in the browser. */
async function ended(): Promise<TestClient> {
  const { id } = await makeUser(server.db);
  const client = await signedIn(server, id);
  await server.db.deleteFrom('sessions').where('user_id', '=', id).execute();
  return client;
}

async function signedOut(): Promise<TestClient> {
  const client = await signedIn(server, bo.id);
  const kept = new Map(client.cookies);
  await client.send('POST', '/logout');
  for (const [name, value] of kept) client.cookies.set(name, value);
  return client;
}

const json = { why: 'answers JSON whatever is accepted: nothing leads a program to a page' };
const JSON_401 = { status: 401, body: { message: 'Unauthenticated.' } } as const;
const fortify = {
  ours: { status: 200, body: { two_factor: false } },
  why: 'says whether a second factor is asked for, as Fortify does',
};

const ROWS: Readonly<Record<LaravelCase, Row>> = {
  'csrf-cookie': { ask: nobody('GET', '/sanctum/csrf-cookie') },
  'csrf-cookie HEAD': { ask: inject('HEAD', '/sanctum/csrf-cookie') },
  'csrf-cookie foreign origin': { ask: nobody('GET', '/sanctum/csrf-cookie', { headers: { origin: FOREIGN } }) },
  'login no csrf': { ask: login(right, bareToken) },
  'login no csrf, Accept html form': {
    ask: login(new URLSearchParams(right).toString(), { ...bareToken, ...html, ...form }),
    ours: { body: { message: 'CSRF token mismatch.' } },
    ...json,
  },
  'login wrong creds': { ask: login(wrong) },
  'login empty': { ask: login({}) },
  'login bad email + no pw': { ask: login({ email: 'bo' }) },
  'login unknown extra key (device_name)': { ask: login({ ...right, device_name: 'x' }, bareToken) },
  'login remember "on" (form-ish)': { ask: login({ ...right, remember: 'on' }), ...fortify },
  'login remember 1': { ask: login({ ...right, remember: 1 }), ...fortify },
  'login remember null': { ask: login({ ...right, remember: null }), ...fortify },
  'login form-urlencoded, _token header': {
    ask: login(new URLSearchParams({ ...right, _token: 'x', remember: '' }).toString(), form),
    ...fortify,
  },
  'login multipart FormData (axios/ofetch FormData)': {
    ask: () => {
      const { body, headers } = multipart(Object.entries(right).map(([name, value]) => ({ name, value })));
      return login(body, headers)();
    },
    ...fortify,
  },
  'login X-CSRF-TOKEN header instead (plain)': { ask: login(right, { ...bareToken, 'x-csrf-token': 'A'.repeat(43) }) },
  'login ok': { ask: login(right), ...fortify },
  'login text/plain content-type': {
    ask: login(JSON.stringify(right), { 'content-type': 'text/plain' }),
    ours: { status: 415, cookies: undefined, body: { message: 'Send application/json.' } },
    why: 'refuses what the page of another site can send unasked (A6)',
  },
  'login malformed JSON': {
    ask: login('{', { 'content-type': 'application/json' }),
    ours: { status: 400, cookies: undefined, body: { message: 'The request could not be read.' } },
    why: 'says that it could not be read (A41)',
  },
  'login empty body json ct': { ask: login('', { 'content-type': 'application/json' }) },
  'login again while signed in': {
    ask: person('POST', '/login', { body: right }),
    ours: { body: undefined },
    why: 'without a page',
  },
  '/api/user no session json': { ask: nobody('GET', '/api/user', { headers: { accept: 'application/json' } }) },
  '/api/user no session */*': {
    ask: nobody('GET', '/api/user', { headers: { accept: '*/*' } }),
    ours: JSON_401,
    ...json,
  },
  '/api/user no session html': { ask: nobody('GET', '/api/user', { headers: html }), ours: JSON_401, ...json },
  '/api/user html + X-Requested-With': {
    ask: nobody('GET', '/api/user', { headers: { ...html, 'x-requested-with': 'XMLHttpRequest' } }),
    ours: JSON_401,
    ...json,
  },
  '/api/user accept vnd.api+json': {
    ask: nobody('GET', '/api/user', { headers: { accept: 'application/vnd.api+json' } }),
  },
  '/api/user session': { ask: person('GET', '/api/user') },
  '/api/user HEAD': {
    ask: async () => {
      const { cookies } = await signedIn(server, bo.id);
      return inject('HEAD', '/api/user', { cookie: `${SESSION_COOKIE}=${cookies.get(SESSION_COOKIE)}` })();
    },
  },
  '/api/user trailing slash': { ask: person('GET', '/api/user/') },
  '/api/user OPTIONS no origin': {
    ask: inject('OPTIONS', '/api/user'),
    ours: { headers: { allow: 'GET, HEAD, PATCH' } },
    why: 'takes one method more there',
  },
  '/api/user PUT (405?)': {
    ask: person('PUT', '/api/user', { body: {} }),
    ours: {
      headers: { allow: 'GET, HEAD, PATCH' },
      body: { message: 'The PUT method is not supported for this address. Supported methods: GET, HEAD, PATCH.' },
    },
    why: 'takes one method more there',
  },
  '/api/nope 404': {
    ask: nobody('GET', '/api/nope'),
    ours: { body: { message: 'Not found.' } },
    why: 'repeats no address',
  },
  '/api/nope 404 html': {
    ask: nobody('GET', '/api/nope', { headers: html }),
    ours: { body: { message: 'Not found.' } },
    ...json,
  },
  'GET /login': {
    ask: nobody('GET', '/login'),
    ours: { body: { message: 'The GET method is not supported for this address. Supported methods: POST.' } },
    why: 'repeats no address',
  },
  'logout ok': { ask: person('POST', '/logout', { body: {} }) },
  'logout without body/ct (axios.post(url))': { ask: person('POST', '/logout') },
  'logout ct json empty body': {
    ask: person('POST', '/logout', { body: '', headers: { 'content-type': 'application/json' } }),
  },
  'logout ct urlencoded empty (axios default)': { ask: person('POST', '/logout', { body: '', headers: form }) },
  'logout guest json': { ask: visitor('POST', '/logout') },
  'logout guest html': { ask: visitor('POST', '/logout', { headers: html }), ours: JSON_401, ...json },
  'old cookie after logout': {
    ask: by(signedOut)('GET', '/api/user'),
    ours: { cookies: undefined },
    why: 'gives none for an id that the browser has another for',
  },
  '419 wrong token': {
    ask: person('PATCH', '/api/user', { body: { name: 'Bo' }, headers: { 'x-xsrf-token': 'A'.repeat(43) } }),
  },
  'dead session + stale token POST': {
    ask: by(ended)('PATCH', '/api/user', { body: { name: 'Bo' } }),
    ours: JSON_401,
    why: 'knows a token by its session, and says at once that the session has ended',
  },
  'api POST from session without csrf': {
    ask: person('PATCH', '/api/user', { body: { name: 'Bo' }, headers: bareToken }),
  },
  'token create': {
    ask: nobody('POST', '/api/tokens', { body: { ...right, device_name: 'phone' } }),
    ours: {
      status: 201,
      headers: { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' },
      body: { token: expect.stringMatching(/^wardline_/) },
    },
    why: 'says that a token was made; five a minute',
  },
  'token create wrong': {
    ask: nobody('POST', '/api/tokens', { body: { ...wrong, device_name: 'phone' } }),
    ours: { headers: { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' } },
    why: 'five a minute',
  },
  'bearer user': { ask: withBearer({}) },
  'bearer lower-case scheme': { ask: withBearer({ headers: { authorization: 'bearer {token}' } }) },
  'bearer junk': { ask: nobody('GET', '/api/user', { headers: { authorization: 'Bearer junk' } }) },
  'bearer id|junk': { ask: nobody('GET', '/api/user', { headers: { authorization: 'Bearer 1|junk' } }) },
  'bearer from stateful origin POST no csrf': {
    ask: async () =>
      withToken(server, await bearer()).send('POST', '/logout', {
        headers: { origin: PAGE, 'sec-fetch-site': 'cross-site' },
      }),
    ours: { status: 204, cookies: undefined, body: undefined },
    why: 'asks no token beside a bearer, which no other site can make a browser send',
  },
  'bearer + junk session cookie': { ask: withBearer({ headers: { cookie: `${SESSION_COOKIE}=junk` } }) },
  'broadcasting denied': {
    ask: person('POST', '/broadcasting/auth', { body: broadcast }),
    ours: { body: { message: 'This action is unauthorized.' } },
    why: 'says something',
  },
  'broadcasting form-urlencoded (pusher-js)': {
    ask: person('POST', '/broadcasting/auth', { body: new URLSearchParams(broadcast).toString(), headers: form }),
    ours: { body: { message: 'This action is unauthorized.' } },
    ...json,
  },
  'broadcasting no auth': { ask: nobody('POST', '/broadcasting/auth', { body: broadcast }) },
  'broadcasting missing channel': {
    ask: person('POST', '/broadcasting/auth', { body: { socket_id: '1.1' } }),
    ours: { status: 422, body: { errors: { channel_name: ['The channel name field is required.'] } } },
    why: 'names the field',
  },
  'broadcasting bad socket id': {
    ask: person('POST', '/broadcasting/auth', { body: { ...broadcast, socket_id: 'x' } }),
    ours: { status: 422, body: { errors: { socket_id: ['This is not a socket id.'] } } },
    why: 'names the field',
  },
  'broadcasting extra key': {
    ask: person('POST', '/broadcasting/auth', { body: { ...broadcast, extra: { of: 'the app' } } }),
    ours: { body: { message: 'This action is unauthorized.' } },
    why: 'says something',
  },
  'broadcasting GET': {
    ask: person('GET', '/broadcasting/auth'),
    ours: { status: 405, headers: { allow: 'POST' }, body: {} },
    why: 'binds a socket, which no GET may do (A6)',
  },
  'forgot unknown': {
    ask: visitor('POST', '/forgot-password', { body: { email: 'nobody@ward.test' } }),
    ours: { status: 200, body: { status: 'If there is an account with this address, a link is on its way.' } },
    why: 'tells nobody whether an address is known (A3)',
  },
  'forgot known': {
    ask: visitor('POST', '/forgot-password', { body: { email: right.email } }),
    ours: { body: { status: 'If there is an account with this address, a link is on its way.' } },
    why: 'tells nobody whether an address is known (A3)',
  },
  'reset bad token': {
    ask: async () => {
      const other = await makeUser(server.db);
      const password = 'violet tram over the harbour';
      const token = await makeResetLink(server.db, { userId: other.id });
      const body = { token, email: right.email, password, password_confirmation: password };
      return visitor('POST', '/reset-password', { body })();
    },
    ours: {
      body: {
        message: 'This link is no longer valid. Ask for a new one.',
        errors: { email: ['This link is no longer valid. Ask for a new one.'] },
      },
    },
    why: 'says it at the same field in words for a person',
  },
  'register invalid': {
    ask: visitor('POST', '/register', { body: { email: 'bo', password: 'short', password_confirmation: 'other' } }),
  },
  'resend verification guest': { ask: visitor('POST', '/email/verification-notification') },
  'resend verification verified user': {
    ask: person('POST', '/email/verification-notification'),
    ours: { status: 200, headers: {}, body: { status: 'Your address is verified.' } },
    ...json,
  },
  'preflight allowed': {
    ask: inject('OPTIONS', '/login', {
      origin: PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-xsrf-token',
    }),
    ours: {
      headers: {
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': expect.stringMatching(/Content-Type.*X-XSRF-TOKEN/),
      },
    },
    why: 'lists all that may be sent',
  },
  'preflight foreign': {
    ask: inject('OPTIONS', '/login', { origin: FOREIGN, 'access-control-request-method': 'POST' }),
    ours: { status: 200, headers: { allow: 'POST' } },
    why: 'grants as little, as for any question of the methods',
  },
  'POST from foreign origin with valid csrf+cookie': {
    ask: person('POST', '/logout', { headers: { origin: FOREIGN } }),
    ours: { status: 403, body: { message: 'This action is unauthorized.' }, cookies: undefined },
    why: 'refuses the pages of other sites (A6)',
  },
};

/** Both come with everything that Laravel gives one of them with. */
function expectCookies(response: LightMyRequestResponse, wanted: NonNullable<LaravelAnswer['cookies']>): void {
  const lines = [response.headers['set-cookie'] ?? []].flat();
  const [session = '', token = ''] = [SESSION_COOKIE, 'XSRF-TOKEN'].map((name) =>
    lines.find((line) => line.startsWith(`${name}=`)),
  );
  expect(session).toMatch(/Path=\/.*SameSite=Lax/i);
  expect(session).toContain('HttpOnly');
  expect(session.includes('Max-Age')).toBe(wanted === 'remembered');
  expect(token).toMatch(/Max-Age=7200; Path=\/; .*SameSite=Lax/i);
  expect(token).not.toContain('HttpOnly');
}

const table = Object.entries(ROWS).map(([name, { ask, ours, why }]): [string, string, Ask, Row['ours']] => {
  const laravel: LaravelAnswer = LARAVEL_ANSWERS[name as LaravelCase];
  const says =
    why === undefined ? `is answered as by Laravel (${laravel.status})` : `Laravel ${laravel.status}; ours ${why}`;
  // Another status has headers of its own.
  const headers = ours?.status === undefined || ours.status === laravel.status ? laravel.headers : {};
  return [name, says, ask, { ...laravel, headers, ...ours }];
});

it.each(table)('F-L10 %s: %s', async (_name, _says, ask, wanted = {}) => {
  const response = await ask();
  expect(response.statusCode).toBe(wanted.status);
  expect(response.headers).toMatchObject(wanted.headers ?? {});
  if (wanted.cookies) expectCookies(response, wanted.cookies);
  if (typeof wanted.body === 'object') expect(response.json()).toMatchObject(wanted.body);
  else expect(wanted.body === undefined || response.payload === '').toBe(true);
});

it('F-L10 an error names its field in the words of Laravel, never in those of the validator', async () => {
  const passwords = { password: 'short', password_confirmation: 'other' };
  const registered = await visitor('POST', '/register', { body: { name: 1, email: 'bo', ...passwords } })();
  expect(registered.json()).toMatchObject({
    message: 'The name field must be a string. (and 3 more errors)',
    errors: {
      name: ['The name field must be a string.'],
      email: ['The email field must be a valid email address.'],
      password: [
        'The password field must be at least 15 characters.',
        'The password field confirmation does not match.',
      ],
    },
  });
  const renamed = await person('PATCH', '/api/user', { body: { name: 'x'.repeat(121) } })();
  expect(renamed.json().message).toBe('The name field must not be greater than 120 characters.');
  const remembered = await login({ ...right, remember: 'perhaps' })();
  expect(remembered.json().errors).toEqual({ remember: ['The remember field must be true or false.'] });
});

it('F-L10 POST without a credential is asked for a token where a page sends it, and who it is where none does', async () => {
  const ofPage = nobody('POST', '/broadcasting/auth', { body: broadcast, headers: { origin: 'http://localhost:80' } });
  expect((await ofPage()).statusCode).toBe(419);
  expect((await nobody('PATCH', '/api/user', { body: { name: 'Bo' } })()).statusCode).toBe(401);
});

it.each(['', 'lb=node-2', `${SESSION_COOKIE}=junk`])(
  'F-L10 a token needs no CSRF token beside the cookie "%s"',
  async (cookie) => {
    const body = { ...right, device_name: 'phone' };
    expect((await nobody('POST', '/api/tokens', { body, headers: { cookie } })()).statusCode).toBe(201);
  },
);

it('F-L10 one try too many says of which limit, and when to come back', async () => {
  const client = await guestWithCookies(server);
  const ip = newAddress();
  const tryOnce = () => client.send('POST', '/login', { body: { ...wrong, email: 'limited@ward.test' }, ip });
  for (const remaining of ['4', '3', '2', '1', '0']) {
    expect((await tryOnce()).headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': remaining });
  }
  const refused = await tryOnce();
  expect(refused.statusCode).toBe(429);
  expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

it.each([
  [401, 'a read', () => by(ended)('GET', '/api/user')],
  [401, 'a write', () => by(ended)('PATCH', '/api/user', { body: { name: 'Bo' } })],
  [404, 'a thing that is not there', () => person('GET', '/api/chats/01970000-0000-7000-8000-000000000009')],
  [404, 'an address that is not there', () => person('GET', '/api/nope')],
  [404, 'an address that is not there, for a session that has ended', () => by(ended)('GET', '/api/nope')],
  [405, 'a method that is not taken', () => person('PUT', '/api/user', { body: {} })],
  [
    419,
    'a write with a wrong token',
    () => person('PATCH', '/api/user', { body: {}, headers: { 'x-xsrf-token': 'x' } }),
  ],
  [
    419,
    'the same of a session that has ended',
    () => by(ended)('PATCH', '/api/user', { body: {}, headers: bareToken }),
  ],
])('F-L2 %i carries both cookies again: %s', async (status, _what, ask) => {
  const response = await ask()();
  expect(response.statusCode).toBe(status);
  expectCookies(response, 'both');
});

it('F-L2 after a 419 the token that came with it lets the same write through', async () => {
  const client = await signedIn(server, bo.id);
  client.cookies.set('XSRF-TOKEN', 'of another app on this host');
  const write = () => client.send('PATCH', '/api/user', { body: { name: 'Bo Lind' } });
  expect((await write()).statusCode).toBe(419);
  expect((await write()).statusCode).toBe(200);
});

it('F-L2 A5 an answer to the guest of before a sign-in does not take the place of the new session', async () => {
  const client = await guestWithCookies(server);
  const before = `${SESSION_COOKIE}=${client.cookies.get(SESSION_COOKIE)}`;
  expect((await client.send('POST', '/login', { body: right, ip: newAddress() })).statusCode).toBe(200);
  const after = client.cookies.get(SESSION_COOKIE);
  for (const url of ['/api/user', '/api/nope']) {
    const late = await client.send('GET', url, { headers: { cookie: before } });
    expect(late.headers['set-cookie'], url).toBeUndefined();
  }
  expect((await client.send('GET', '/api/user')).statusCode).toBe(200);
  // A browser that never got the answer to its sign-in is given cookies when it asks for them: those of another guest.
  const asked = await client.send('GET', '/sanctum/csrf-cookie', { headers: { cookie: before } });
  expectCookies(asked, 'both');
  expect([before, `${SESSION_COOKIE}=${after}`]).not.toContain(String(asked.headers['set-cookie']).split(';')[0]);
});
