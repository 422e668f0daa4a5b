import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type ReceivedPush, startPushService, type TestPushService } from '#/platform/push/testing/push-service.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { guest, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

export interface TestPerson extends MadeUser {
  readonly client: TestClient;
}

export interface PushFixture {
  readonly server: TestServer;
  readonly facility: MadeFacility;
  readonly service: TestPushService;
  person(name?: string): Promise<TestPerson>;
  /** A chat of these people, made by the first. */
  chat(...people: readonly MadeUser[]): Promise<string>;
  /** Turns push on for a person's client; returns the address of their browser at the push service. */
  subscribe(client: TestClient): Promise<string>;
  say(who: TestPerson, chatId: string, body?: string): Promise<number>;
  /** As if the time for all that waits had come, also for what that brings about; returns what arrived at browsers. */
  letTimePass(): Promise<readonly ReceivedPush[]>;
  close(): Promise<void>;
}

/** A ward whose people have browsers at a push service. */
export async function openPushFixture(): Promise<PushFixture> {
  let publicKey = '';
  const service = await startPushService(() => publicKey);
  const server = await startTestServer({ pushWorld: service.world });
  const facility = await makeFacility(server.db, { name: 'St. Hedwig' });
  publicKey = (await guest(server).send('GET', '/config.json')).json().notifications.push_key;
  return {
    server,
    facility,
    service,
    async person(name) {
      const user = await makeUser(server.db, name === undefined ? {} : { name });
      await makeMembership(server.db, { userId: user.id, facility, roles: ['clinician'] });
      return { ...user, client: await signedIn(server, user.id) };
    },
    async chat(...people) {
      const participants = people.map(({ id }) => ({ userId: id }));
      return (await makeChat(server.db, { facilityId: facility.id, participants })).id;
    },
    async subscribe(client) {
      const subscription = service.subscribe();
      const answer = await client.send('PUT', '/api/user/push-subscription', { body: subscription });
      if (answer.statusCode !== 204) throw new Error(`refused: ${answer.payload}`);
      return subscription.endpoint;
    },
    async say({ client }, chatId, body = 'Patient Kovac has a potassium of 6.9') {
      const message = { client_id: randomUUID(), body, device_time: new Date().toISOString() };
      const answer = await client.send('POST', `/api/chats/${chatId}/messages`, { body: message });
      if (answer.statusCode !== 201) throw new Error(`refused: ${answer.payload}`);
      return answer.json().seq;
    },
    async letTimePass() {
      const before = service.received.length;
      // What waits for its gathering is of the past too.
      await sql`update jobs set run_at = now() where dead_at is null`.execute(server.db);
      await server.runJobs();
      return service.received.slice(before);
    },
    async close() {
      await server.close();
      await service.close();
    },
  };
}
