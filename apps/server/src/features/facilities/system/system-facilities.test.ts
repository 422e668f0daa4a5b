import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFacility, makeMembership, makeUnit, newFacilityCode } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { linkMailedTo, mailsTo } from '#/testing/mailed-links.ts';
import { actsOf, audited, auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let operator: MadeUser;
let asOperator: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  operator = await makeUser(server.db, { isOperator: true });
  asOperator = await signedIn(server, operator.id);
});
afterAll(() => server.close());

const HOSPITAL = {
  ...{ name: 'St. Hedwig', time_zone: 'Europe/Berlin', census_time: '07:00' },
  ...{ latitude: 52.5, longitude: 13.4 },
};

async function create(administrator_email: string) {
  const answer = await asOperator.send('POST', '/api/system/facilities', {
    body: { ...HOSPITAL, code: newFacilityCode(), administrator_email },
  });
  expect(answer.statusCode, answer.payload).toBe(201);
  return answer.json();
}

/** The secret of the invitation that was mailed to somebody last. */
async function tokenOf(email: string): Promise<string> {
  const { path } = await linkMailedTo(server, email);
  return new URL(path, 'http://wardline.test').searchParams.get('invitation') ?? '';
}

it('ADM-2 a new facility is administered by who was invited by mail, and its maker sees nothing of it', async () => {
  const chief = await makeUser(server.db);
  const made = await create(chief.email);
  expect(made).toMatchObject({ name: 'St. Hedwig', people_count: 0, unit_count: 0, administrator_count: 0 });
  const asChief = await signedIn(server, chief.id);
  const joined = await asChief.send('POST', `/api/invitations/${await tokenOf(chief.email)}/accept`);
  expect(joined.statusCode, joined.payload).toBe(204);
  expect((await asChief.send('GET', `/api/facilities/${made.id}/settings`)).json()).toMatchObject({
    ...{ latitude: 52.5, longitude: 13.4, member_count: 1 },
  });
  for (const of of ['members', 'settings', 'units', 'invitations', 'roles', 'audit', 'census/board']) {
    expect((await asOperator.send('GET', `/api/facilities/${made.id}/${of}`)).statusCode, of).toBe(404);
  }
  expect((await auditOf(server, 'facility.create', operator.id))[0]).toMatchObject({ facility_id: made.id });
  const listed = (await asOperator.send('GET', '/api/system/facilities?limit=200')).json().data;
  expect(listed.find(({ id }: { id: string }) => id === made.id)).toMatchObject({ administrator_count: 1 });
});

it('ADM-2 CEN-3 its census has the hour that was said, and that of no other facility is another one', async () => {
  const hours = async () =>
    new Map(
      (
        await server.db
          .selectFrom('census_hours as h')
          .innerJoin('census_facilities as c', 'c.facility_no', 'h.facility_no')
          .select(['c.facility_id', 'h.census_time'])
          .execute()
      ).map(({ facility_id, census_time }) => [facility_id, census_time]),
    );
  const { id: other } = await makeFacility(server.db, { name: 'Zwickau' });
  const before = await hours();
  const made = await create((await makeUser(server.db)).email);
  expect(before.get(other)).not.toBe('07:00:00');
  expect(await hours()).toEqual(new Map([...before, [made.id, '07:00:00']]));
});

it('ADM-2 A30 an administrator is invited only where nobody administers, and the newest link alone counts', async () => {
  const [first, second] = [await makeUser(server.db), await makeUser(server.db)];
  const made = await create(first.email);
  const invite = (email: string) =>
    asOperator.send('POST', `/api/system/facilities/${made.id}/administrators`, { body: { email } });
  const early = await tokenOf(first.email);
  const third = await makeUser(server.db);
  await create(third.email);
  const elsewhere = await tokenOf(third.email);
  expect((await invite(second.email)).statusCode).toBe(200);
  const late = await tokenOf(second.email);
  const accept = async (user: MadeUser, token: string) =>
    (await (await signedIn(server, user.id)).send('POST', `/api/invitations/${token}/accept`)).statusCode;
  expect(await accept(first, early)).toBe(404);
  expect(await accept(second, late)).toBe(204);
  // That of another facility stands.
  expect(await accept(third, elsewhere)).toBe(204);
  expect((await invite(operator.email)).statusCode).toBe(409);
  expect(await mailsTo(server, operator.email)).toEqual([]);
});

