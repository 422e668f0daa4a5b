import { canGrant, type Permission } from '@wardline/contract/permissions.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { limitMs, runs } from '#/testing/nightly.ts';
import { actsOf, audited, auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { SHIPPED_ROLES } from '../roles/shipped-roles.ts';

let server: TestServer;
let facility: MadeFacility;
let admin: MadeUser;
let member: MadeUser;
let asAdmin: TestClient;
let asMember: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server;
  facility = await makeFacility(db);
  [admin, member] = [await makeUser(db), await makeUser(db)];
  await makeMembership(db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  await makeMembership(db, { userId: member.id, facility });
  [asAdmin, asMember] = [await signedIn(server, admin.id), await signedIn(server, member.id)];
});

const roleUrl = (userId: string, roleId: string, of = facility.id) =>
  `/api/facilities/${of}/members/${userId}/roles/${roleId}`;
const give = (client: TestClient, userId: string, roleId: string) => client.send('PUT', roleUrl(userId, roleId));
const take = (client: TestClient, userId: string, roleId: string) => client.send('DELETE', roleUrl(userId, roleId));

/** Adds a role of these permissions. */
async function makeRole(name: string, permissions: readonly string[]): Promise<string> {
  const id = newId();
  await server.db
    .insertInto('roles')
    .values({ id, facility_id: facility.id, name, permissions: [...permissions] })
    .execute();
  return id;
}

/** Who may what in the facility, by person. */
async function rightsOf(): Promise<Map<string, string[]>> {
  const rows = await sql<{ user_id: string; permissions: string[] }>`
    select m.user_id, array_agg(distinct p order by p) as permissions
    from memberships m join membership_roles mr on mr.membership_id = m.id join roles r on r.id = mr.role_id
    cross join lateral unnest(r.permissions) p
    where m.facility_id = ${facility.id} and m.ended_at is null group by m.user_id`.execute(server.db);
  return new Map(rows.rows.map((row) => [row.user_id, row.permissions]));
}

const remove = (client: TestClient, userId: string) =>
  client.send('DELETE', `/api/facilities/${facility.id}/members/${userId}`);
const edit = (client: TestClient, roleId: string, body: object) =>
  client.send('PATCH', `/api/facilities/${facility.id}/roles/${roleId}`, { body });
const widen = (client: TestClient, _: string, roleId: string, permission: Permission) =>
  edit(client, roleId, { add: [permission] });
const narrow = (client: TestClient, _: string, roleId: string, permission: Permission) =>
  edit(client, roleId, { take: [permission] });
/** Makes a role and gives it to somebody. */
const make = async (client: TestClient, userId: string, _: string, permission: Permission) => {
  const body = { name: crypto.randomUUID(), permissions: [permission] };
  const made = await client.send('POST', `/api/facilities/${facility.id}/roles`, { body });
  return made.statusCode === 201 ? give(client, userId, made.json().id) : made;
};
const acts = { give, take, remove, widen, narrow, make };

/** Some that the manager below may grant, by having them or as everyday ones, and some that they may not. */
const TRIED = [
  'members.manage',
  'audit.view',
  'census.view',
  'facility.manage',
  'census.configure',
  'on_call.manage',
  'chats.manage',
] as const satisfies Permission[];

/** A facility with odd roles of these permissions, and a manager, a nurse, a clinician and an administrator; three of them act. */
async function makeCast(sets: readonly (readonly string[])[]) {
  facility = await makeFacility(server.db);
  const roles = [facility.roles.clinician, facility.roles.facilityAdministrator];
  for (const [index, set] of sets.entries()) roles.push(await makeRole(`Odd ${index}`, set));
  const own = ['members.manage', 'chats.create', 'audit.view'];
  const { chargeNurse, clinician, facilityAdministrator } = facility.roles;
  const ids: string[] = [];
  const manager = await makeRole('Manager', own);
  roles.push(manager);
  for (const roleId of [manager, chargeNurse, clinician, facilityAdministrator]) {
    const { id } = await makeUser(server.db);
    const membership_id = await makeMembership(server.db, { userId: id, facility });
    const row = { membership_id, role_id: roleId, facility_id: facility.id };
    await server.db.insertInto('membership_roles').values(row).execute();
    ids.push(id);
  }
  const clients = await Promise.all(ids.slice(0, 3).map((id) => signedIn(server, id)));
  return { ids, clients, roles, own };
}

