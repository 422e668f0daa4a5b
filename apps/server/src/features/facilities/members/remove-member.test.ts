import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

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
  await makeMembership(db, { userId: member.id, facility, roles: ['clinician'] });
  [asAdmin, asMember] = [await signedIn(server, admin.id), await signedIn(server, member.id)];
});

const remove = (client: TestClient, userId: string) =>
  client.send('DELETE', `/api/facilities/${facility.id}/members/${userId}`);

function activeMembers() {
  return server.db
    .selectFrom('memberships')
    .select('user_id')
    .where('facility_id', '=', facility.id)
    .where('ended_at', 'is', null)
    .execute();
}

describe('removing a member', () => {
  it('ACC-7 ends the membership and every place in the chats of the facility, at once and with an audit entry', async () => {
    const { db } = server;
    const elsewhere = await makeFacility(db);
    await makeMembership(db, { userId: member.id, facility: elsewhere, roles: ['clinician'] });
    const participants = [{ userId: member.id }];
    const here = await makeChat(db, { facilityId: facility.id, participants: [{ userId: admin.id }, ...participants] });
    const there = await makeChat(db, { facilityId: elsewhere.id, participants });
    expect((await asMember.send('GET', `/api/chats/${here.id}`)).statusCode).toBe(200);

    expect((await remove(asAdmin, member.id)).statusCode).toBe(204);

    expect((await asMember.send('GET', `/api/chats/${here.id}`)).statusCode).toBe(404);
    expect((await asMember.send('GET', `/api/facilities/${facility.id}/members`)).statusCode).toBe(404);
    expect((await asMember.send('GET', `/api/chats/${there.id}`)).statusCode).toBe(200);
    const memberships = (await asMember.send('GET', '/api/user')).json().memberships;
    expect(memberships.map((membership: { facility_id: string }) => membership.facility_id)).toEqual([elsewhere.id]);
    const places = await db
      .selectFrom('chat_participants')
      .select(['chat_id', 'left_at'])
      .where('user_id', '=', member.id)
      .execute();
    expect(places).toHaveLength(2);
    expect(places.find((place) => place.chat_id === here.id)?.left_at).toBeInstanceOf(Date);
    expect(places.find((place) => place.chat_id === there.id)?.left_at).toBeNull();
    const audit = await db.selectFrom('audit_entries').selectAll().where('action', '=', 'member.remove').execute();
    expect(audit.filter((entry) => entry.object_id === member.id)).toMatchObject([
      { actor_id: admin.id, facility_id: facility.id, object_type: 'user', outcome: 'done' },
    ]);
    expect((await remove(asAdmin, member.id)).statusCode).toBe(404);
  });

  it('A14 tells the person on the own channel and closes the channels of the facility', async () => {
    const chat = await makeChat(server.db, {
      facilityId: facility.id,
      participants: [{ userId: admin.id }, { userId: member.id }],
    });
    const socket = await openSocket(server);
    const channels = [
      `private-App.Models.User.${member.id}`,
      `private-facility.${facility.id}`,
      `presence-chat.${chat.id}`,
    ];
    for (const channel of channels) expect(await socket.join(asMember, channel)).toBe('joined');
    await remove(asAdmin, member.id);
    const changes = await socket.next((frame) => frame.event === 'App\\Events\\MembershipChanged');
    expect(changes.channel).toBe(channels[0]);
    expect(changes.data).toEqual({ facility_id: facility.id, chat_id: null, change: 'removed' });
    const ended = await Promise.all(
      channels
        .slice(1)
        .map((channel) =>
          socket.next((frame) => frame.event === 'pusher:subscription_error' && frame.channel === channel),
        ),
    );
    expect(ended.map((frame) => (frame.data as { status: number }).status)).toEqual([403, 403]);
    await asAdmin.send('POST', `/api/chats/${chat.id}/messages`, {
      body: { client_id: crypto.randomUUID(), body: 'only for those who are still here' },
    });
    await socket.settle();
    expect(JSON.stringify(socket.frames)).not.toContain('only for those who are still here');
    for (const channel of channels.slice(1)) expect(await socket.join(asMember, channel)).toBe(403);
    socket.close();
  });

  it('A30 refuses to remove the last person who can manage the members, and says why', async () => {
    const disabled = await makeUser(server.db, { disabledAt: new Date() });
    await makeMembership(server.db, { userId: disabled.id, facility, roles: ['facilityAdministrator'] });
    const refused = await remove(asAdmin, admin.id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({
      message: 'This is the last person who can manage the members. Give someone else that permission first.',
      code: 'conflict',
    });
    expect(await activeMembers()).toHaveLength(3);
    const second = await makeUser(server.db);
    await makeMembership(server.db, { userId: second.id, facility, roles: ['facilityAdministrator'] });
    expect((await remove(asAdmin, admin.id)).statusCode).toBe(204);
  });

  it('A30 leaves somebody in charge when all who are remove each other at the same moment', async () => {
    const people = [admin];
    for (let more = 0; more < 4; more++) {
      const person = await makeUser(server.db);
      await makeMembership(server.db, { userId: person.id, facility, roles: ['facilityAdministrator'] });
      people.push(person);
    }
    const clients = await Promise.all(people.map((person) => signedIn(server, person.id)));
    await Promise.all(
      clients.map((client, index) => remove(client, (people[(index + 1) % people.length] ?? admin).id)),
    );
    const left = (await activeMembers()).filter((row) => people.some((person) => person.id === row.user_id));
    expect(left.length).toBeGreaterThanOrEqual(1);
    expect(left.length).toBeLessThan(people.length);
  });

  it('A30 refuses to remove somebody who may do more than the one who asks, and says so; the other way round it goes', async () => {
    const { db } = server;
    const clerk = await makeUser(db);
    await makeMembership(db, { userId: clerk.id, facility, roles: ['clinician'] });
    await db
      .updateTable('roles')
      .set({ permissions: ['members.manage'] })
      .where('id', '=', facility.roles.clinician)
      .execute();
    const asClerk = await signedIn(server, clerk.id);
    const refused = await remove(asClerk, admin.id);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'You can’t remove someone who has permissions you don’t have.',
    ]);
    const setDisabled = (disabled_at: Date | null) =>
      db.updateTable('users').set({ disabled_at }).where('id', '=', admin.id).execute();
    await setDisabled(new Date());
    expect((await remove(asClerk, admin.id)).statusCode, 'also while the account is disabled').toBe(403);
    await setDisabled(null);
    expect((await activeMembers()).map(({ user_id }) => user_id)).toContain(admin.id);
    expect((await remove(asClerk, member.id)).statusCode).toBe(204);
    expect((await remove(asAdmin, clerk.id)).statusCode).toBe(204);
  });

  it('A9 asks for the right again in the transaction, whatever this process remembers of the person', async () => {
    expect((await asAdmin.send('GET', '/api/user')).statusCode).toBe(200);
    await server.db.deleteFrom('membership_roles').where('facility_id', '=', facility.id).execute();
    expect((await remove(asAdmin, member.id)).statusCode).toBe(403);
    expect(await activeMembers()).toHaveLength(2);
  });

  it('PERM-3 needs the right, and tells a stranger nothing', async () => {
    expect((await remove(asMember, admin.id)).statusCode).toBe(403);
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    const asStranger = await remove(stranger, member.id);
    expect(asStranger.statusCode).toBe(404);
    expect(asStranger.json()).toEqual({ message: 'Not found.', code: 'not_found' });
    expect((await remove(asAdmin, (await makeUser(server.db)).id)).statusCode).toBe(404);
    expect(await activeMembers()).toHaveLength(2);
    const refusals = await server.db
      .selectFrom('audit_entries')
      .select('detail')
      .where('actor_id', '=', member.id)
      .where('outcome', '=', 'refused')
      .execute();
    expect(refusals).toEqual([{ detail: { endpoint: 'removeMember' } }]);
  });
});
