import { nilCounts } from '@wardline/census/balance.ts';
import type { FacilityDay } from '@wardline/contract/census/day.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { DEMO_SIGN_INS, loadDemo } from './demo.ts';

let server: TestServer;
let listed: readonly TestClient[];

beforeAll(async () => {
  server = await startTestServer();
  await loadDemo(server.db, { appKey: TEST_APP_KEY, password: 'a password of the demo' });
  listed = await Promise.all(
    DEMO_SIGN_INS.map(async ({ email }) => {
      const { id } = await server.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return signedIn(server, id);
    }),
  );
});
afterAll(() => server.close());

/** What the first of the listed people who is let see it is answered. */
async function firstAnswer<Answer>(path: string, wanted: (answer: Answer) => boolean = () => true) {
  for (const client of listed) {
    const response = await client.send('GET', path);
    if (response.statusCode === 200 && wanted(response.json<Answer>()))
      return { client, answer: response.json<Answer>() };
  }
  throw new Error(`None of the listed accounts can do this: ${path}`);
}

async function act(client: TestClient, method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
  const response = await client.send(method, path, { body: { client_id: newId(), ...body } });
  expect(response.statusCode, `${method} ${path}: ${response.body}`).toBe(200);
}

it('F-N17 the newest day of the demo is brought to signature by the accounts that are listed', async () => {
  const { answer: facilities } = await firstAnswer<{ data: { id: string; code: string }[] }>(
    '/api/facilities',
    ({ data }) => data.some(({ code }) => code === 'SB'),
  );
  const census = `/api/census/facilities/${facilities.data.find(({ code }) => code === 'SB')?.id}`;
  const { answer: board } = await firstAnswer<{ census_date: string }>(`${census}/board`);
  const dayPath = `${census}/days/${board.census_date}`;
  const { answer: before } = await firstAnswer<FacilityDay>(dayPath);
  expect(before.blockers.length).toBeGreaterThan(1);
  const pathOf = (unit: { unit_id: string; population: string }) =>
    `/api/census/units/${unit.unit_id}/days/${board.census_date}/${unit.population}`;

  for (const unit of before.units) {
    if (unit.status === 'submitted' || unit.status === 'approved') continue;
    const { client, answer } = await firstAnswer<UnitDay>(pathOf(unit), ({ may }) => may.submit);
    await act(client, 'PUT', pathOf(unit), quietDay(answer));
  }
  for (const unit of before.units) {
    if (unit.status === 'approved') continue;
    const { client, answer } = await firstAnswer<UnitDay>(pathOf(unit), ({ may }) => may.approve);
    await act(client, 'POST', `${pathOf(unit)}/approve`, { version: answer.version });
  }
  const { client, answer: compiled } = await firstAnswer<FacilityDay>(dayPath);
  await act(client, 'POST', `${dayPath}/sign`, {
    version: compiled.version,
    lock: true,
    override_reason: 'One patient moved at midnight.',
  });
  const { answer: after } = await firstAnswer<FacilityDay>(dayPath);
  expect([after.status, after.blockers]).toEqual(['locked', []]);
});

/** Only those moved of whom the other units tell already. */
function quietDay({ version, opening, transfers }: UnitDay) {
  const moved = (wanted: 'in' | 'out') =>
    transfers.reduce((sum, { direction, theirs }) => sum + (direction === wanted ? (theirs ?? 0) : 0), 0);
  const [transfers_in, transfers_out] = [moved('in'), moved('out')];
  const counted = (opening ?? 0) + transfers_in - transfers_out;
  return {
    version,
    counts: { ...nilCounts(counted), transfers_in, transfers_out },
    transfers: transfers.map(({ unit_id, direction, theirs }) => ({ unit_id, direction, count: theirs ?? 0 })),
    submit: true,
  };
}