describe('the roles of a member', () => {
  it('ADM-1 stay as they are while the account is disabled', async () => {
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', member.id).execute();
    expect((await give(asAdmin, member.id, facility.roles.chargeNurse)).statusCode).toBe(404);
    expect((await rightsOf()).get(member.id)).toBeUndefined();
  });

  it('ADM-1 F-U7 are given by who manages the members, though they do not have what the role allows', async () => {
    const answer = await give(asAdmin, member.id, facility.roles.chargeNurse);
    expect(answer.statusCode, answer.payload).toBe(200);
    expect(answer.json()).toMatchObject({ user_id: member.id, roles: ['Charge nurse'] });
    expect((await give(asAdmin, member.id, facility.roles.chargeNurse)).json().roles).toEqual(['Charge nurse']);
    expect((await asMember.send('GET', '/api/user')).json().memberships[0].permissions).toContain(
      'census.report_units',
    );
    const entries = await auditOf(server, 'member.give_role', admin.id);
    expect(entries).toMatchObject([
      { facility_id: facility.id, object_id: member.id, detail: { role_id: facility.roles.chargeNurse } },
    ]);
    expect((await take(asAdmin, member.id, facility.roles.chargeNurse)).json().roles).toEqual([]);
    expect((await asMember.send('GET', '/api/user')).json().memberships[0].permissions).toEqual([]);
    expect(await auditOf(server, 'member.take_role', admin.id)).toHaveLength(1);
  });

  it('ADM-3 PERM-2 what is given, taken, made and changed is one entry each: where, of whom and what; a repeat is none', async () => {
    const { clinician } = facility.roles;
    const twice = async (act: () => Promise<unknown>) => {
      for (let turn = 0; turn < 2; turn++) await act();
    };
    await twice(() => give(asAdmin, member.id, clinician));
    await twice(() => take(asAdmin, member.id, clinician));
    const body = { name: 'Clerk', permissions: ['phones.view'] };
    const role = (await asAdmin.send('POST', `/api/facilities/${facility.id}/roles`, { body })).json().id;
    await twice(() => edit(asAdmin, role, { add: ['census.view'], take: ['phones.view'] }));
    const settings = `/api/facilities/${facility.id}/settings`;
    await twice(() => asAdmin.send('PATCH', settings, { body: { expected_version: 1, name: 'St. Hedwig' } }));
    await twice(() => remove(asAdmin, member.id));
    const [of, here] = [['user', member.id] as const, { facility_id: facility.id }];
    expect(await actsOf(server, admin.id)).toEqual([
      audited('member.give_role', of, { ...here, detail: { role_id: clinician } }),
      audited('member.take_role', of, { ...here, detail: { role_id: clinician } }),
      audited('role.create', ['role', role], { ...here, detail: { permissions: ['phones.view'] } }),
      audited('role.update', ['role', role], { ...here, detail: { before: ['phones.view'], after: ['census.view'] } }),
      audited('facility.update', [], { ...here, detail: { fields: ['name'] } }),
      audited('member.remove', of, here),
    ]);
  });

  it('ADM-1 A16 of who works in two facilities are changed in one, and no role of the other is given', async () => {
    const other = await makeFacility(server.db);
    await makeMembership(server.db, { userId: admin.id, facility: other, roles: ['facilityAdministrator'] });
    const both = await makeUser(server.db);
    await makeMembership(server.db, { userId: both.id, facility: other, roles: ['clinician'] });
    await makeMembership(server.db, { userId: both.id, facility });
    const asBoth = await signedIn(server, both.id);
    for (const act of [give, take]) {
      expect((await act(asAdmin, both.id, other.roles.clinician)).statusCode).toBe(404);
    }
    expect((await give(asAdmin, both.id, facility.roles.clinician)).statusCode).toBe(200);
    expect((await take(asAdmin, both.id, facility.roles.clinician)).statusCode).toBe(200);
    const there = roleUrl(both.id, other.roles.chargeNurse, other.id);
    expect((await asAdmin.send('PUT', there)).json().roles).toEqual(['Charge nurse', 'Clinician']);
    const memberships = (await asBoth.send('GET', '/api/user')).json().memberships;
    const held = memberships.map(({ facility_id, roles }: { facility_id: string; roles: string[] }) => [
      facility_id,
      roles,
    ]);
    expect(new Map(held)).toEqual(
      new Map([
        [facility.id, []],
        [other.id, ['Charge nurse', 'Clinician']],
      ]),
    );
    const made = await makeRole('Clerk', ['phones.view']);
    // The name is taken here, and free there.
    const named = (of: string) =>
      asAdmin.send('POST', `/api/facilities/${of}/roles`, { body: { name: 'Clerk', permissions: [] } });
    expect([(await named(facility.id)).statusCode, (await named(other.id)).statusCode]).toEqual([422, 201]);
    expect((await edit(asAdmin, made, { name: 'Clerk', add: ['census.view'] })).statusCode).toBe(200);
    expect((await remove(asAdmin, both.id)).statusCode).toBe(204);
    expect((await asBoth.send('GET', '/api/user')).json().memberships).toMatchObject([{ facility_id: other.id }]);
  });

  it('ACC-7 end what they allowed at once: the channels close, and the person is told', async () => {
    await give(asAdmin, member.id, facility.roles.clinician);
    const socket = await openSocket(server);
    const [own, census] = [`private-App.Models.User.${member.id}`, `private-census.${facility.id}`];
    for (const channel of [own, census]) expect(await socket.join(asMember, channel)).toBe('joined');
    await take(asAdmin, member.id, facility.roles.clinician);
    const told = await socket.next((frame) => frame.event === 'App\\Events\\MembershipChanged');
    expect(told.channel).toBe(own);
    expect(told.data).toEqual({ facility_id: facility.id, chat_id: null, change: 'changed' });
    const ended = await socket.next((frame) => frame.event === 'pusher:subscription_error');
    expect(ended.channel).toBe(census);
    expect(await socket.join(asMember, census)).toBe(403);
    expect((await asMember.send('GET', `/api/census/facilities/${facility.id}/settings`)).statusCode).toBe(403);
    socket.close();
  });

  it('A30 are not given or taken where they allow more than one may grant', async () => {
    const deputy = await makeUser(server.db);
    await makeMembership(server.db, { userId: deputy.id, facility });
    await give(asAdmin, deputy.id, await makeRole('Deputy', ['members.manage']));
    const asDeputy = await signedIn(server, deputy.id);
    for (const act of [give, take]) {
      for (const who of [deputy.id, admin.id, member.id]) {
        const refused = await act(asDeputy, who, facility.roles.facilityAdministrator);
        expect(refused.statusCode).toBe(422);
        expect(refused.json().errors.role).toEqual([
          'You can’t give or take Facility administrator: it has permissions you don’t have.',
        ]);
      }
    }
    expect((await give(asDeputy, member.id, facility.roles.clinician)).statusCode).toBe(200);
  });

  it('A30 leave somebody in charge: the last one can’t take the role from themselves', async () => {
    const refused = await take(asAdmin, admin.id, facility.roles.facilityAdministrator);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().message).toBe(
      'This is the last person who can manage the members. Give someone else that permission first.',
    );
    expect((await rightsOf()).get(admin.id)).toContain('members.manage');
    await give(asAdmin, member.id, facility.roles.facilityAdministrator);
    expect((await take(asAdmin, admin.id, facility.roles.facilityAdministrator)).statusCode).toBe(200);
    expect((await give(asAdmin, admin.id, facility.roles.facilityAdministrator)).statusCode).toBe(403);
  });

  it('A30 leave somebody in charge when 20 who are take it from each other and leave at the same moment', async () => {
    const people = [admin];
    for (let more = 1; more < 20; more++) {
      const person = await makeUser(server.db);
      await makeMembership(server.db, { userId: person.id, facility, roles: ['facilityAdministrator'] });
      people.push(person);
    }
    const clients = await Promise.all(people.map((person) => signedIn(server, person.id)));
    const answers = await Promise.all(
      clients.map((client, index) => {
        const target = (people[(index + 1) % people.length] ?? admin).id;
        return index % 2 === 0
          ? take(client, target, facility.roles.facilityAdministrator)
          : client.send('DELETE', `/api/facilities/${facility.id}/members/${target}`);
      }),
    );
    // 404 where somebody was taken out before the act was asked: they know nothing of the facility.
    for (const { statusCode } of answers) expect([200, 204, 403, 404, 409]).toContain(statusCode);
    const inCharge = [...(await rightsOf()).values()].filter((rights) => rights.includes('members.manage'));
    expect(inCharge.length).toBeGreaterThanOrEqual(1);
    expect(inCharge.length).toBeLessThan(20);
  });

  it('A9 asks for the right again in the transaction, whatever this process remembers of the person', async () => {
    expect((await asAdmin.send('GET', '/api/user')).statusCode).toBe(200);
    await server.db.deleteFrom('membership_roles').where('facility_id', '=', facility.id).execute();
    expect((await give(asAdmin, member.id, facility.roles.clinician)).statusCode).toBe(403);
    expect((await rightsOf()).size).toBe(0);
  });

  it('PERM-3 A16 need the right, and know neither people nor roles of elsewhere', async () => {
    expect((await give(asMember, member.id, facility.roles.clinician)).statusCode).toBe(403);
    const other = await makeFacility(server.db);
    expect((await give(asAdmin, member.id, other.roles.clinician)).statusCode).toBe(404);
    const stranger = await makeUser(server.db);
    expect((await give(asAdmin, stranger.id, facility.roles.clinician)).statusCode).toBe(404);
    const asStranger = await signedIn(server, stranger.id);
    expect((await give(asStranger, member.id, facility.roles.clinician)).statusCode).toBe(404);
    await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', member.id).execute();
    expect((await give(asAdmin, member.id, facility.roles.clinician)).statusCode).toBe(404);
  });

  it(
    'A30 PERM-2 no sequence of giving, taking, removing and editing ends with more than who acted could grant, or with nobody in charge',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.subarray([...TRIED]), { minLength: 4, maxLength: 4 }),
          fc.array(
            fc.record({
              act: fc.constantFrom(
                ...(['give', 'give', 'take', 'remove', 'widen', 'widen', 'narrow', 'make'] as const),
              ),
              // Mostly who may do something.
              actor: fc.constantFrom(0, 0, 0, 1, 2),
              target: fc.nat(3),
              role: fc.nat(6),
              permission: fc.constantFrom(...TRIED),
            }),
            { minLength: 6, maxLength: 20 },
          ),
          async (sets, steps) => {
            const { ids, clients, roles, own } = await makeCast(sets);
            const before = await rightsOf();
            for (const { act, actor, target, role, permission } of steps) {
              const [client, userId, roleId] = [clients[actor], ids[target] ?? '', roles[role] ?? ''];
              if (client) await acts[act](client, userId, roleId, permission);
              const now = await rightsOf();
              for (const [who, rights] of now) {
                const more = rights.filter((right) => !before.get(who)?.includes(right));
                expect(canGrant(own, more), `${who} has ${more}`).toBe(true);
              }
              expect([...now.values()].some((rights) => rights.includes('members.manage'))).toBe(true);
            }
          },
        ),
        { numRuns: runs(20) },
      );
    },
    limitMs(60_000),
  );
});

