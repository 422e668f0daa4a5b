import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let facility: MadeFacility;
let person: MadeUser;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer({ writesPerSecond: 5 });
  facility = await makeFacility(server.db);
});
afterAll(() => server.close());

beforeEach(async () => {
  person = await makeUser(server.db);
  await makeMembership(server.db, { userId: person.id, facility, roles: ['clinician', 'censusOfficer'] });
  client = await signedIn(server, person.id);
  // Whatever is sent from here on is sent at the same moment, however long the machine takes for it.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
});
afterEach(() => void vi.restoreAllMocks());

const ownChat = () => makeChat(server.db, { facilityId: facility.id, participants: [{ userId: person.id }] });

/** How many were done; the others were told when to come back. */
function doneOf(answers: readonly LightMyRequestResponse[], status: number): number {
  const refused = answers.filter(({ statusCode }) => statusCode !== status);
  for (const answer of refused) {
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toEqual({ message: 'Too many requests.', code: 'too_many_requests' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  return answers.length - refused.length;
}

async function atOnce(times: number, ask: (turn: number) => Promise<LightMyRequestResponse>) {
  return Promise.all(Array.from({ length: times }, (_, turn) => ask(turn)));
}

it('F-S5 of 300 messages at once 30 are stored; the others answer 429 with Retry-After and store nothing', async () => {
  const { id } = await ownChat();
  const answers = await atOnce(300, (turn) =>
    client.send('POST', `/api/chats/${id}/messages`, { body: { client_id: randomUUID(), body: `${turn}` } }),
  );
  expect(doneOf(answers, 201)).toBe(30);
  const stored = await server.db.selectFrom('messages').select('id').where('chat_id', '=', id).execute();
  expect(stored).toHaveLength(30);
});

it('F-S5 of 100 chats at once 20 are opened', async () => {
  const answers = await atOnce(100, (turn) =>
    client.send('POST', `/api/facilities/${facility.id}/chats`, {
      body: { client_id: randomUUID(), kind: 'group', title: `Chat ${turn}`, participant_ids: [] },
    }),
  );
  expect(doneOf(answers, 201)).toBe(20);
});

it('F-S5 of twelve exports at once two run, and their end makes room', async () => {
  const query = new URLSearchParams({ facility: facility.id, from: '2026-11-01', to: '2026-11-19', format: 'xlsx' });
  const ask = () => client.send('GET', `/api/census/exports/unit-days?${query}`);
  expect(doneOf(await atOnce(12, ask), 200)).toBe(2);
  expect((await ask()).statusCode).toBe(200);
});

it('F-S5 every endpoint that changes something for a signed-in person, and every file, is limited', () => {
  const unlimited = server.routes.filter(({ limit }) => limit === null).map(({ endpoint }) => endpoint);
  expect(unlimited.filter(({ method, isDownload }) => method !== 'GET' || isDownload)).toEqual([]);
});

it('F-S5 a thousand equal refusals are one audit entry with their count; another object has its own', async () => {
  const elsewhere = await makeFacility(server.db);
  const other = await makeMembership(server.db, { userId: person.id, facility: elsewhere, roles: [] }).then(
    () => elsewhere,
  );
  const ask = (facilityId: string) => client.send('GET', `/api/facilities/${facilityId}/invitations`);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date() });
  try {
    for (let done = 0; done < 1_000; done += 100) {
      const answers = await atOnce(100, () => ask(facility.id));
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([403]));
    }
    const counts = () =>
      server.db
        .selectFrom('audit_refusal_counts as c')
        .innerJoin('audit_entries as e', 'e.id', 'c.entry_id')
        .select(['e.object_id', 'c.count'])
        .where('e.actor_id', '=', person.id)
        .orderBy('e.id')
        .execute();
    await expect.poll(counts).toEqual([{ object_id: facility.id, count: 1_000 }]);
    await ask(other.id);
    await expect.poll(counts).toHaveLength(2);
    vi.setSystemTime(Date.now() + 15 * 60_000);
    await ask(facility.id);
    await expect.poll(counts).toHaveLength(3);
    const entries = await auditOf(server, 'authorisation.refused', person.id);
    expect(entries.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused']);
  } finally {
    vi.useRealTimers();
  }
});
