import { endpoints } from '@wardline/contract/endpoints.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RowChanges, watchRows } from '#/testing/row-changes.ts';
import { isMutating, sampleOf, sendSample } from '#/testing/samples/contract-samples.ts';
import { clientOf, entitledFor, makeWorld, type World } from '#/testing/samples/contract-world.ts';

let world: World;
let rowChanges: () => Promise<RowChanges>;
beforeAll(async () => {
  world = await makeWorld();
  rowChanges = await watchRows(world.server.db, ['audit_entries', 'audit_pending', 'audit_reads']);
});
afterAll(() => world.server.close());

/** What changes a row and stands in no audit, and why. */
const UNAUDITED: Readonly<Record<string, string>> = {
  beginPasskey: 'a challenge that is answered or forgotten',
  beginPasskeyConfirmation: 'a challenge that is answered or forgotten',
  saveDraft: 'words that nobody was sent',
  noteUrgentDelivered: 'a device says what has reached it',
  noteNotificationDelivered: 'a device says what has reached it',
};

const changing: string[] = [];
const acts = endpoints.filter((endpoint) => isMutating(endpoint) && !(endpoint.name in UNAUDITED));

it.each(acts.map((endpoint) => [endpoint.name, endpoint] as const))(
  'ADM-3 A48 %s is in the audit, with its facility, where it changes anything',
  async (name, endpoint) => {
    const { db } = world.server;
    const sample = await sampleOf(world, endpoint);
    const client = await clientOf(world, entitledFor(endpoint));
    // Who uses a session for the first time is noted.
    await client.send('GET', '/api/user');
    const entries = () => db.selectFrom('audit_entries').select('facility_id').orderBy('id').execute();
    const [told, rows] = [(await entries()).length, await rowChanges()];
    const { statusCode } = await sendSample(client, endpoint, sample);
    const [after, added] = [await rowChanges(), (await entries()).slice(told)];
    const changed = Object.keys(after).filter((table) => after[table] !== rows[table]);
    if (changed.length === 0) return;
    changing.push(name);
    expect([changed, added]).toEqual([changed, expect.arrayContaining([expect.anything()])]);
    const facilityId = sample.params?.['facility'];
    if (facilityId !== undefined && statusCode < 300)
      expect(added).toContainEqual(expect.objectContaining({ facility_id: facilityId }));
  },
);

it('ADM-3 most of the samples change something', () => {
  expect(changing.length).toBeGreaterThanOrEqual(110);
});
