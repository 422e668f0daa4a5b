import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSetUp } from '#/testing/factories/accounts.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { auditOf, guest, guestWithCookies, postLogin, statusOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { makeSetUpLink } from './set-up-link.ts';

const PASSWORD = 'violet tram over the harbour';
const FORM = {
  name: 'Ruth Okafor',
  email: 'ruth@hospital.test',
  password: PASSWORD,
  password_confirmation: PASSWORD,
  facility_name: 'St. Hedwig',
  facility_code: 'sh',
  time_zone: 'Europe/Berlin',
  census_time: '07:00',
  latitude: 52.52,
  longitude: 13.4,
};

let server: TestServer;
let token: string;
const onSetUp = vi.fn(() => 'https://chat.hospital.test');
beforeEach(async () => {
  onSetUp.mockClear();
  server = await startTestServer({ onSetUp });
  token = (await makeSetUpLink(server.db))?.split('#')[1] ?? '';
});
afterEach(() => server.close());

interface From {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ip?: string;
  readonly token?: string;
}

async function setUp({ body = {}, token: given = token, ...from }: From = {}) {
  const client = await guestWithCookies(server);
  const response = await client.send('POST', `/api/setup/${given}`, { body: { ...FORM, ...body }, ...from });
  return { client, response };
}