describe('the roles of a facility', () => {
  const send = (method: 'POST' | 'PATCH', path: string, body: object, client = asAdmin) =>
    client.send(method, `/api/facilities/${facility.id}/roles${path}`, { body });
  const update = (roleId: string, body: object, client = asAdmin) => send('PATCH', `/${roleId}`, body, client);

  it('PERM-2 are made of permissions, with a name of their own', async () => {
    const made = await send('POST', '', {
      name: 'Ward clerk',
      permissions: ['phones.view', 'census.view', 'phones.view'],
    });
    expect(made.statusCode, made.payload).toBe(201);
    expect(made.json()).toEqual({
      id: expect.any(String),
      name: 'Ward clerk',
      permissions: ['census.view', 'phones.view'],
    });
    const listed = (await asAdmin.send('GET', `/api/facilities/${facility.id}/roles`)).json().data;
    expect(listed).toContainEqual(made.json());
    expect((await send('POST', '', { name: 'ward CLERK', permissions: [] })).json().errors).toEqual({
      name: ['There is a role of this name already.'],
    });
    expect((await send('POST', '', { name: 'Odd', permissions: ['patients.eat'] })).statusCode).toBe(422);
    expect(await auditOf(server, 'role.create', admin.id)).toMatchObject([
      { object_id: made.json().id, detail: { permissions: ['census.view', 'phones.view'] } },
    ]);
  });

  it('PERM-2 ACC-7 shipped ones change as well, for all who have them and at once', async () => {
    await give(asAdmin, member.id, facility.roles.clinician);
    const socket = await openSocket(server);
    const [own, census] = [`private-App.Models.User.${member.id}`, `private-census.${facility.id}`];
    for (const channel of [own, census]) expect(await socket.join(asMember, channel)).toBe('joined');
    const changed = await update(facility.roles.clinician, {
      name: 'Doctor',
      add: ['on_call.manage'],
      take: ['census.view'],
    });
    const { permissions } = SHIPPED_ROLES.clinician;
    const left = [...permissions.filter((each) => each !== 'census.view'), 'on_call.manage'].sort();
    expect(changed.json()).toEqual({ id: facility.roles.clinician, name: 'Doctor', permissions: left });
    expect((await socket.next((frame) => frame.event === 'App\\Events\\MembershipChanged')).channel).toBe(own);
    expect((await socket.next((frame) => frame.event === 'pusher:subscription_error')).channel).toBe(census);
    socket.close();
    expect((await asMember.send('GET', '/api/user')).json().memberships).toMatchObject([
      { roles: ['Doctor'], permissions: left },
    ]);
    expect(await auditOf(server, 'role.update', admin.id)).toHaveLength(1);
    // The same again is no change.
    expect((await update(facility.roles.clinician, { take: ['census.view'] })).statusCode).toBe(200);
    expect(await auditOf(server, 'role.update', admin.id)).toHaveLength(1);
  });

  it('PERM-2 of two who change a role at once neither loses what the other did', async () => {
    const role = await makeRole('Clerk', ['phones.view']);
    await Promise.all([update(role, { add: ['census.view'] }), update(role, { add: ['chats.create'] })]);
    const { permissions } = (await update(role, {})).json();
    expect(permissions).toEqual(['census.view', 'chats.create', 'phones.view']);
  });

  it('A30 PERM-2 allow nothing that who makes them could not grant, and keep somebody in charge', async () => {
    const deputy = await makeUser(server.db);
    await makeMembership(server.db, { userId: deputy.id, facility });
    const deputies = await makeRole('Deputy', ['members.manage']);
    await give(asAdmin, deputy.id, deputies);
    const asDeputy = await signedIn(server, deputy.id);
    const tries = [
      () => send('POST', '', { name: 'More', permissions: ['audit.view'] }, asDeputy),
      () => update(deputies, { add: ['facility.manage'] }, asDeputy),
      () => update(facility.roles.facilityAdministrator, { take: ['audit.view'] }, asDeputy),
      () => update(facility.roles.facilityAdministrator, { name: 'Powerless' }, asDeputy),
    ];
    for (const attempt of tries) {
      const refused = await attempt();
      expect(refused.statusCode).toBe(422);
      expect(refused.json().errors.permissions[0]).toMatch(
        /^You can’t give or take (audit\.view|facility\.manage|.*): /,
      );
    }
    expect((await update(deputies, { add: ['census.view'] }, asDeputy)).statusCode).toBe(200);
    await take(asAdmin, deputy.id, deputies);
    expect((await update(facility.roles.facilityAdministrator, { take: ['members.manage'] })).statusCode).toBe(409);
    expect((await rightsOf()).get(admin.id)).toContain('members.manage');
  });

  it('PERM-3 A16 need the right, and there are none of elsewhere', async () => {
    expect((await send('POST', '', { name: 'Mine', permissions: [] }, asMember)).statusCode).toBe(403);
    const other = await makeFacility(server.db);
    expect((await update(other.roles.clinician, { name: 'Theirs' })).statusCode).toBe(404);
  });
});

