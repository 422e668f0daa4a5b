import { endpoints } from '@wardline/contract/endpoints.ts';
import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeSession, makeUser } from '#/testing/factories/users.ts';
import { sampleOf, sendSample, urlOf } from '#/testing/samples/contract-samples.ts';
import { makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { signedIn, type TestClient, withSession } from '#/testing/test-client.ts';

/**
 * Who administers two hospitals is let through the wall of both: that a request which names one of them reaches nothing of the
 * other hangs on the conditions of its queries alone.
 */
const ALL = ['clinician', 'chargeNurse', 'censusOfficer', 'facilityAdministrator', 'patientSystem'] as const;

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.server.close());

const NO_IDS = new Set(['date', 'month', 'population', 'kind']);

/** Those whose address names a facility and something of it by its id. */
const nested = endpoints.filter(({ path }) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return names.includes('facility') && names.some((name) => name !== 'facility' && !NO_IDS.has(name ?? ''));
});

/** So that no request is refused for a version that only the other hospital is at. */
async function levelVersions() {
  const { server, ours, theirs } = world;
  await sql`
    update facilities t set version = o.version from facilities o
    where o.id = ${ours.facility.id} and t.id = ${theirs.facility.id}`.execute(server.db);
  await sql`
    update census_facilities t set version = o.version from census_facilities o
    where o.facility_id = ${ours.facility.id} and t.facility_id = ${theirs.facility.id}`.execute(server.db);
}

describe('what is listed of one hospital', () => {
  const lists = endpoints.filter(
    (endpoint) => endpoint.method === 'GET' && endpoint.path.includes('{facility}') && !nested.includes(endpoint),
  );

  it('A16 A29 holds nothing of the other, for who works in both', async () => {
    const { server, ours, theirs } = world;
    const { id } = await makeUser(server.db, { name: 'Bo Both' });
    for (const { facility } of [ours, theirs]) await makeMembership(server.db, { userId: id, facility, roles: ALL });
    const both = await signedIn(server, id);
    const told: string[] = [];
    for (const endpoint of lists) {
      const sample = await sampleOf(world, endpoint);
      const read = async (facility: string) =>
        both.send('GET', urlOf(endpoint, { ...sample, params: { ...sample.params, facility } }));
      const [here, there] = [await read(ours.facility.id), await read(theirs.facility.id)];
      expect([endpoint.name, there.statusCode]).toEqual([endpoint.name, here.statusCode]);
      expect(there.payload.includes(ours.marker), endpoint.name).toBe(false);
      if (here.payload.includes(ours.marker)) told.push(endpoint.name);
    }
    // One that is empty in both says nothing.
    expect(told.length).toBeGreaterThan(20);
  });
});

describe('a thing of one hospital at the address of the other', () => {
  let client: TestClient;
  beforeAll(async () => {
    const { server, ours, theirs } = world;
    await makeMembership(server.db, { userId: ours.entitled.id, facility: theirs.facility, roles: ALL });
    client = withSession(server, await makeSession(server.db, { userId: ours.entitled.id, hasGivenFactor: true }));
  });

  it.each(nested.map((endpoint) => [endpoint.name, endpoint] as const))(
    'A16 A29 %s does not find it, and leaves it as it was',
    async (_name, endpoint) => {
      const sample = await sampleOf(world, endpoint);
      const things = Object.entries(sample.params ?? {}).filter(([name]) => name !== 'facility');
      expect(things.some(([, value]) => Id.safeParse(value).success)).toBe(true);
      await levelVersions();
      const elsewhere = { ...sample, params: { ...sample.params, facility: world.theirs.facility.id } };
      const answer = await sendSample(client, endpoint, elsewhere);
      expect([answer.statusCode, answer.payload]).toEqual([404, expect.stringContaining('not_found')]);
      const own = await sendSample(client, endpoint, sample);
      expect(own.statusCode, own.payload).toBeLessThan(300);
    },
  );
});
