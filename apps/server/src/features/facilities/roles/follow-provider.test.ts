import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockMembers } from '#/features/facilities/core/role-queries.ts';
import { makeFacility } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { follow } from './follow-provider.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('A48 PERM-2 of two from whom the provider takes the care of the members at once, one keeps it', async () => {
  const { db } = database;
  const facility = await makeFacility(db);
  const [first, second] = [await makeUser(db), await makeUser(db)];
  const followAs = (userId: string, roles: readonly string[]) =>
    db.transaction().execute((tx) => follow(tx, { userId, issuer: 'https://id.test', facilityId: facility.id }, roles));
  for (const { id } of [first, second]) await followAs(id, [facility.roles.facilityAdministrator]);
  const taking = await db.transaction().execute(async (tx) => {
    await lockMembers(tx, facility.id);
    const both = Promise.allSettled([followAs(first.id, []), followAs(second.id, [])]);
    await untilBlocked(db, both, 2);
    return { both };
  });
  const outcomes = await taking.both;
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ message: expect.stringContaining('last person') }) }),
  );
});