it('ADM-2 ADM-3 each act on a facility is one entry that names it, without the address that was mailed', async () => {
  const boss = await makeUser(server.db, { isOperator: true });
  const asBoss = await signedIn(server, boss.id);
  const administrator_email = `${crypto.randomUUID()}@people.test`;
  const body = { ...HOSPITAL, code: newFacilityCode(), administrator_email };
  const { id } = (await asBoss.send('POST', '/api/system/facilities', { body })).json();
  const path = `/api/system/facilities/${id}`;
  await asBoss.send('POST', `${path}/administrators`, { body: { email: administrator_email } });
  const names = { name: 'St. Hedwig', code: newFacilityCode() };
  for (const expected_version of [1, 2]) await asBoss.send('PATCH', path, { body: { expected_version, ...names } });
  await asBoss.send('POST', `${path}/administrators`, { body: { email: 'no address' } });
  const [about, of] = [['facility', id] as const, { facility_id: id }];
  const acts = await actsOf(server, boss.id);
  expect(acts).toEqual([
    audited('facility.create', about, of),
    audited('facility.invite_administrator', about, of),
    audited('facility.update', [], { ...of, detail: { fields: ['code'] } }),
  ]);
  expect(JSON.stringify(acts)).not.toContain(administrator_email);
  await server.runJobs();
  const invited = await auditOf(server, 'invitation.create', null);
  expect(invited.filter(({ facility_id }) => facility_id === id)).toMatchObject([
    { object_type: 'invitation', object_id: expect.any(String), detail: null },
  ]);
});

it('ADM-2 A30 the invitation does not outlive the office of who made it', async () => {
  const [other, chief] = [await makeUser(server.db, { isOperator: true }), await makeUser(server.db)];
  const asOther = await signedIn(server, other.id);
  const body = { ...HOSPITAL, code: newFacilityCode(), administrator_email: chief.email };
  expect((await asOther.send('POST', '/api/system/facilities', { body })).statusCode).toBe(201);
  const token = await tokenOf(chief.email);
  await asOperator.send('DELETE', `/api/system/accounts/${other.id}/operator`);
  expect((await asOperator.send('GET', `/api/invitations/${token}`)).statusCode).toBe(404);
});

it('ADM-2 a facility is refused with the field that is wrong, and nobody is mailed', async () => {
  const send = (change: object) =>
    asOperator.send('POST', '/api/system/facilities', {
      body: { ...HOSPITAL, code: newFacilityCode(), administrator_email: 'nobody@people.test', ...change },
    });
  for (const [field, change] of [
    ['time_zone', { time_zone: 'Europe/Atlantis' }],
    ['longitude', { longitude: null }],
    ['administrator_email', { administrator_email: 'no address' }],
    ['code', { code: 'too long' }],
  ] as const) {
    const answer = await send(change);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]]);
  }
  expect(await mailsTo(server, 'nobody@people.test')).toEqual([]);
});

