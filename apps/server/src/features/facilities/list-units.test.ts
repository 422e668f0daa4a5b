import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('the units of a facility', () => {
  it('ADM-1 come in their order, to members without any role too, and of this facility only', async () => {
    const { db } = server;
    const facility = await makeFacility(db);
    const facilityId = facility.id;
    await makeUnit(db, { facilityId, name: 'Surgery', code: 'SUR', kind: 'ward', position: 2 });
    await makeUnit(db, { facilityId, name: 'Émile', code: 'EMI', position: 1 });
    await makeUnit(db, { facilityId, name: 'Zeta', code: 'ZET', position: 1 });
    await makeUnit(db, { facilityId, name: 'Intensive care', code: 'ICU', kind: 'icu', position: 0 });
    await makeUnit(db, { facilityId: (await makeFacility(db)).id, name: 'Elsewhere', code: 'ELS' });
    const { id: userId } = await makeUser(db);
    await makeMembership(db, { userId, facility });
    const answer = await (await signedIn(server, userId)).send('GET', `/api/facilities/${facilityId}/units`);
    const { data } = answer.json();
    expect(data.map((unit: { code: string }) => unit.code)).toEqual(['ICU', 'EMI', 'ZET', 'SUR']);
    expect(data[0]).toEqual({
      id: expect.any(String),
      name: 'Intensive care',
      code: 'ICU',
      kind: 'icu',
      position: 0,
    });
  });
});
