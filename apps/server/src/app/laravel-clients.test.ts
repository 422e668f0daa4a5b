import axios from 'axios';
import { createFetch } from 'ofetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from '#/testing/counterparts/cross-origin-fetch.ts';
import { makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

/** Another port of the same host: a page there may read the server's XSRF-TOKEN, and may be let in by CORS. */
const ORIGIN = 'http://127.0.0.1:5173';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clientOrigins: [ORIGIN] });
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

type Ask = (method: string, url: string, body?: Record<string, unknown> | FormData) => Promise<Answer>;

/** As Breeze's starter kits set axios up. What reads the cookie and sees a form in a browser does neither in Node: it is done here. */
function axiosOf(page: ReturnType<typeof openPage>): Ask {
  const client = axios.create({
    baseURL: server.baseUrl,
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    withCredentials: true,
    withXSRFToken: true,
    adapter: 'fetch',
    env: { fetch: page.fetch },
    validateStatus: () => true,
  });
  client.interceptors.request.use((config) => {
    const token = page.cookies.get('XSRF-TOKEN');
    if (token !== undefined) config.headers.set('X-XSRF-TOKEN', token);
    config.headers.set('X-Socket-ID', '1.1');
    if (config.data instanceof FormData) config.headers.setContentType('multipart/form-data');
    return config;
  });
  return async (method, url, body) => {
    const { status, headers, data } = await client.request({ method, url, data: body });
    return {
      status,
      headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: data,
    };
  };
}

/** As the Sanctum modules of Nuxt set ofetch up. */
function ofetchOf(page: ReturnType<typeof openPage>): Ask {
  const client = createFetch({ fetch: page.fetch }).create({
    baseURL: server.baseUrl,
    credentials: 'include',
    headers: { Accept: 'application/json' },
    redirect: 'manual',
    retry: false,
    ignoreResponseError: true,
    onRequest({ options }) {
      const token = page.cookies.get('XSRF-TOKEN');
      if (token !== undefined) options.headers.set('X-XSRF-TOKEN', token);
    },
  });
  return async (method, url, body) => {
    const answer = await client.raw(url, { method, ...(body && { body }) });
    return { status: answer.status, headers: answer.headers, body: answer._data };
  };
}

async function makePerson(): Promise<{ readonly email: string; readonly password: string }> {
  const { email } = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  return { email, password: TEST_PASSWORD };
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

it.each([
  ['axios', axiosOf],
  ['ofetch', ofetchOf],
])('F-L5 %s signs in, reads, writes and signs out from another origin', async (_name, clientOf) => {
  const ask = clientOf(openPage(ORIGIN));
  const person = await makePerson();
  expect((await ask('GET', '/sanctum/csrf-cookie')).status).toBe(204);
  const signedIn = await ask('POST', '/login', { ...person, remember: true });
  expect([signedIn.status, signedIn.body]).toEqual([200, { two_factor: false }]);
  const read = await ask('GET', '/api/user');
  expect(read.body).toMatchObject({ email: person.email });
  expect(Date.parse(read.headers.get('date') ?? '')).not.toBeNaN();
  expect((await ask('PATCH', '/api/user', { name: 'Sam Renamed' })).body).toMatchObject({ name: 'Sam Renamed' });
  expect((await ask('POST', '/logout')).status).toBe(204);
  expect((await ask('GET', '/api/user')).status).toBe(401);
});

it.each([
  ['axios', axiosOf],
  ['ofetch', ofetchOf],
])('F-L5 F-L10 %s signs in with a form, and reads when it may try again', async (_name, clientOf) => {
  const ask = clientOf(openPage(ORIGIN));
  const { email, password } = await makePerson();
  await ask('GET', '/sanctum/csrf-cookie');
  const wrong = await ask('POST', '/login', formOf({ email, password: 'wrong horse', remember: 'on' }));
  expect(wrong.status).toBe(422);
  expect([wrong.headers.get('x-ratelimit-limit'), wrong.headers.get('x-ratelimit-remaining')]).toEqual(['5', '4']);
  expect((await ask('POST', '/login', formOf({ email, password, remember: 'on' }))).status).toBe(200);
  const other = clientOf(openPage(ORIGIN));
  const unknown = { email: `nobody-${_name}@people.test`, password: 'wrong horse' };
  await other('GET', '/sanctum/csrf-cookie');
  for (let turn = 0; turn < 5; turn++) await other('POST', '/login', unknown);
  const limited = await other('POST', '/login', unknown);
  expect(limited.status).toBe(429);
  expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('F-L5 a page of an origin that is not listed gets nowhere', async () => {
  const ask = axiosOf(openPage('http://127.0.0.1:5174'));
  await expect(ask('GET', '/sanctum/csrf-cookie')).rejects.toThrow();
  await expect(ask('POST', '/login', await makePerson())).rejects.toThrow();
});
