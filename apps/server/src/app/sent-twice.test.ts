import { endpoints } from '@wardline/contract/endpoints.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { newId } from '#/platform/new-id.ts';
import { watchRows } from '#/testing/row-changes.ts';
import { sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { actsOf, newAddress, type TestClient } from '#/testing/test-client.ts';

let world: World;
let client: TestClient;
let rowChanges: Awaited<ReturnType<typeof watchRows>>;
beforeAll(async () => {
  world = await makeWorld();
  client = await clientOf(world, 'with the right');
  rowChanges = await watchRows(world.server.db);
});
afterAll(() => world.server.close());

/** Those that name themselves, so that they can be sent again where no answer came. */
const acts = endpoints.filter(({ body }) =>
  JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes('"client_id"'),
);

it.each(acts.map((endpoint) => [endpoint.name, endpoint] as const))(
  'A14 CHAT-6 %s that is sent again, or thrice at once, is done once and answered alike',
  async (_name, endpoint) => {
    const { method } = endpoint;
    const act = async () => {
      const sample = await sampleOf(world, endpoint);
      const body = { client_id: newId(), ...sample.body };
      return () => client.send(method, urlOf(endpoint, sample), { body, ip: newAddress() });
    };
    const done = async () => {
      const entries = await actsOf(world.server, world.ours.entitled.id);
      return entries.filter(({ outcome }) => outcome === 'done').length;
    };

    const send = await act();
    const before = await done();
    const first = await send();
    expect(first.statusCode, first.payload).toBeLessThan(300);
    const once = (await done()) - before;
    const rows = await rowChanges();
    const again = await send();
    expect([again.statusCode, again.payload]).toEqual([first.statusCode, first.payload]);
    expect(await rowChanges()).toEqual(rows);

    const sendThrice = await act();
    const beforeThrice = await done();
    const answers = await Promise.all([sendThrice(), sendThrice(), sendThrice()]);
    expect(new Set(answers.map(({ payload }) => payload)).size).toBe(1);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([first.statusCode]));
    expect((await done()) - beforeThrice).toBe(once);
  },
);
