import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  const facility = await makeFacility(server.db);
  const { id } = await makeUser(server.db);
  await makeMembership(server.db, { userId: id, facility, roles: ['clinician'] });
  await makeChat(server.db, { facilityId: facility.id, participants: [{ userId: id }] });
  client = await signedIn(server, id);
});
afterAll(() => server.close());

const ask = (query: Record<string, string>) => client.send('GET', `/api/search?${new URLSearchParams(query)}`);

test.each([
  ['nothing', '', 'required'],
  ['signs alone', ':*', 'Type a letter or a number.'],
  ['an operator', '! & |', 'Type a letter or a number.'],
  ['empty quotation marks', '""', 'Type a letter or a number.'],
  ['more than 200 signs', 'a'.repeat(10_000), '200 characters'],
  ['more than twelve words', 'a b c d e f g h i j k l m', 'At most 12 words.'],
  ['a NUL', 'K\u0000', 'This text has characters that cannot be stored.'],
])('CHAT-15 A40 A41 a search for %s is refused with 422, and says why', async (_what, q, sentence) => {
  const response = await ask({ q });
  expect(response.statusCode).toBe(422);
  expect(response.json().errors.q.join(' ')).toContain(sentence);
});

test.each([
  ['types', 'messages,documents'],
  ['types', ''],
  ['from', 'yesterday'],
  ['to', '0000-01-01T00:00:00-14:00'],
  ['chat', 'x'],
  ['cursor', 'bm90IGEgcGxhY2U'],
])('CHAT-15 A41 a search with %s=%s is refused with 422 at that place', async (name, value) => {
  const response = await ask({ q: 'potassium', [name]: value });
  expect(response.statusCode).toBe(422);
  expect(Object.keys(response.json().errors)).toEqual([name]);
});

test.each([
  "' or 1=1 --",
  'K:*',
  '!K',
  'K & ! Na',
  '"K',
  '%K%',
  '_K_',
  'K\\',
  "'K' | 'Na'",
  '(K',
  'K <-> Na',
  '@=k',
  '心電図',
  '😀 K',
])('CHAT-15 A40 A41 a search for %s is one for its words', async (q) => {
  const response = await ask({ q });
  expect(response.statusCode, response.payload).toBe(200);
  expect(response.json()).toEqual({ data: [], next_cursor: null, files: [], chats: [], people: [] });
});