async function countOf(table: 'users' | 'facilities' | 'sessions'): Promise<number> {
  const { n } = await server.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

const NOT_FOUND = { message: 'Not found.', code: 'not_found' };

describe('the first set-up', () => {
  it('A51 ACC-1 makes the first administrator and facility, and signs them in', async () => {
    const { client, response } = await setUp();
    expect(response.statusCode, response.payload).toBe(201);
    const { facility_id: facilityId, goes_on_at } = response.json();
    expect(goes_on_at).toBe('https://chat.hospital.test');
    const user = (await client.send('GET', '/api/user')).json();
    expect(user).toMatchObject({ name: 'Ruth Okafor', email: 'ruth@hospital.test' });
    expect(user.email_verified_at).not.toBeNull();
    expect(user.memberships).toMatchObject([{ facility_id: facilityId, roles: ['Facility administrator'] }]);
    expect((await client.send('GET', '/api/facilities')).json().data).toMatchObject([
      { id: facilityId, name: 'St. Hedwig', code: 'SH', time_zone: 'Europe/Berlin', unit_count: 0 },
    ]);
    const settings = (await client.send('GET', `/api/census/facilities/${facilityId}/settings`)).json();
    expect(settings).toMatchObject({ time_zone: 'Europe/Berlin', census_time: '07:00' });
    expect((await client.send('GET', `/api/facilities/${facilityId}/roles`)).json().data).toHaveLength(6);
    const stored = await server.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ is_operator: true, is_demo: false });
    const entries = await auditOf(server, 'installation.set_up', user.id);
    expect(entries).toMatchObject([{ facility_id: facilityId, object_type: 'user', object_id: user.id }]);
    expect(JSON.stringify(entries)).not.toContain('ruth');
    expect(onSetUp).toHaveBeenCalledOnce();
    expect(
      (await postLogin(await guestWithCookies(server), { email: FORM.email, password: PASSWORD })).statusCode,
    ).toBe(200);
  });

  it('A51 keeps of the token its hash alone', async () => {
    const row = await server.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    expect(row.set_up_token_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it('A51 of 20 who set up at the same moment one does, and nothing is left of the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, racer) => setUp({ body: { email: `racer${racer}@hospital.test` } })),
    );
    const statuses = answers.map(({ response }) => response.statusCode).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 404)]);
    // The server's own voice is the other one.
    expect(await countOf('users')).toBe(2);
    expect(await countOf('facilities')).toBe(1);
    expect(await countOf('sessions')).toBe(1);
    expect(onSetUp).toHaveBeenCalledOnce();
  });

  it('A51 is closed for good afterwards: the link is gone, and no start makes another', async () => {
    expect((await setUp()).response.statusCode).toBe(201);
    expect((await guest(server).send('GET', `/api/setup/${token}`)).statusCode).toBe(404);
    const again = await setUp({ body: { email: 'second@hospital.test' } });
    expect(again.response.statusCode).toBe(404);
    expect(again.response.json()).toEqual(NOT_FOUND);
    expect(await makeSetUpLink(server.db)).toBeNull();
  });

  it('A51 a start makes a new link, and the one before leads nowhere', async () => {
    const next = (await makeSetUpLink(server.db))?.split('#')[1] ?? '';
    expect((await guest(server).send('GET', `/api/setup/${token}`)).statusCode).toBe(404);
    expect((await setUp()).response.statusCode).toBe(404);
    expect((await guest(server).send('GET', `/api/setup/${next}`)).statusCode).toBe(204);
    expect((await setUp({ token: next })).response.statusCode).toBe(201);
  });

  it.each<[string, Pick<From, 'ip' | 'headers'>]>([
    ['from another machine', { ip: '192.0.2.7' }],
    ['through a proxy of this machine', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
    ['under a name that is not of the loopback', { headers: { host: 'evil.example' } }],
  ])('A51 does not exist %s, not even with the token', async (_, from) => {
    const shown = await guest(server).send('GET', `/api/setup/${token}`, from);
    expect([400, 404]).toContain(shown.statusCode);
    expect([400, 404, 403]).toContain((await setUp(from)).response.statusCode);
    expect(await countOf('facilities')).toBe(0);
    expect((await guest(server).send('GET', `/api/setup/${token}`)).statusCode).toBe(204);
  });

  it('A51 a wrong token finds nothing', async () => {
    expect((await setUp({ token: 'A'.repeat(43) })).response.json()).toEqual(NOT_FOUND);
    expect((await guest(server).send('GET', '/api/setup/short')).statusCode).toBe(404);
  });

  it('A51 ADM-1 says what is wrong at which field and keeps the link for another try', async () => {
    await makeUser(server.db, { email: 'taken@hospital.test' });
    const wrong: [string, object][] = [
      ['password', { password: 'ruth okafor rules', password_confirmation: 'ruth okafor rules' }],
      ['password', { password: 'st hedwig hedwig', password_confirmation: 'st hedwig hedwig' }],
      ['time_zone', { time_zone: 'Europe/Atlantis' }],
      ['time_zone', { time_zone: "'; drop table users" }],
      ['census_time', { census_time: '25:00' }],
      ['facility_code', { facility_code: 'TOOLONG' }],
      ['latitude', { latitude: 90.1 }],
      ['longitude', { longitude: -180.5 }],
      ['longitude', { longitude: null }],
      ['latitude', { latitude: null }],
      ['email', { email: 'taken@hospital.test' }],
      ['is_operator', { is_operator: false }],
    ];
    for (const [field, body] of wrong) {
      const { response } = await setUp({ body });
      expect(response.statusCode, response.payload).toBe(422);
      expect(Object.keys(response.json().errors)).toEqual([field]);
    }
    expect(await countOf('facilities')).toBe(0);
    expect((await setUp()).response.statusCode).toBe(201);
  });

  it('A6 needs the CSRF token like every form', async () => {
    expect((await guest(server).send('POST', `/api/setup/${token}`, { body: FORM })).statusCode).toBe(419);
  });

  it('A51 ends the session that the browser had', async () => {
    const { client } = await setUp();
    expect(await statusOf(client)).toBe(200);
    const other = await openSetUp(server.db);
    const body = { ...FORM, email: 'other@hospital.test', facility_code: 'OT' };
    expect((await client.send('POST', `/api/setup/${other}`, { body })).statusCode).toBe(201);
    expect((await client.send('GET', '/api/user')).json().email).toBe('other@hospital.test');
    expect(await countOf('sessions')).toBe(1);
  });
});
