import { verifyEmail } from '@wardline/contract/account/account.ts';
import { sendMessage } from '@wardline/contract/chat/chat.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTurn } from '#/testing/nightly.ts';
import { type RowChanges, watchRows } from '#/testing/row-changes.ts';
import { clientFor, isMutating, payloadOf, type Sample, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { clientOf, entitledFor, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { guest, guestWithCookies, type TestClient } from '#/testing/test-client.ts';

let world: World;
/** Of every table but the audit, which says what was tried and read. */
let rowChanges: () => Promise<RowChanges>;
beforeAll(async () => {
  world = await makeWorld();
  rowChanges = await watchRows(world.server.db, ['audit_entries', 'audit_pending', 'audit_reads']);
});
afterAll(() => world.server.close());

const mutating = endpoints.filter(isMutating);
/** As the test's requests name the server. */
const OWN_ORIGIN = 'http://localhost:80';

interface Forgery {
  readonly what: string;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly status: number;
}

const FORGERIES: readonly Forgery[] = [
  { what: 'no token', headers: { 'x-xsrf-token': null }, status: 419 },
  { what: 'an empty token', headers: { 'x-xsrf-token': '' }, status: 419 },
  { what: 'a token of the right length', headers: { 'x-xsrf-token': 'A'.repeat(43) }, status: 419 },
  { what: 'no token but the mark of a guest', headers: { 'x-xsrf-token': 'guest.' }, status: 419 },
  { what: 'a token but no cookie', headers: { cookie: null }, status: 419 },
  { what: 'a cross-site request', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  ...[
    'https://evil.example',
    'null',
    'http://localhost:81',
    'http://localhost',
    'http://localhost:80.evil.example',
    'http://localhost:80@evil.example',
    'http://evil.example/localhost:80',
    'HTTP://LOCALHOST:80',
    'ftp://localhost:80',
    'file://',
  ].map((origin) => ({ what: `the origin ${origin}`, headers: { origin }, status: 403 })),
];

const FORM_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/html',
  '',
];

/**
 * Where no cookie is needed (token mode), a request without one is no forgery: nobody's cookie gave it force. Who sends none
 * and comes from no page is nobody (F-L10).
 */
function forgeriesOf(endpoint: AnyEndpoint): readonly Forgery[] {
  const withoutCookie: Forgery[] = FORGERIES.filter(({ headers }) => headers['cookie'] === null).flatMap((forgery) => [
    ...(endpoint.access === 'signed-in' ? [{ ...forgery, status: 401 }] : [forgery]),
    { what: `${forgery.what}, from a page`, headers: { ...forgery.headers, origin: OWN_ORIGIN }, status: 419 },
  ]);
  const others = FORGERIES.filter(({ headers }) => headers['cookie'] !== null);
  return endpoint.cookieless ? others : [...others, ...withoutCookie];
}

/** What Laravel's own clients send as forms too (F-L10): a token is asked for all the same. */
const TAKE_FORMS = [
  '/login',
  '/logout',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/email/verification-notification',
  '/broadcasting/auth',
  '/broadcasting/user-auth',
  '/two-factor-challenge',
  '/user/two-factor-authentication',
  '/user/confirmed-two-factor-authentication',
  '/user/two-factor-recovery-codes',
  '/user/confirm-password',
  '/api/tokens',
];

/** A request that would succeed but for the headers, and the changes of rows before and after it. */
async function send(
  endpoint: AnyEndpoint,
  headers: Forgery['headers'],
): Promise<{ response: LightMyRequestResponse; before: RowChanges; after: RowChanges }> {
  const sample = await sampleOf(world, endpoint);
  const client = await clientFor(world, endpoint);
  const before = await rowChanges();
  const response = await client.send(endpoint.method, urlOf(endpoint, sample), {
    ...payloadOf(endpoint, sample),
    headers: { ...payloadOf(endpoint, sample).headers, ...headers },
  });
  return { response, before, after: await rowChanges() };
}

/** Hang on a challenge of the same session, on a provider that answers, or on who one is; features/auth has these. */
const ANSWERS_OTHERWISE: Readonly<Record<string, number>> = {
  ...{ createPasskey: 422, signInWithPasskey: 422, confirmWithPasskey: 422, deleteAccount: 422 },
  ...{ beginSingleSignOn: 502, beginProviderLink: 502, beginProviderConfirmation: 502 },
};

/** A form with a field that nobody asked for, which shows that it was read. */
function formOf(body: Sample['body'], type: string): string {
  const fields = Object.entries({ ...body, unasked: 1 }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  if (!type.startsWith('multipart/')) return new URLSearchParams(fields).toString();
  const parts = fields.map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--x--\r\n`;
}

describe('the token of a guest', () => {
  const tokenOf = ({ cookies }: TestClient) => cookies.get('XSRF-TOKEN') ?? '';

  it('F-C6 A6 says so, is taken with and without its mark, and is gone with a sign-in', async () => {
    const client = await guestWithCookies(world.server);
    expect(tokenOf(client)).toMatch(/^guest[.][\w-]{43}$/);
    for (const token of [tokenOf(client), tokenOf(client).replace('guest.', '')]) {
      const body = { email: 'nobody@people.test', password: 'not the password at all' };
      const answer = await client.send('POST', '/login', { body, headers: { 'x-xsrf-token': token } });
      expect(answer.statusCode).toBe(422);
    }
    const person = await clientOf(world, 'with the right');
    await person.send('GET', '/api/user');
    expect(tokenOf(person)).toMatch(/^[\w-]{43}$/);
    await person.send('POST', '/logout');
    await person.send('GET', '/api/user');
    expect(tokenOf(person)).toMatch(/^guest[.]/);
  });
});

describe.each(mutating.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (_name, endpoint) => {
  it('A6 succeeds with the token, from the own origin', async () => {
    const { response } = await send(endpoint, { origin: OWN_ORIGIN, 'sec-fetch-site': 'same-origin' });
    expect(response.statusCode).toBe(ANSWERS_OTHERWISE[endpoint.name] ?? endpoint.status);
  });

  const turn = mutating.indexOf(endpoint);

  it.each(inTurn(forgeriesOf(endpoint), turn))('A6 A7 refuses $what', async ({ headers, status }) => {
    const { response, before, after } = await send(endpoint, headers);
    expect(response.statusCode).toBe(status);
    expect(after).toEqual(before);
  });

  it("A6 refuses another session's token", async () => {
    const stranger = () => clientOf(world, 'of another facility');
    const nobody = () => guestWithCookies(world.server);
    for (const other of inTurn([stranger, nobody], turn)) {
      const token = (await other()).cookies.get('XSRF-TOKEN') ?? '';
      const { response, before, after } = await send(endpoint, { 'x-xsrf-token': token });
      expect(response.statusCode).toBe(419);
      expect(after).toEqual(before);
    }
  });

  it.each(inTurn(FORM_TYPES, turn))('A6 takes no %s, as a form of another site could send it', async (type) => {
    const sample = await sampleOf(world, endpoint);
    const isForm = type.includes('urlencoded') || type.startsWith('multipart/');
    const takesForms = isForm && TAKE_FORMS.includes(endpoint.path);
    const client = await clientFor(world, endpoint);
    const body = takesForms ? formOf(sample.body, type) : JSON.stringify(sample.body ?? {});
    const headers = { 'content-type': type };
    const withToken = await client.send(endpoint.method, urlOf(endpoint, sample), { body, headers });
    const takesFiles = endpoint.file !== undefined && type.startsWith('multipart/');
    const isLoose = endpoint.path.startsWith('/broadcasting/');
    expect(withToken.statusCode).toBe(takesForms ? (isLoose ? 200 : 422) : takesFiles ? 400 : 415);
    const bare = { ...headers, 'x-xsrf-token': null };
    const without = await client.send(endpoint.method, urlOf(endpoint, sample), { body, headers: bare });
    expect(without.statusCode).toBe(takesForms || takesFiles ? 419 : 415);
  });
});

/** Who takes the census away, or checks its log, is named there: the one thing that a reading leaves. */
const LOG = ['census_log', 'census_log_heads', 'census_log_verifications'];

function withoutLog(changes: RowChanges): RowChanges {
  return Object.fromEntries(Object.entries(changes).filter(([table]) => !LOG.includes(table)));
}

describe('what needs no token', () => {
  it('A6 a bearer acts without one, and a cookie beside a bearer counts for nothing', async () => {
    const endpoint: AnyEndpoint = sendMessage;
    const sample = await sampleOf(world, endpoint);
    const bearer = await clientOf(world, 'bearer with the right');
    expect((await bearer.send('POST', urlOf(endpoint, sample), { body: sample.body })).statusCode).toBe(201);
    const { response } = await send(endpoint, { authorization: 'Bearer nobody', 'x-xsrf-token': null });
    expect(response.statusCode).toBe(401);
  });

  it('A6 reading changes nothing: no GET of the contract adds, removes or alters a row', async () => {
    const samples: [client: TestClient, url: string][] = [];
    for (const endpoint of endpoints.filter((candidate) => !isMutating(candidate))) {
      const client = await clientOf(world, entitledFor(endpoint));
      samples.push([client, urlOf(endpoint, await sampleOf(world, endpoint))]);
    }
    const before = withoutLog(await rowChanges());
    for (const [client, url] of samples) expect((await client.send('GET', url)).statusCode).toBeLessThan(400);
    expect(withoutLog(await rowChanges())).toEqual(before);
  });

  // Signed in as the person it is for, it does what it was mailed for: nobody else holds the link.
  it('A6 a mailed link that is followed by nobody who is signed in changes no row', async () => {
    const url = urlOf(verifyEmail, await sampleOf(world, verifyEmail));
    const before = await rowChanges();
    const response = await guest(world.server).send('GET', url);
    expect(response.headers.location).toBe('/sign-in?verify=1&redirect=%2Fdashboard%3Fverified%3D1');
    expect(await rowChanges()).toEqual(before);
  });
});
