import { canGrant, PERMISSIONS } from '@wardline/contract/permissions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeInvitation, makeRegistration } from '#/testing/factories/accounts.ts';
import { type MadeFacility, makeFacility, makeMembership, newFacilityCode } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { linkMailedTo } from '#/testing/mailed-links.ts';
import { guest, newAddress, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { purgeImports } from './imports/purge-imports.ts';

let server: TestServer;
let facility: MadeFacility;
let admin: MadeUser;
let asAdmin: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  admin = await makeUser(server.db);
  await makeMembership(server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  asAdmin = await signedIn(server, admin.id);
});

interface Options {
  readonly role_ids?: readonly string[];
  readonly title?: string;
  readonly note?: string;
}

const url = () => `/api/facilities/${facility.id}/invitations`;
const create = (options: Options = {}, by = asAdmin) => by.send('POST', url(), { body: { role_ids: [], ...options } });
const revoke = (id: string, by = asAdmin) => by.send('DELETE', `${url()}/${id}`);
const show = (token: string) => guest(server).send('GET', `/api/invitations/${token}`, { ip: newAddress() });
const accept = (token: string, by: TestClient) =>
  by.send('POST', `/api/invitations/${token}/accept`, { ip: newAddress() });

async function list(): Promise<{ id: string; state: string }[]> {
  return (await asAdmin.send('GET', url())).json().data;
}

async function stranger(): Promise<{ user: MadeUser; client: TestClient }> {
  const user = await makeUser(server.db);
  return { user, client: await signedIn(server, user.id) };
}

async function makeRole(name: string, permissions: string[]): Promise<string> {
  const id = newId();
  await server.db.insertInto('roles').values({ id, facility_id: facility.id, name, permissions }).execute();
  return id;
}

function entriesOf(action: string) {
  return server.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', '=', action)
    .where('facility_id', '=', facility.id)
    .execute();
}

