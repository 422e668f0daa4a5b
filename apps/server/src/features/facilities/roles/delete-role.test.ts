import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeInvitation } from '#/testing/factories/accounts.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeSession, makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient, withSession } from '#/testing/test-client.ts';
import { SAMPLE_PROVIDER, startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

let server: TestServer;
let facility: MadeFacility;
let admin: MadeUser;
let nurse: MadeUser;
let asAdmin: TestClient;
let asNurse: TestClient;

beforeAll(async () => {
  const groups = {
    'ward-nurses': [{ facility: 'SH', role: 'Charge nurse' }],
    elsewhere: [{ facility: 'XX', role: 'Charge nurse' }],
  };
  server = await startTestServer({ oidc: [{ ...SAMPLE_PROVIDER, groups }] });
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  [admin, nurse] = [await makeUser(server.db), await makeUser(server.db, { name: 'Lena Okoye' })];
  await makeMembership(server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  await makeMembership(server.db, { userId: nurse.id, facility, roles: ['chargeNurse'] });
  [asAdmin, asNurse] = [await signedIn(server, admin.id), await signedIn(server, nurse.id)];
});

const urlOf = (roleId: string) => `/api/facilities/${facility.id}/roles/${roleId}`;
const remove = (roleId: string, replacement: string | null = null, who = asAdmin) =>
  who.send('POST', `${urlOf(roleId)}/removal`, { body: { replacement } });
const useOf = async (roleId: string) => (await asAdmin.send('GET', `${urlOf(roleId)}/use`)).json();
const permissionsOf = async (client: TestClient): Promise<string[]> =>
  (await client.send('GET', '/api/user')).json().memberships[0].permissions;
const rolesNow = async () =>
  (await asAdmin.send('GET', `/api/facilities/${facility.id}/roles`)).json().data.map(({ id }: { id: string }) => id);

/** An invitation of these roles. */
async function invite(roleIds: readonly string[], note?: string) {
  const made = await makeInvitation(server.db, { facility, createdBy: admin.id, ...(note !== undefined && { note }) });
  const rows = roleIds.map((role_id) => ({ invitation_id: made.id, role_id, facility_id: facility.id }));
  await server.db.insertInto('invitation_roles').values(rows).execute();
  return made;
}

describe('removing a role', () => {
  it('PERM-2 says first who holds it, which invitations give it and which groups of a provider', async () => {
    await server.db.updateTable('facilities').set({ code: 'SH' }).where('id', '=', facility.id).execute();
    const { id } = await invite([facility.roles.chargeNurse], 'For Kim');
    expect(await useOf(facility.roles.chargeNurse)).toMatchObject({
      ...{ holders: [{ user_id: nurse.id, name: 'Lena Okoye' }], holder_count: 1 },
      ...{ invitations: [{ id, note: 'For Kim' }], invitation_count: 1 },
      groups: [{ provider: 'Hospital account', group: 'ward-nurses' }],
    });
    expect(await useOf(facility.roles.censusOfficer)).toMatchObject({ holder_count: 0, invitations: [], groups: [] });
  });

  it('PERM-2 ACC-7 A9 its holders have the other role at once, by HTTP and on open sockets', async () => {
    const socket = await openSocket(server);
    expect(await socket.join(asNurse, `private-App.Models.User.${nurse.id}`)).toBe('joined');
    expect(await permissionsOf(asNurse)).toContain('census.report_units');
    const { id: former } = await makeUser(server.db);
    const left = await makeMembership(server.db, { userId: former, facility, roles: ['chargeNurse'] });
    await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('id', '=', left).execute();
    expect((await remove(facility.roles.chargeNurse, facility.roles.clinician)).statusCode).toBe(204);
    await socket.next(
      ({ event, data }) => event.endsWith('MembershipChanged') && JSON.stringify(data).includes('changed'),
    );
    const now = await permissionsOf(asNurse);
    expect(now).not.toContain('census.report_units');
    expect(now).toContain('examinations.sign');
    expect(await rolesNow()).not.toContain(facility.roles.chargeNurse);
    // Nobody else has it now, neither who holds another role nor who left with the one that is gone.
    const holders = server.db.selectFrom('membership_roles').select('membership_id');
    expect(await holders.where('role_id', '=', facility.roles.clinician).execute()).toHaveLength(1);
    socket.close();
  });

  it('PERM-2 ACC-7 without another role its holders are members who may nothing more', async () => {
    await makeChat(server.db, { facilityId: facility.id, participants: [{ userId: nurse.id }] });
    await remove(facility.roles.chargeNurse);
    expect(await permissionsOf(asNurse)).toEqual([]);
    const [entry] = await auditOf(server, 'role.delete', admin.id);
    expect(entry).toMatchObject({
      ...{ object_type: 'role', object_id: facility.roles.chargeNurse, facility_id: facility.id },
      detail: {
        role_id: null,
        holders: 1,
        invitations: 0,
        revoked: 0,
        before: expect.arrayContaining(['census.report_units']),
      },
    });
  });

  it('PERM-2 invitations lose it, and one that gives nothing else is revoked', async () => {
    const { chargeNurse, clinician } = facility.roles;
    const [alone, both] = [await invite([chargeNurse]), await invite([chargeNurse, clinician])];
    const bare = await makeInvitation(server.db, { facility, createdBy: admin.id });
    await invite([clinician]);
    const [used, gone] = [await invite([chargeNurse]), await invite([chargeNurse])];
    const long = new Date(Date.now() - 86_400_000);
    const over = server.db.updateTable('invitations');
    await over.set({ used_at: long }).where('id', '=', used.id).execute();
    await over.set({ revoked_at: long }).where('id', '=', gone.id).execute();
    await remove(chargeNurse);
    const [entry] = await auditOf(server, 'role.delete', admin.id);
    expect(entry?.detail).toMatchObject({ holders: 1, invitations: 4, revoked: 1 });
    // What is over stays as it ended.
    const ended = server.db.selectFrom('invitations').select(['used_at', 'revoked_at']).orderBy('id');
    expect(await ended.where('id', 'in', [used.id, gone.id]).execute()).toEqual([
      { used_at: long, revoked_at: null },
      { used_at: null, revoked_at: long },
    ]);
    const newcomer = await signedIn(server, (await makeUser(server.db)).id);
    const look = async ({ token }: { token: string }) =>
      (await newcomer.send('GET', `/api/invitations/${token}`)).statusCode;
    expect([await look(alone), await look(both), await look(bare)]).toEqual([404, 200, 200]);
    expect((await newcomer.send('POST', `/api/invitations/${alone.token}/accept`)).statusCode).toBe(404);
    expect((await newcomer.send('POST', `/api/invitations/${both.token}/accept`)).statusCode).toBe(204);
    expect((await newcomer.send('GET', '/api/user')).json().memberships[0].roles).toEqual(['Clinician']);
  });

  it('PERM-2 A30 is refused where nobody could manage the members, also where two remove the last two roles at once', async () => {
    const { facilityAdministrator, clinician } = facility.roles;
    const refused = await remove(facilityAdministrator, clinician);
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      'Nobody could manage the members any more. Choose a role for its holders that can.',
    ]);
    const second = { id: newId(), facility_id: facility.id, name: 'Deputy', permissions: ['members.manage'] };
    await server.db.insertInto('roles').values(second).execute();
    const { id: membershipId } = await server.db
      .selectFrom('memberships')
      .select('id')
      .where('user_id', '=', admin.id)
      .executeTakeFirstOrThrow();
    const held = { membership_id: membershipId, role_id: second.id, facility_id: facility.id };
    await server.db.insertInto('membership_roles').values(held).execute();
    const answers = await Promise.all([remove(second.id), remove(facilityAdministrator)]);
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(await permissionsOf(asAdmin)).toContain('members.manage');
  });

  it('PERM-2 A30 is refused for roles, and in the place of roles, that one could not grant; a stranger’s does not exist', async () => {
    const strong = { id: newId(), facility_id: facility.id, name: 'Keeper', permissions: ['audit.view'] };
    const deputy = { id: newId(), facility_id: facility.id, name: 'Deputy', permissions: ['members.manage'] };
    await server.db.insertInto('roles').values([strong, deputy]).execute();
    const other = await makeUser(server.db);
    const membershipId = await makeMembership(server.db, { userId: other.id, facility });
    const held = { membership_id: membershipId, role_id: deputy.id, facility_id: facility.id };
    await server.db.insertInto('membership_roles').values(held).execute();
    const asDeputy = await signedIn(server, other.id);
    expect((await remove(strong.id, undefined, asDeputy)).statusCode).toBe(422);
    const up = await remove(facility.roles.clinician, strong.id, asDeputy);
    expect([up.statusCode, Object.keys(up.json().errors)]).toEqual([422, ['replacement']]);
    const elsewhere = await makeFacility(server.db);
    for (const replacement of [elsewhere.roles.clinician, facility.roles.clinician]) {
      expect((await remove(facility.roles.clinician, replacement)).statusCode).toBe(422);
    }
    expect((await remove(elsewhere.roles.clinician)).statusCode).toBe(404);
    const cold = withSession(server, await makeSession(server.db, { userId: admin.id, isConfirmed: false }));
    expect((await remove(facility.roles.clinician, undefined, cold)).statusCode).toBe(423);
    expect(await rolesNow()).toEqual(expect.arrayContaining([strong.id, facility.roles.clinician]));
  });

  it('PERM-2 whoever joins, invites or is given the role at the same time gets an answer that says what is', async () => {
    for (let round = 0; round < 6; round++) {
      const role = { id: newId(), facility_id: facility.id, name: `Round ${round}`, permissions: ['chats.create'] };
      await server.db.insertInto('roles').values(role).execute();
      const { token } = await invite([role.id]);
      const newcomer = await signedIn(server, (await makeUser(server.db)).id);
      const [removed, joined, invited, given] = await Promise.all([
        remove(role.id),
        newcomer.send('POST', `/api/invitations/${token}/accept`),
        asAdmin.send('POST', `/api/facilities/${facility.id}/invitations`, { body: { role_ids: [role.id] } }),
        asAdmin.send('PUT', `/api/facilities/${facility.id}/members/${nurse.id}/roles/${role.id}`),
      ]);
      expect(removed.statusCode).toBe(204);
      expect([204, 404]).toContain(joined.statusCode);
      expect([201, 422]).toContain(invited.statusCode);
      expect([200, 404]).toContain(given.statusCode);
    }
  });
});