describe('the settings of a facility', () => {
  const url = () => `/api/facilities/${facility.id}/settings`;
  const patch = (body: object, client = asAdmin) => client.send('PATCH', url(), { body });

  it('ADM-1 are its name, short name and location, with how many may do what', async () => {
    const shown = (await asAdmin.send('GET', url())).json();
    expect(shown).toMatchObject({
      name: facility.name,
      code: facility.code,
      latitude: null,
      longitude: null,
      member_count: 2,
    });
    expect(shown.holders).toMatchObject({ 'members.manage': 1, 'facility.manage': 1 });
    const body = { expected_version: shown.version, name: 'St. Hedwig', code: 'hw', latitude: -90, longitude: 180 };
    expect((await patch(body)).json()).toMatchObject({
      ...{ version: shown.version + 1, name: 'St. Hedwig', code: 'HW', latitude: -90, longitude: 180 },
    });
    expect((await asAdmin.send('GET', '/api/facilities')).json().data).toMatchObject([
      { name: 'St. Hedwig', code: 'HW' },
    ]);
    const entries = await auditOf(server, 'facility.update', admin.id);
    expect(entries).toMatchObject([{ detail: { fields: ['name', 'code', 'latitude', 'longitude'] } }]);
    // Nothing new is no change.
    expect((await patch({ expected_version: shown.version + 1, name: 'St. Hedwig' })).json().version).toBe(
      shown.version + 1,
    );
  });

  it('ADM-1 CHAT-12 are stored as they were answered, each by itself', async () => {
    for (const change of [{ shows_last_seen: false }, { shows_last_seen: true }, { latitude: 1, longitude: 2 }]) {
      const shown = (await asAdmin.send('GET', url())).json();
      const saved = (await patch({ expected_version: shown.version, ...change })).json();
      expect(saved).toEqual({ ...shown, ...change, version: shown.version + 1 });
      expect((await asAdmin.send('GET', url())).json()).toEqual(saved);
    }
  });

  it('ADM-1 HAND-1 say when its shifts begin, by their times', async () => {
    const shown = (await asAdmin.send('GET', url())).json();
    const usual = [
      { name: 'Day', time: '07:00' },
      { name: 'Night', time: '19:00' },
    ];
    expect(shown.shift_starts).toEqual(usual);
    const three = [
      { name: 'Night', time: '22:00' },
      { name: 'Early', time: '06:00' },
      { name: ' Late ', time: '14:00' },
    ];
    const saved = (await patch({ expected_version: shown.version, shift_starts: three })).json();
    expect(saved.shift_starts).toEqual([three[1], { name: 'Late', time: '14:00' }, three[0]]);
    expect(await auditOf(server, 'facility.update', admin.id)).toMatchObject([
      { detail: { fields: ['shift_starts'] } },
    ]);
    // The same once more is no change, and neither is another thing to them.
    const again = { expected_version: saved.version, shift_starts: saved.shift_starts };
    expect((await patch(again)).json().version).toBe(saved.version);
    const named = (await patch({ expected_version: saved.version, name: 'St. Hedwig' })).json();
    expect(named.shift_starts).toEqual(saved.shift_starts);
    const wrong = [
      [],
      [...three, { name: 'Four', time: '01:00' }, { name: 'Five', time: '02:00' }],
      [{ name: 'Day', time: '24:00' }],
      [{ name: '', time: '07:00' }],
      [{ name: 'N'.repeat(21), time: '07:00' }],
      [usual[0], { name: 'Night', time: '07:00' }],
      [usual[0], { name: 'day', time: '19:00' }],
    ];
    for (const shift_starts of wrong) {
      const refused = await patch({ expected_version: named.version, shift_starts });
      expect(refused.statusCode, JSON.stringify(shift_starts)).toBe(422);
      expect(Object.keys(refused.json().errors)[0]).toMatch(/^shift_starts/);
    }
  });

  it('ADM-1 take no place off the globe, no half of one, and nobody else’s change away', async () => {
    const wrong: [string, object][] = [
      ['latitude', { latitude: 90.01, longitude: 0 }],
      ['latitude', { latitude: -90.01, longitude: 0 }],
      ['longitude', { latitude: 0, longitude: 180.01 }],
      ['longitude', { latitude: 0, longitude: -180.01 }],
      ['longitude', { latitude: 12 }],
      ['name', { name: ' ' }],
      ['code', { code: 'A-B' }],
      ['time_zone', { time_zone: 'Europe/Berlin' }],
    ];
    for (const [field, body] of wrong) {
      const refused = await patch({ expected_version: 1, ...body });
      expect(refused.statusCode, JSON.stringify(body)).toBe(422);
      expect(Object.keys(refused.json().errors)).toEqual([field]);
    }
    const both = await Promise.all([1, 2].map((turn) => patch({ expected_version: 1, name: `Name ${turn}` })));
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await patch({ expected_version: 2, name: 'Taken over' }, asMember)).statusCode).toBe(403);
  });
});
