import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeInvitation } from '#/testing/factories/accounts.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { auditOf, guest, newAddress, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket, type ReceivedFrame } from '#/testing/test-socket.ts';

let server: TestServer;
let operator: MadeUser;
let asOperator: TestClient;
let facility: MadeFacility;
let boss: MadeUser;
let nurse: MadeUser;
let asBoss: TestClient;
let asNurse: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  operator = await makeUser(server.db, { isOperator: true });
  asOperator = await signedIn(server, operator.id);
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db, { name: 'St. Hedwig' });
  [boss, nurse] = [await makeUser(server.db), await makeUser(server.db)];
  await makeMembership(server.db, { userId: boss.id, facility, roles: ['facilityAdministrator', 'clinician'] });
  await makeMembership(server.db, { userId: nurse.id, facility, roles: ['clinician'] });
  [asBoss, asNurse] = [await signedIn(server, boss.id), await signedIn(server, nurse.id)];
});

const url = () => `/api/system/facilities/${facility.id}/deactivation`;
const close = (name = 'St. Hedwig') => asOperator.send('POST', url(), { body: { name } });
const reopen = () => asOperator.send('DELETE', url());

describe('deactivating a facility', () => {
  it('ADM-2 asks for its name, and closes it within a second: reading, writing, open sockets', async () => {
    const chat = await makeChat(server.db, {
      facilityId: facility.id,
      participants: [{ userId: boss.id }, { userId: nurse.id }],
    });
    const say = (client: TestClient) =>
      client.send('POST', `/api/chats/${chat.id}/messages`, {
        body: { client_id: crypto.randomUUID(), body: 'Bed 4 is free.', device_time: '2026-01-02T03:04:05Z' },
      });
    expect((await say(asNurse)).statusCode).toBe(201);
    const socket = await openSocket(server);
    expect(await socket.join(asNurse, `private-facility.${facility.id}`)).toBe('joined');
    const wrong = await close('St. Hedwig 2');
    expect([wrong.statusCode, wrong.json().errors]).toEqual([422, { name: ['This is not the name of the facility.'] }]);
    expect((await say(asNurse)).statusCode).toBe(201);
    const at = performance.now();
    expect((await close()).json()).toMatchObject({ name: 'St. Hedwig', deactivated_at: expect.any(String) });
    for (const answer of [
      await say(asNurse),
      await asNurse.send('GET', `/api/chats/${chat.id}`),
      await asBoss.send('GET', `/api/facilities/${facility.id}/members`),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'facility_closed']);
    }
    expect(performance.now() - at).toBeLessThan(5_000);
    expect((await asNurse.send('GET', '/api/user')).json()).toMatchObject({
      ...{ memberships: [], closed_facilities: ['St. Hedwig'], factor_rules: [] },
    });
    expect(await socket.join(asNurse, `private-facility.${facility.id}`)).toBe(403);
    socket.close();
    const sync = (await asNurse.send('GET', '/api/sync')).payload;
    expect(sync).not.toContain('Bed 4');
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    expect((await stranger.send('GET', `/api/chats/${chat.id}`)).statusCode).toBe(404);
    const kept = server.db
      .selectFrom('messages')
      .select('id')
      .where('chat_id', '=', chat.id)
      .where('kind', '=', 'text');
    expect(await kept.execute()).toHaveLength(2);
    expect((await close()).statusCode).toBe(409);
    expect((await reopen()).json()).toMatchObject({ deactivated_at: null });
    expect((await say(asNurse)).statusCode).toBe(201);
    expect((await reopen()).statusCode).toBe(409);
  });

  it('ADM-2 tells the open devices of its members at once, when it is closed and when it is opened again', async () => {
    const told = ({ event, data }: ReceivedFrame) =>
      event === 'App\\Events\\MembershipChanged' && JSON.stringify(data).includes(facility.id);
    const channel = `private-App.Models.User.${nurse.id}`;
    const [open, again] = [await openSocket(server), await openSocket(server)];
    expect(await open.join(asNurse, channel)).toBe('joined');
    await close();
    expect((await open.next(told)).data).toMatchObject({ facility_id: facility.id, change: 'changed' });
    // It comes back without the news of the closed one.
    expect(await open.closed).toBe(4100);
    expect(await again.join(asNurse, channel)).toBe('joined');
    await reopen();
    expect((await again.next(told)).data).toMatchObject({ facility_id: facility.id, change: 'changed' });
    again.close();
  });

  it('ADM-2 ADM-3 stands in the audit of the installation and of the facility, both times', async () => {
    await close();
    await reopen();
    for (const action of ['facility.deactivate', 'facility.reopen']) {
      const entries = (await auditOf(server, action, operator.id)).filter((e) => e.object_id === facility.id);
      expect(entries.map((entry) => entry.facility_id).sort()).toEqual([facility.id, null].sort());
      for (const entry of entries) expect(entry).toMatchObject({ object_type: 'facility', outcome: 'done' });
    }
  });

  it('ADM-2 ACC-1 lets nobody join meanwhile, and gives nobody an administrator', async () => {
    const { token } = await makeInvitation(server.db, { facility, createdBy: boss.id });
    await close();
    const look = () => guest(server).send('GET', `/api/invitations/${token}`, { ip: newAddress() });
    expect((await look()).statusCode).toBe(404);
    const invited = await asOperator.send('POST', `/api/system/facilities/${facility.id}/administrators`, {
      body: { email: operator.email },
    });
    expect(invited.statusCode).toBe(409);
    await reopen();
    expect((await look()).statusCode).toBe(200);
  });

  it('ADM-2 URG-1 ladders rest while it is closed, and go on once it is open', async () => {
    const chat = await makeChat(server.db, {
      facilityId: facility.id,
      participants: [{ userId: boss.id }, { userId: nurse.id }],
    });
    const sent = await asBoss.send('POST', `/api/chats/${chat.id}/messages`, {
      body: {
        ...{ client_id: crypto.randomUUID(), body: 'Bleeding in bed 4' },
        urgent: { targets: { people: [nurse.id], role_id: null } },
      },
    });
    expect(sent.statusCode, sent.payload).toBe(201);
    const state = async () =>
      (
        await sql<{ step: number; version: number }>`
        select step, version from escalations where facility_id = ${facility.id}`.execute(server.db)
      ).rows[0];
    const before = await state();
    expect(before).toBeDefined();
    await close();
    const later = new Date(Date.now() + 3_600_000);
    await server.runEscalations(later);
    expect(await state()).toEqual(before);
    await reopen();
    await server.runEscalations(later);
    expect(await state()).not.toEqual(before);
  });

  it('ADM-2 PERM-4 nobody but a system administrator closes or opens one', async () => {
    for (const client of [asBoss, asNurse]) {
      expect((await client.send('POST', url(), { body: { name: 'St. Hedwig' } })).statusCode).toBe(404);
      expect((await client.send('DELETE', url())).statusCode).toBe(404);
    }
    expect((await asBoss.send('GET', `/api/facilities/${facility.id}/members`)).statusCode).toBe(200);
  });
});
