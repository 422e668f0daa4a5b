import { sendMessage } from '@wardline/contract/chat.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, isMutating, makeWorld, sampleOf, urlOf, type World } from '#/testing/contract-world.ts';
import { guestWithCookies } from '#/testing/test-client.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
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

/** Where no cookie is needed (token mode), a request without one is no forgery: nobody's cookie gave it force. */
function forgeriesOf(endpoint: AnyEndpoint): readonly Forgery[] {
  return FORGERIES.filter(({ headers }) => !(endpoint.cookieless && headers['cookie'] === null));
}

/** A request that would succeed but for the headers, and whether it changed anything that is stored. */
async function send(
  endpoint: AnyEndpoint,
  headers: Forgery['headers'],
): Promise<{ response: LightMyRequestResponse; hasChanged: boolean }> {
  const sample = await sampleOf(world, endpoint);
  const client = await clientOf(world, 'with the right');
  const before = await fingerprint();
  const response = await client.send(endpoint.method, urlOf(endpoint, sample), { body: sample.body, headers });
  return { response, hasChanged: (await fingerprint()) !== before };
}

const TABLES = [
  'users',
  'sessions',
  'access_tokens',
  'facilities',
  'units',
  'roles',
  'memberships',
  'membership_roles',
  'chats',
  'chat_participants',
  'messages',
];

/** Changes with every change to anything but the audit. */
async function fingerprint(): Promise<string> {
  const parts = TABLES.map(
    (table) => sql`(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${sql.table(table)} t)`,
  );
  const found = await sql<{ print: string }>`select concat(${sql.join(parts)}) as print`.execute(world.server.db);
  return found.rows[0]?.print ?? '';
}

describe.each(mutating.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (_name, endpoint) => {
  it('A6 succeeds with the token, from the own origin', async () => {
    const { response } = await send(endpoint, { origin: OWN_ORIGIN, 'sec-fetch-site': 'same-origin' });
    expect(response.statusCode).toBe(endpoint.status);
  });

  it.each(forgeriesOf(endpoint))('A6 A7 refuses $what', async ({ headers, status }) => {
    const { response, hasChanged } = await send(endpoint, headers);
    expect(response.statusCode).toBe(status);
    expect(hasChanged).toBe(false);
  });

  it("A6 refuses another session's token", async () => {
    const stranger = await clientOf(world, 'of another facility');
    const guest = await guestWithCookies(world.server);
    for (const other of [stranger, guest]) {
      const token = other.cookies.get('XSRF-TOKEN') ?? '';
      const { response, hasChanged } = await send(endpoint, { 'x-xsrf-token': token });
      expect(response.statusCode).toBe(419);
      expect(hasChanged).toBe(false);
    }
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/html', ''])(
    'A6 takes no %s, as a form of another site could send it',
    async (type) => {
      const sample = await sampleOf(world, endpoint);
      const takesForms = endpoint.path.startsWith('/broadcasting/') && type.includes('urlencoded');
      const client = await clientOf(world, 'with the right');
      const form = new URLSearchParams({ ...(sample.body as Record<string, string>), socket_id: '1.1' }).toString();
      const body = takesForms ? form : JSON.stringify(sample.body ?? {});
      const headers = { 'content-type': type };
      const withToken = await client.send(endpoint.method, urlOf(endpoint, sample), { body, headers });
      expect(withToken.statusCode).toBe(takesForms ? 409 : 415);
      const bare = { ...headers, 'x-xsrf-token': null };
      const without = await client.send(endpoint.method, urlOf(endpoint, sample), { body, headers: bare });
      expect(without.statusCode).toBe(takesForms ? 419 : 415);
    },
  );
});

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
    const client = await clientOf(world, 'with the right');
    const samples = [];
    for (const endpoint of endpoints.filter((candidate) => !isMutating(candidate))) {
      samples.push(urlOf(endpoint, await sampleOf(world, endpoint)));
    }
    const before = await fingerprint();
    for (const url of samples) expect((await client.send('GET', url)).statusCode).toBeLessThan(300);
    expect(await fingerprint()).toEqual(before);
  });
});