describe('making an invitation', () => {
  it('ACC-1 gives its token once, for 7 days, and lists it without', async () => {
    const made = await create({
      role_ids: [facility.roles.clinician, facility.roles.clinician],
      title: 'Nurse, MED 3A',
      note: 'Ana, from Monday',
    });
    expect(made.statusCode).toBe(201);
    const { invitation, token } = made.json();
    expect(invitation).toEqual({
      id: expect.any(String),
      note: 'Ana, from Monday',
      title: 'Nurse, MED 3A',
      email: null,
      roles: ['Clinician'],
      created_by_name: admin.name,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      state: 'open',
    });
    expect(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)).toBe(7 * 86_400_000);
    const listed = await asAdmin.send('GET', url());
    expect(listed.json()).toEqual({ data: [invitation], next_cursor: null });
    expect(listed.payload).not.toContain(token);
    expect(await entriesOf('invitation.create')).toMatchObject([
      {
        actor_id: admin.id,
        object_type: 'invitation',
        object_id: invitation.id,
        detail: { role_ids: [facility.roles.clinician] },
      },
    ]);
  });

  it('A30 gives no right that one does not have, and no role of another facility', async () => {
    const allowed = await create({ role_ids: [facility.roles.clinician, facility.roles.facilityAdministrator] });
    expect(allowed.statusCode).toBe(201);
    const setter = await makeRole('Census settings', ['census.view', 'census.configure']);
    const inviter = await stranger();
    const membership_id = await makeMembership(server.db, { userId: inviter.user.id, facility });
    const role_id = await makeRole('Who invites', ['members.manage']);
    await server.db
      .insertInto('membership_roles')
      .values({ membership_id, role_id, facility_id: facility.id })
      .execute();
    const tooMuch = await create({ role_ids: [facility.roles.clinician, setter] }, inviter.client);
    expect(tooMuch.statusCode).toBe(422);
    expect(tooMuch.json().errors).toEqual({
      role_ids: ['You can’t grant Census settings: it has permissions you don’t have.'],
    });
    const elsewhere = await makeFacility(server.db);
    for (const id of [elsewhere.roles.clinician, crypto.randomUUID()]) {
      const refused = await create({ role_ids: [id] });
      expect(refused.json().errors).toEqual({ role_ids: ['This role is not one of the facility.'] });
    }
    expect(await list()).toHaveLength(1);
  });

  it('F-U7 an administrator, who takes no census, invites a charge nurse and every other shipped role', async () => {
    const { chargeNurse, censusOfficer, houseSupervisor } = facility.roles;
    const { token } = (await create({ role_ids: [chargeNurse, censusOfficer, houseSupervisor] })).json();
    const { client } = await stranger();
    expect((await accept(token, client)).statusCode).toBeLessThan(300);
    const [membership] = (await client.send('GET', '/api/user')).json().memberships;
    expect(membership.roles).toEqual(['Census officer', 'Charge nurse', 'House supervisor']);
    expect(membership.permissions).toContain('census.report_units');
  });

  it('F-U7 whoever may only invite makes no administrators', async () => {
    const inviter = await stranger();
    const membership_id = await makeMembership(server.db, { userId: inviter.user.id, facility });
    const role_id = await makeRole('Inviter', ['members.manage']);
    await server.db
      .insertInto('membership_roles')
      .values({ membership_id, role_id, facility_id: facility.id })
      .execute();
    expect((await create({ role_ids: [facility.roles.chargeNurse] }, inviter.client)).statusCode).toBe(201);
    expect((await create({ role_ids: [facility.roles.facilityAdministrator] }, inviter.client)).statusCode).toBe(422);
  });

  it('A9 asks for the right again in the transaction, whatever this process remembers of the person', async () => {
    const { id, token } = await makeInvitation(server.db, { facility, createdBy: admin.id });
    expect((await asAdmin.send('GET', '/api/user')).statusCode).toBe(200);
    await server.db.deleteFrom('membership_roles').where('facility_id', '=', facility.id).execute();
    expect((await create()).statusCode).toBe(403);
    expect((await revoke(id)).statusCode).toBe(403);
    expect((await show(token)).statusCode).toBe(404);
  });

  it('PERM-2 the roles are listed with what they allow', async () => {
    const { data } = (await asAdmin.send('GET', `/api/facilities/${facility.id}/roles`)).json();
    const names = [
      'Census officer',
      'Charge nurse',
      'Clinician',
      'Facility administrator',
      'House supervisor',
      'Patient system',
    ];
    expect(data.map((role: { name: string }) => role.name)).toEqual(names);
    expect(data[2]).toEqual({
      id: facility.roles.clinician,
      name: 'Clinician',
      permissions: [
        'chats.create',
        'chats.break_glass',
        'examinations.write',
        'examinations.sign',
        'on_call.take',
        'phones.view',
        'census.view',
      ],
    });
  });

  it('A16 pages come the newest first, each invitation once, of this facility only', async () => {
    const other = await makeFacility(server.db);
    await makeMembership(server.db, { userId: admin.id, facility: other, roles: ['facilityAdministrator'] });
    await makeInvitation(server.db, { facility: other, createdBy: admin.id });
    const made: string[] = [];
    for (let turn = 0; turn < 7; turn++) {
      made.unshift((await makeInvitation(server.db, { facility, createdBy: admin.id })).id);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: { data: { id: string }[]; next_cursor: string | null } = (
        await asAdmin.send('GET', `${url()}?limit=3${cursor && `&cursor=${cursor}`}`)
      ).json();
      seen.push(...answer.data.map((invitation) => invitation.id));
      cursor = answer.next_cursor;
    }
    expect(seen).toEqual(made);
    expect((await asAdmin.send('GET', `${url()}?cursor=AAAA`)).statusCode).toBe(422);
  });
});

async function purgeAfterDays(days: number, id: string): Promise<void> {
  const made = new Date(Date.now() - days * 86_400_000 - 60_000);
  await server.db.updateTable('invitations').set({ created_at: made }).where('id', '=', id).execute();
  await purgeImports(server.db);
}

