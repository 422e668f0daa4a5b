import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '#/testing/nightly.ts';
import { clientFor, isMutating, type Sample, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { expectRefusalOrAnswer } from '#/testing/samples/wrong-requests.ts';
import { newAddress, type TestClient } from '#/testing/test-client.ts';

const RUNS = runs(3);
const json = { 'content-type': 'application/json' };
const named = (list: readonly AnyEndpoint[]) => list.map((endpoint) => [endpoint.name, endpoint] as const);

let world: World;
let person: TestClient;
beforeAll(async () => {
  world = await makeWorld();
  person = await clientOf(world, 'with the right');
});
afterAll(() => world.server.close());

/** Values that are near to right ones: the sample's own, spoiled, and everything that JSON can say. */
function spoiled(sample: Sample): fc.Arbitrary<unknown> {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('\u0000', '\ud800', '1e999', '', ' '),
  );
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    text,
    fc.double(),
    fc.bigInt().map(String),
    fc.constant(undefined),
  );
  const fields = Object.entries(sample.body ?? {});
  const near = fc.record(Object.fromEntries(fields.map(([name, own]) => [name, fc.oneof(fc.constant(own), value)])));
  const extra = fc.dictionary(fc.string({ maxLength: 20 }), value, { maxKeys: 2 });
  return fc.oneof(
    near,
    value,
    fc.tuple(near, extra).map(([a, b]) => ({ ...a, ...b })),
  );
}

describe.each(named(endpoints))('whatever is sent to %s', (_name, endpoint) => {
  it('A41 R14 I4 is answered, in the stated shape, and never with a fault of the server', async () => {
    const sample = await sampleOf(world, endpoint);
    const client = await clientFor(world, endpoint, person);
    const ip = newAddress();
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const query = fc.dictionary(fc.oneof(text, fc.constantFrom('q', 'limit', 'cursor', 'after', 'kind')), text, {
      maxKeys: 3,
    });
    await fc.assert(
      fc.asyncProperty(spoiled(sample), query, async (body, asked) => {
        const url = isMutating(endpoint)
          ? urlOf(endpoint, sample)
          : `${urlOf(endpoint, { ...sample, query: {} })}?${encodeQuery(asked)}`;
        const payload = isMutating(endpoint) ? { body: JSON.stringify(body) ?? 'undefined', headers: json } : {};
        expectRefusalOrAnswer(await client.send(endpoint.method, url, { ...payload, ip }), { url, body });
      }),
      { numRuns: RUNS },
    );
    expect((await world.server.app.inject({ method: 'GET', url: '/up' })).statusCode).toBe(200);
  });
});

function encodeQuery(asked: Record<string, string>): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  return Object.entries(asked)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
}
