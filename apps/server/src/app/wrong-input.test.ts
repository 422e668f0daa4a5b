import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { realtimeEndpoints } from '@wardline/contract/realtime.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyNth } from '#/testing/nightly.ts';
import { clientFor, isMutating, type Sample, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { expectRefusalOrAnswer } from '#/testing/samples/wrong-requests.ts';
import type { TestClient } from '#/testing/test-client.ts';

let world: World;
let person: TestClient;
beforeAll(async () => {
  world = await makeWorld();
  person = await clientOf(world, 'with the right');
});
afterAll(() => world.server.close());

const json = { 'content-type': 'application/json' };

async function sendText(endpoint: AnyEndpoint, body: string, sample: Sample): Promise<LightMyRequestResponse> {
  const client = await clientFor(world, endpoint, person);
  const response = await client.send(endpoint.method, urlOf(endpoint, sample), {
    body,
    headers: { ...sample.headers, ...json },
  });
  expectRefusalOrAnswer(response, body.slice(0, 200));
  return response;
}

/** What reads the input is one for all endpoints: in `npm test` some stand for them, and the fuzz test asks each. */
const some = everyNth(endpoints, 5);
/** A file takes the place of a body; what is wrong with files is tried in features/media and features/chat. */
const mutating = some.filter((endpoint) => isMutating(endpoint) && !endpoint.file && !endpoint.stream);
const named = (list: readonly AnyEndpoint[]) => list.map((endpoint) => [endpoint.name, endpoint] as const);

function withField(sample: Sample, field: string, value: unknown): string {
  return JSON.stringify({ ...sample.body, [field]: value });
}

const isLoose = ({ name }: AnyEndpoint) => realtimeEndpoints.some((endpoint) => endpoint.name === name);

describe.each(named(mutating))('the body of %s', (_name, endpoint) => {
  it('A41 that is no JSON is refused with 400', async () => {
    const sample = await sampleOf(world, endpoint);
    for (const body of [
      '{',
      '[',
      '"',
      'nul',
      '{"a":1,}',
      "{'a':1}",
      '\u0000',
      '{"a":NaN}',
      '{"a":Infinity}',
      '﻿{',
      '{}{}',
    ]) {
      expect((await sendText(endpoint, body, sample)).statusCode, body).toBe(400);
    }
  });

  it('A41 that would reach a prototype is refused with 400', async () => {
    const sample = await sampleOf(world, endpoint);
    for (const body of [
      '{"__proto__":{"is_operator":true}}',
      '{"\\u005f_proto__":{}}',
      '{"constructor":{"prototype":{"is_operator":true}}}',
      '{"a":{"b":[{"__proto__":null}]}}',
    ]) {
      expect((await sendText(endpoint, body, sample)).statusCode, body).toBe(400);
    }
    expect(({} as { is_operator?: unknown }).is_operator).toBeUndefined();
  });

  it('A41 that is deeper than 32 levels is refused with 400, however deep', async () => {
    const sample = await sampleOf(world, endpoint);
    for (const depth of [33, 1_000, 60_000]) {
      expect((await sendText(endpoint, `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`, sample)).statusCode).toBe(400);
    }
  });

  it('A41 that is longer than 256 KiB is refused with 413', async () => {
    const sample = await sampleOf(world, endpoint);
    expect((await sendText(endpoint, JSON.stringify({ a: 'x'.repeat(262_144) }), sample)).statusCode).toBe(413);
  });

  // Realtime clients send along what their user tells them to: those bodies are not strict.
  it.skipIf(isLoose(endpoint))('A29 that has a field nobody asked for is refused with 422, by its name', async () => {
    const sample = await sampleOf(world, endpoint);
    for (const field of ['is_operator', 'facility_id', 'user_id', 'created_at', 'id', 'toString', 'hasOwnProperty']) {
      const response = await sendText(endpoint, withField(sample, field, true), sample);
      expect(response.statusCode, field).toBe(422);
      expect(Object.entries(response.json().errors)).toContainEqual([field, ['This field is not known.']]);
    }
  });

  it('A41 that is no object is refused', async () => {
    const sample = await sampleOf(world, endpoint);
    for (const body of ['[]', '"text"', '1', 'true', '[[]]', '-0', '1e999']) {
      expect([400, 422]).toContain((await sendText(endpoint, body, sample)).statusCode);
    }
  });

  it('A41 that has what cannot be stored, or is of another kind, in any field is refused with 422', async () => {
    const sample = await sampleOf(world, endpoint);
    const wrong = ['"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '{}', '[{}]', '1e999', '-1e308'];
    for (const field of Object.keys(sample.body ?? {})) {
      for (const value of wrong) {
        const text = withField(sample, field, '?').replace('"?"', value);
        const response = await sendText(endpoint, text, sample);
        // An odd name of a channel is a channel that is not there.
        if (field === 'channel_name' && response.statusCode === 403) continue;
        expect(response.statusCode, text).toBe(422);
        // What is typed twice is told at the first of the two.
        expect(Object.keys(response.json().errors).join()).toContain(field.replace('_confirmation', ''));
      }
    }
  });

  it('A41 that says a field twice is read once, by the last', async () => {
    const sample = await sampleOf(world, endpoint);
    const text = JSON.stringify(sample.body ?? {});
    const [field] = Object.keys(sample.body ?? {});
    if (field === undefined) return;
    const twice = `${text.slice(0, -1)},${JSON.stringify(field)}:{"wrong":true}}`;
    expect((await sendText(endpoint, twice, sample)).statusCode).toBe(422);
  });
});

describe.each(named(some))('the address of %s', (_name, endpoint) => {
  it('A41 with an id that is none answers 404', async () => {
    const sample = await sampleOf(world, endpoint);
    const wrong = [
      'x',
      '0',
      '-1',
      "' or 1=1 --",
      '..',
      '%',
      '*',
      '\u0000',
      '\ud83d\ude00',
      'a'.repeat(200),
      'a'.repeat(5_000),
    ];
    for (const [param, id] of Object.entries(sample.params ?? {})) {
      for (const value of [
        ...wrong,
        id.toUpperCase().replace(/^\w/, 'A'),
        `${id} `,
        `${id}/`,
        `{${id}}`,
        id.slice(1),
      ]) {
        const url = urlOf(endpoint, { ...sample, params: { ...sample.params, [param]: value } });
        const response = await person.send(endpoint.method, url, { body: sample.body });
        expectRefusalOrAnswer(response, url);
        // The test's own client takes `..` for the address above, which may take other methods or another body, or be done.
        expect(value === '..' ? [200, 204, 404, 405, 422] : [404], url).toContain(response.statusCode);
      }
    }
  });

  it('A41 with signs that cannot be decoded, or another writing of itself, is no other address', async () => {
    for (const url of ['/%', '/%ff', '/%c0%af', '/%2e%2e%2f', '//', '/%00', '/\\', '/;x', '/./../x']) {
      const response = await person.send(endpoint.method, `${endpoint.path.split('/{')[0]}${url}`, {});
      expectRefusalOrAnswer(response, url);
      expect([404, 405], url).toContain(response.statusCode);
    }
  });

  // What a provider sends along beside what was asked for is to be ignored (RFC 6749, 4.1.2).
  const ignoresMore = endpoint.name === 'finishSingleSignOn';
  it.skipIf(ignoresMore)(
    'A41 with a query that nobody asked for, or of another kind, is refused with 422',
    async () => {
      const sample = await sampleOf(world, endpoint);
      const client = await clientFor(world, endpoint, person);
      const wrong = [
        'unknown=1',
        '__proto__=1',
        '__proto__[a]=1',
        'limit=0',
        'limit=1e9',
        'limit=NaN',
        'limit=-1',
        'limit=1&limit=2',
      ];
      wrong.push(
        'limit=',
        'cursor=',
        'cursor=%00',
        'cursor=%ff',
        'cursor=..',
        `cursor=${'A'.repeat(600)}`,
        'q=%00&limit=0',
      );
      for (const query of wrong) {
        const url = `${urlOf(endpoint, { ...sample, query: {} })}?${query}`;
        const response = await client.send(endpoint.method, url, { body: sample.body });
        expectRefusalOrAnswer(response, url);
        expect(response.statusCode, url).toBe(422);
      }
    },
  );

  it('A41 by a method that it does not take is refused', async () => {
    const sample = await sampleOf(world, endpoint);
    const taken = endpoints.filter((other) => other.path === endpoint.path).map((other) => other.method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (taken.includes(method)) continue;
      const response = await person.send(method, urlOf(endpoint, { ...sample, query: {} }));
      expectRefusalOrAnswer(response, method);
      expect([404, 405], method).toContain(response.statusCode);
    }
    const asked = await world.server.app.inject({ method: 'OPTIONS', url: urlOf(endpoint, sample) });
    expect(asked.statusCode).toBe(200);
    expect(asked.headers.allow).toContain(endpoint.method);
    for (const method of ['TRACE', 'PROPFIND', 'LOCK'] as const) {
      const response = await world.server.app.inject({ method: method as 'OPTIONS', url: urlOf(endpoint, sample) });
      expect([404, 405, 501], method).toContain(response.statusCode);
    }
  });
});

describe('headers', () => {
  it('A41 that are garbage make nobody out of the sender, and no error of the server', async () => {
    const garbage = [
      '%',
      '=;=;',
      '\u00ff'.repeat(50),
      'a'.repeat(8_000),
      '__proto__=1',
      'wardline_session=',
      '{}',
      '"',
    ];
    for (const value of garbage) {
      for (const name of ['cookie', 'authorization']) {
        const response = await world.server.app.inject({ method: 'GET', url: '/api/user', headers: { [name]: value } });
        expectRefusalOrAnswer(response, { name, value });
        expect(response.statusCode, `${name}: ${value}`).toBe(401);
      }
      for (const name of [
        'x-socket-id',
        'x-xsrf-token',
        'accept',
        'user-agent',
        'origin',
        'x-forwarded-for',
        'sec-fetch-site',
      ]) {
        const response = await person.send('GET', '/api/user', { headers: { [name]: value } });
        expectRefusalOrAnswer(response, { name, value });
        expect(response.statusCode, `${name}: ${value}`).toBe(200);
      }
    }
  });
});