describe('following an invitation', () => {
  it('ACC-1 shows anybody who holds the link where it leads', async () => {
    const { token, invitation } = (await create()).json();
    const shown = await show(token);
    expect(shown.statusCode).toBe(200);
    expect(shown.json()).toEqual({
      facility_name: facility.name,
      expires_at: invitation.expires_at,
      email: null,
      is_member: false,
    });
  });

  it('ACC-1 says to whoever holds a link that was mailed to which address, while it is kept', async () => {
    const email = `${newId()}@people.test`;
    const { id, token } = await makeInvitation(server.db, { facility, createdBy: admin.id, email });
    expect((await show(token)).json()).toMatchObject({ facility_name: facility.name, email });
    const unknown = await show('A'.repeat(43));
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { message: 'Not found.', code: 'not_found' }]);
    await purgeAfterDays(30, id);
    expect((await show(token)).json()).toMatchObject({ facility_name: facility.name, email: null });
  });

  it('ADM-2 ACC-1 who is invited to administer a facility is named by the address, which is kept as any other', async () => {
    const operator = await signedIn(server, (await makeUser(server.db, { isOperator: true })).id);
    const [{ user, client }, { db }] = [await stranger(), server];
    const hospital = { name: 'St. Hedwig', time_zone: 'Europe/Berlin', census_time: '07:00' };
    const body = { ...hospital, code: newFacilityCode(), administrator_email: user.email };
    const made = await operator.send('POST', '/api/system/facilities', { body });
    expect(made.statusCode, made.payload).toBe(201);
    const { path } = await linkMailedTo(server, user.email);
    const token = new URL(path, 'http://wardline.test').searchParams.get('invitation') ?? '';
    expect((await show(token)).json()).toMatchObject({ facility_name: 'St. Hedwig', email: user.email });
    expect((await accept(token, client)).statusCode).toBe(204);
    const listed = async () => (await client.send('GET', `/api/facilities/${made.json().id}/invitations`)).json().data;
    expect(await listed()).toMatchObject([{ note: null, email: user.email, state: 'used' }]);
    await purgeAfterDays(30, (await listed())[0].id);
    const kept = db.selectFrom('invitations').selectAll().where('facility_id', '=', made.json().id);
    expect(JSON.stringify(await kept.execute())).not.toContain(user.email);
  });

  it('ACC-1 makes who is signed in a member with its roles and title, at once and on all tabs', async () => {
    const { token, invitation } = (
      await create({ role_ids: [facility.roles.clinician], title: 'Nurse, MED 3A' })
    ).json();
    const { user, client } = await stranger();
    const socket = await openSocket(server);
    await socket.join(client, `private-App.Models.User.${user.id}`);
    expect(await socket.join(client, `private-facility.${facility.id}`)).toBe(403);
    expect((await accept(token, client)).statusCode).toBe(204);
    const changes = await socket.next((frame) => frame.event === 'App\\Events\\MembershipChanged');
    expect(changes.data).toEqual({ facility_id: facility.id, chat_id: null, change: 'added' });
    expect((await client.send('GET', '/api/user')).json().memberships).toEqual([
      {
        facility_id: facility.id,
        facility_name: facility.name,
        title: 'Nurse, MED 3A',
        roles: ['Clinician'],
        permissions: [
          'census.view',
          'chats.break_glass',
          'chats.create',
          'examinations.sign',
          'examinations.write',
          'on_call.take',
          'phones.view',
        ],
      },
    ]);
    expect(await socket.join(client, `private-facility.${facility.id}`)).toBe('joined');
    socket.close();
    expect(await list()).toMatchObject([{ id: invitation.id, state: 'used' }]);
    expect(await entriesOf('invitation.accept')).toMatchObject([
      { actor_id: user.id, object_type: 'invitation', object_id: invitation.id },
    ]);
  });

  it('A4 is used once: of 50 who accept at the same moment one becomes a member', async () => {
    const { token } = (await create()).json();
    const racers = await Promise.all(Array.from({ length: 50 }, stranger));
    const statuses = await Promise.all(racers.map(async ({ client }) => (await accept(token, client)).statusCode));
    expect(statuses.sort()).toEqual([204, ...Array.from({ length: 49 }, () => 404)]);
    const members = await server.db
      .selectFrom('memberships')
      .select('user_id')
      .where('facility_id', '=', facility.id)
      .execute();
    expect(members).toHaveLength(2);
  });

  it('ACC-1 A3 says to a member alone that they belong there', async () => {
    const { token } = (await create()).json();
    const look = (client: TestClient) => client.send('GET', `/api/invitations/${token}`, { ip: newAddress() });
    expect((await look(asAdmin)).json()).toMatchObject({ facility_name: facility.name, is_member: true });
    expect((await look((await stranger()).client)).json()).toMatchObject({ is_member: false });
    expect((await look(guest(server))).json()).toMatchObject({ is_member: false });
  });

  it('ACC-1 keeps its use when a member accepts it, and lets a former member come back', async () => {
    const { token } = (await create()).json();
    const refused = await accept(token, asAdmin);
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual({ invitation: ['You are a member of this facility already.'] });
    expect(await list()).toMatchObject([{ state: 'open' }]);
    const { user, client } = await stranger();
    await makeMembership(server.db, { userId: user.id, facility });
    await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', user.id).execute();
    expect((await accept(token, client)).statusCode).toBe(204);
    expect((await client.send('GET', '/api/user')).json().memberships).toHaveLength(1);
  });

  it('ACC-1 waits for the email of who signed up with it, and is open again where nobody followed that in time', async () => {
    const { invitation } = (await create()).json();
    const { id } = await makeRegistration(server.db, { passwordHash: 'unused', invitationId: invitation.id });
    expect(await list()).toMatchObject([{ state: 'waiting' }]);
    await server.db.updateTable('registrations').set({ expires_at: new Date() }).where('id', '=', id).execute();
    expect(await list()).toMatchObject([{ state: 'open' }]);
  });

  it('A3 says the same of one that is unknown, late, used, revoked, or made by somebody who may no longer', async () => {
    const { db } = server;
    const late = await makeInvitation(db, { facility, createdBy: admin.id, expiresAt: new Date(Date.now() - 1) });
    const [used, revoked] = [(await create()).json(), (await create()).json()];
    await accept(used.token, (await stranger()).client);
    await revoke(revoked.invitation.id);
    const [left, disabled] = [await makeUser(db), await makeUser(db, { disabledAt: new Date() })];
    for (const user of [left, disabled]) {
      await makeMembership(db, { userId: user.id, facility, roles: ['facilityAdministrator'] });
    }
    await db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', left.id).execute();
    const orphans = [left, disabled].map((user) => makeInvitation(db, { facility, createdBy: user.id }));
    const tokens = [late.token, used.token, revoked.token, 'A'.repeat(43)];
    tokens.push(...(await Promise.all(orphans)).map((orphan) => orphan.token));
    const { client } = await stranger();
    for (const token of tokens) {
      for (const answer of [await show(token), await accept(token, client)]) {
        expect(answer.statusCode).toBe(404);
        expect(answer.json()).toEqual({ message: 'Not found.', code: 'not_found' });
      }
    }
    const states = (await list()).map((invitation) => invitation.state);
    expect(states).toEqual(['revoked', 'revoked', 'revoked', 'used', 'expired']);
  });

  it('A1 thirty looks a minute from one place are answered', async () => {
    const ip = newAddress();
    const statuses: number[] = [];
    for (let turn = 0; turn < 31; turn++) {
      statuses.push((await guest(server).send('GET', `/api/invitations/${'A'.repeat(43)}`, { ip })).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 404), 429]);
    const { client } = await stranger();
    expect((await client.send('POST', `/api/invitations/${'A'.repeat(43)}/accept`, { ip })).statusCode).toBe(429);
  });
});