it('ADM-2 a short name is that of one facility: another is refused with who has it, at the field', async () => {
  const code = newFacilityCode();
  const [older, other] = [
    await makeFacility(server.db, { name: 'Aalen', code }),
    await makeFacility(server.db, { name: 'Zell' }),
  ];
  const body = { ...HOSPITAL, administrator_email: 'nobody@people.test', code };
  const made = await asOperator.send('POST', '/api/system/facilities', { body });
  expect(made.statusCode).toBe(422);
  expect(made.json().errors).toEqual({ code: ['Aalen has this short name already.'] });
  const rename = (id: string, change: object) =>
    asOperator.send('PATCH', `/api/system/facilities/${id}`, { body: { expected_version: 1, name: 'Z', ...change } });
  const renamed = await rename(other.id, { code });
  expect([renamed.statusCode, renamed.json().errors]).toEqual([422, { code: ['Aalen has this short name already.'] }]);
  expect((await rename(older.id, { code })).json()).toMatchObject({ name: 'Z', code });
  const admin = await makeUser(server.db);
  await makeMembership(server.db, { userId: admin.id, facility: other, roles: ['facilityAdministrator'] });
  const set = (value: string) =>
    signedIn(server, admin.id).then((asAdmin) =>
      asAdmin.send('PATCH', `/api/facilities/${other.id}/settings`, { body: { expected_version: 1, code: value } }),
    );
  // Who has it is told to those who may know of that facility.
  expect((await set(code)).json().errors).toEqual({ code: ['Another facility has this short name already.'] });
  expect((await set(newFacilityCode())).statusCode).toBe(200);
  const racers = await Promise.all(
    ['one', 'two'].map((name) =>
      asOperator.send('POST', '/api/system/facilities', {
        body: { ...HOSPITAL, code: 'RACE', administrator_email: `${name}@people.test` },
      }),
    ),
  );
  expect(racers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422]);
});

it('ADM-2 facilities are listed by name with their people and units, and are renamed over what was seen', async () => {
  const facility = await makeFacility(server.db, { name: 'Aachen' });
  await makeUnit(server.db, { facilityId: facility.id, name: 'Ward', code: 'W1' });
  const [one, gone] = [await makeUser(server.db), await makeUser(server.db, { disabledAt: new Date() })];
  for (const { id } of [one, gone]) await makeMembership(server.db, { userId: id, facility });
  const page = (await asOperator.send('GET', '/api/system/facilities?limit=1')).json();
  expect(page.data).toEqual([
    {
      ...{ id: facility.id, version: 1, name: 'Aachen', code: facility.code, time_zone: 'Europe/Berlin' },
      ...{ people_count: 1, unit_count: 1, administrator_count: 0, deactivated_at: null },
    },
  ]);
  const next = (await asOperator.send('GET', `/api/system/facilities?limit=1&cursor=${page.next_cursor}`)).json();
  expect(next.data[0].name).toBe('St. Hedwig');

  const rename = (body: object) => asOperator.send('PATCH', `/api/system/facilities/${facility.id}`, { body });
  const renamed = await rename({ expected_version: 1, name: 'Aachen North', code: 'AN' });
  expect(renamed.json()).toMatchObject({ version: 2, name: 'Aachen North', code: 'AN', people_count: 1 });
  expect((await rename({ expected_version: 1, name: 'Aachen South', code: 'AS' })).statusCode).toBe(409);
  expect((await auditOf(server, 'facility.update', operator.id))[0]).toMatchObject({
    ...{ facility_id: facility.id, detail: { fields: ['name', 'code'] } },
  });
});

it('PERM-4 a facility administrator finds none of it', async () => {
  const facility = await makeFacility(server.db);
  const admin = await makeUser(server.db);
  await makeMembership(server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  const asAdmin = await signedIn(server, admin.id);
  const path = `/api/system/facilities/${facility.id}`;
  const answers = [
    await asAdmin.send('GET', '/api/system/facilities'),
    await asAdmin.send('POST', '/api/system/facilities', {
      body: { ...HOSPITAL, code: newFacilityCode(), administrator_email: admin.email },
    }),
    await asAdmin.send('PATCH', path, { body: { expected_version: 1, name: 'Mine', code: 'M1' } }),
    await asAdmin.send('POST', `${path}/administrators`, { body: { email: admin.email } }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
});