describe('an invitation whose maker may do less by now', () => {
  const asManager = async (permissions: string[]) => {
    const user = await makeUser(server.db);
    const membership_id = await makeMembership(server.db, { userId: user.id, facility });
    const role_id = await makeRole('Manager', ['members.manage', ...permissions]);
    const row = { membership_id, role_id, facility_id: facility.id };
    await server.db.insertInto('membership_roles').values(row).execute();
    return { user, client: await signedIn(server, user.id), roleId: role_id };
  };

  it('A30 makes nobody what its maker could not make them now', async () => {
    const { client, roleId } = await asManager(['audit.view']);
    const auditor = await makeRole('Auditor', ['audit.view']);
    const made = (await create({ role_ids: [auditor] }, client)).json();
    const plain = (await create({ role_ids: [facility.roles.clinician] }, client)).json();
    await server.db
      .updateTable('roles')
      .set({ permissions: ['members.manage'] })
      .where('id', '=', roleId)
      .execute();
    expect((await show(made.token)).statusCode).toBe(404);
    expect((await accept(made.token, (await stranger()).client)).statusCode).toBe(404);
    const states = new Map((await list()).map(({ id, state }) => [id, state]));
    expect(states.get(made.invitation.id)).toBe('revoked');
    expect(states.get(plain.invitation.id)).toBe('open');
    expect((await accept(plain.token, (await stranger()).client)).statusCode).toBe(204);
  });

  it('A30 a role that allows more by now is not given by who could not give it', async () => {
    const { client } = await asManager([]);
    const clerk = await makeRole('Clerk', ['phones.view']);
    const { token } = (await create({ role_ids: [clerk] }, client)).json();
    await server.db
      .updateTable('roles')
      .set({ permissions: ['audit.view'] })
      .where('id', '=', clerk)
      .execute();
    expect((await accept(token, (await stranger()).client)).statusCode).toBe(404);
  });

  it('A30 F-U7 goes by the same list of permissions as making one', async () => {
    const { user } = await asManager([]);
    for (const permission of PERMISSIONS) {
      const role = await makeRole(`Role ${permission}`, [permission]);
      const { id, token } = await makeInvitation(server.db, { facility, createdBy: user.id });
      const row = { invitation_id: id, role_id: role, facility_id: facility.id };
      await server.db.insertInto('invitation_roles').values(row).execute();
      const expected = canGrant(['members.manage'], [permission]) ? 200 : 404;
      expect((await show(token)).statusCode, permission).toBe(expected);
    }
  });
});

describe('revoking an invitation', () => {
  it('ACC-1 takes its force, once in the audit, and not after somebody joined by it', async () => {
    const { invitation, token } = (await create()).json();
    for (let turn = 0; turn < 2; turn++) expect((await revoke(invitation.id)).statusCode).toBe(204);
    expect(await entriesOf('invitation.revoke')).toMatchObject([
      { actor_id: admin.id, object_type: 'invitation', object_id: invitation.id },
    ]);
    expect((await show(token)).statusCode).toBe(404);
    const used = (await create()).json();
    await accept(used.token, (await stranger()).client);
    const refused = await revoke(used.invitation.id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().message).toBe('Someone has already joined with this invitation.');
  });

  it('ACC-1 takes the force of one that somebody signed up with and has not joined by', async () => {
    const made = await makeInvitation(server.db, { facility, createdBy: admin.id });
    const body = {
      name: 'Ana Abel',
      email: `${crypto.randomUUID()}@people.test`,
      password: 'violet tram over the harbour',
      password_confirmation: 'violet tram over the harbour',
      invitation: made.token,
    };
    const browser = guest(server);
    await browser.send('GET', '/sanctum/csrf-cookie');
    expect((await browser.send('POST', '/register', { body, ip: newAddress() })).statusCode).toBe(204);
    expect(await list()).toMatchObject([{ state: 'waiting' }]);
    expect((await revoke(made.id)).statusCode).toBe(204);
    expect(await list()).toMatchObject([{ state: 'revoked' }]);
  });

  it('A16 finds none of another facility', async () => {
    const other = await makeFacility(server.db);
    const { id } = await makeInvitation(server.db, { facility: other, createdBy: admin.id });
    expect((await revoke(id)).statusCode).toBe(404);
  });
});
