import { randomUUID } from 'node:crypto';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plainPng } from '#/platform/images/testing/pictures.ts';
import { makeInvitation } from '#/testing/factories/accounts.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import {
  type MadeUser,
  makeApp,
  makePasskey,
  makeSession,
  makeUser,
  testPasswordHash,
} from '#/testing/factories/users.ts';
import { multipart } from '#/testing/multipart.ts';
import { isMutating, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { makeWorld, type World } from '#/testing/samples/contract-world.ts';
import {
  auditOf,
  guestWithCookies,
  newAddress,
  postLogin,
  signedIn,
  statusOf,
  type TestClient,
  withSession,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

let server: TestServer;
let facility: MadeFacility;
let person: MadeUser;
let admin: MadeUser;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  person = await makeUser(server.db, { name: 'Ana Reyes', passwordHash: await testPasswordHash(TEST_APP_KEY) });
  admin = await makeUser(server.db, { name: 'Tomas Lind' });
  await makeMembership(server.db, { userId: person.id, facility, roles: ['clinician'], phone: '+353 1 555' });
  await makeMembership(server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  client = await signedIn(server, person.id);
});

const PICTURE = { name: 'avatar', value: plainPng(8, 8), filename: 'me.png' };
const remove = (who = client, email = person.email) => who.send('POST', '/api/user/deletion', { body: { email } });
const preview = async (who = client) => (await who.send('GET', '/api/user/deletion')).json();
const userOf = (id: string) => server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('deleting one’s account', () => {
  it('ACC-5 A30 asks for the password, and for one’s own address, said at its field', async () => {
    const cold = withSession(server, await makeSession(server.db, { userId: person.id, isConfirmed: false }));
    expect((await remove(cold)).statusCode).toBe(423);
    const wrong = await remove(client, admin.email);
    expect([wrong.statusCode, wrong.json().errors]).toEqual([
      422,
      { email: ['This is not the address of your account.'] },
    ]);
    expect(await statusOf(client)).toBe(200);
    expect((await userOf(person.id)).deleted_at).toBeNull();
  });

  it('ACC-5 ACC-7 A9 ends sessions, tokens and sockets at once, and nothing signs in any more', async () => {
    const other = await signedIn(server, person.id);
    const socket = await openSocket(server);
    expect(await socket.join(client, `private-App.Models.User.${person.id}`)).toBe('joined');
    expect((await remove()).statusCode).toBe(204);
    expect(await socket.closed).toBe(4009);
    expect([await statusOf(client), await statusOf(other)]).toEqual([401, 401]);
    const guest = await guestWithCookies(server);
    expect((await postLogin(guest, { email: person.email })).statusCode).toBe(422);
    expect((await guest.send('POST', '/forgot-password', { body: { email: person.email } })).statusCode).toBe(200);
    const before = server.mails.length;
    await server.runJobs();
    const mails = server.mails.slice(before).filter(({ to }) => to === person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your account at Wardline was deleted']);
  });

  it('ACC-5 A8 keeps the name as the author’s and nothing else of the account', async () => {
    await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
    await makePasskey(server.db, person.id);
    const link = { issuer: 'https://id.test', subject: randomUUID(), user_id: person.id };
    await server.db.insertInto('sso_links').values(link).execute();
    const left = await makeFacility(server.db);
    await makeMembership(server.db, { userId: person.id, facility: left, phone: '+353 1 556' });
    const before = new Date('2026-01-02T03:04:05Z');
    await server.db.updateTable('memberships').set({ ended_at: before }).where('facility_id', '=', left.id).execute();
    const said = { user_id: person.id, user_name: person.email, email: person.email, display_name: 'Ana Reyes' };
    const rows = [facility, left].map(({ id }) => ({ ...said, facility_id: id }));
    await server.db.insertInto('scim_users').values(rows).execute();
    await client.send('PUT', '/api/user/notifications', { body: { routine_sound: 'loud' } });
    await remove();
    expect(await userOf(person.id)).toMatchObject({
      ...{ name: 'Ana Reyes (account deleted)', email: `${person.id}@deleted.invalid`, password_hash: '' },
      ...{ email_verified_at: null, avatar_key: null, is_operator: false, disabled_at: expect.any(Date) },
    });
    const tables = await sql<{ table: string }>`
      select table_name as table from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id' and table_name <> 'audit_entries'`.execute(server.db);
    const kept: string[] = [];
    for (const { table } of tables.rows) {
      const found = await sql`select 1 from ${sql.table(table)} where user_id = ${person.id} limit 1`.execute(
        server.db,
      );
      if (found.rows.length > 0) kept.push(table);
    }
    expect(kept.sort()).toEqual(['memberships']);
    const memberships = server.db.selectFrom('memberships').select(['phone', 'ended_at']);
    expect(await memberships.where('user_id', '=', person.id).orderBy('ended_at').execute()).toEqual([
      { phone: null, ended_at: before },
      { phone: null, ended_at: expect.any(Date) },
    ]);
    const entries = await auditOf(server, 'account.delete', person.id);
    expect(entries.map(({ facility_id }) => facility_id).sort()).toEqual([facility.id, null].sort());
  });

  it.each<[what: string, act: () => ReturnType<TestClient['send']>]>([
    ['name', () => client.send('PATCH', '/api/user', { body: { name: 'Someone Else' } })],
    ['picture', () => client.send('PUT', '/api/user/avatar', multipart([PICTURE]))],
  ])('ACC-5 A8 a new %s that waits while the account goes changes nothing of who is gone', async (_what, act) => {
    const name = 'Ana Reyes (account deleted)';
    const at = { disabled_at: new Date(), deleted_at: new Date(), email_verified_at: null };
    const left = { ...at, name, email: `${person.id}@deleted.invalid`, password_hash: '' };
    const asked = await server.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${person.id} for no key update`.execute(tx);
      const acting = act();
      await untilBlocked(server.db, acting);
      await tx.updateTable('users').set(left).where('id', '=', person.id).execute();
      return [acting];
    });
    expect((await asked[0])?.statusCode).toBe(401);
    expect(await userOf(person.id)).toMatchObject({ name, avatar_key: null });
  });

  it('ACC-5 A30 is refused to the last who manages the members of a facility, which is named, and changes nothing', async () => {
    const boss = await signedIn(server, admin.id);
    expect(await preview(boss)).toMatchObject({ sole_facilities: [facility.name], facilities: [facility.name] });
    const refused = await remove(boss, admin.email);
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      `You are the last person who can manage the members of ${facility.name}. Give someone else that permission first.`,
    ]);
    expect((await userOf(admin.id)).deleted_at).toBeNull();
    await server.db
      .insertInto('membership_roles')
      .columns(['membership_id', 'role_id', 'facility_id'])
      .expression((from) =>
        from
          .selectFrom('memberships')
          .select(['id', sql<string>`${facility.roles.facilityAdministrator}::uuid`.as('role_id'), 'facility_id'])
          .where('user_id', '=', person.id),
      )
      .execute();
    expect(await preview(boss)).toMatchObject({ sole_facilities: [] });
    const answers = await Promise.all([remove(boss, admin.email), remove()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
  });

  it('ACC-3 ACC-5 A30 is refused also where the facility is closed to a session without a second factor', async () => {
    const boss = await signedIn(server, admin.id);
    await server.db
      .updateTable('facilities')
      .set({ second_factor_from: '2020-01-01' })
      .where('id', '=', facility.id)
      .execute();
    expect(await preview(boss)).toMatchObject({ sole_facilities: [facility.name] });
    expect((await remove(boss, admin.email)).statusCode).toBe(409);
    expect((await userOf(admin.id)).deleted_at).toBeNull();
  });

  it('ACC-5 A30 is refused to the last system administrator, also where the last two go at once', async () => {
    await server.db.updateTable('users').set({ is_operator: false }).execute();
    const two = [await makeUser(server.db, { isOperator: true }), await makeUser(server.db, { isOperator: true })];
    const answers = await Promise.all(two.map(async ({ id, email }) => remove(await signedIn(server, id), email)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json().message).toMatch(/last system administrator/);
  });

  it('ACC-5 the same address registers afresh, as a new person with nothing of the old one', async () => {
    const chat = await makeChat(server.db, {
      facilityId: facility.id,
      participants: [{ userId: admin.id }, { userId: person.id }],
    });
    await remove();
    const invitation = await makeInvitation(server.db, { facility, createdBy: admin.id });
    const guest = await guestWithCookies(server);
    const password = 'violet tram over the harbour';
    const asked = { name: 'Ana Reyes', email: person.email, password, password_confirmation: password };
    const body = { ...asked, invitation: invitation.token };
    expect((await guest.send('POST', '/register', { body, ip: newAddress() })).statusCode).toBe(204);
    const before = server.mails.length;
    await server.runJobs();
    const mail = server.mails
      .slice(before)
      .find(({ to, text }) => to === person.email && text.includes('verify-email'));
    const link = new URL(/https?:\S+verify-email\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    await guest.send('GET', link.pathname + link.search);
    expect((await postLogin(guest, { email: person.email, password })).statusCode).toBe(200);
    const fresh = (await guest.send('GET', '/api/user')).json();
    expect(fresh).toMatchObject({ name: 'Ana Reyes', memberships: [{ facility_id: facility.id }] });
    expect(fresh.id).not.toBe(person.id);
    expect((await guest.send('GET', `/api/chats/${chat.id}`)).statusCode).toBe(404);
    expect((await guest.send('GET', '/api/user/data-copies')).json().data).toEqual([]);
  });

  it('ACC-5 CHAT-19 frees the shifts, and who plans is mailed which', async () => {
    const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: 'Medical registrar' });
    const hour = 3_600_000;
    const span = (from: number, to: number) => ({
      startsAt: new Date(Date.now() + from * hour),
      endsAt: new Date(Date.now() + to * hour),
    });
    for (const times of [span(-9, -8), span(-1, 2), span(20, 24)]) {
      await makeShift(server.db, { facilityId: facility.id, roleId, userId: person.id, ...times });
    }
    expect(await preview()).toMatchObject({ open_shifts: 2 });
    await remove();
    const left = server.db.selectFrom('on_call_shifts').select('ends_at').where('user_id', '=', person.id);
    const ends = (await left.execute()).map(({ ends_at }) => ends_at.getTime());
    expect(ends).toHaveLength(2);
    expect(Math.max(...ends)).toBeLessThanOrEqual(Date.now());
    const before = server.mails.length;
    await server.runJobs();
    const mails = server.mails.slice(before).filter(({ to }) => to === admin.email);
    expect(mails).toMatchObject([{ subject: `On-call shifts without anybody at ${facility.name}` }]);
    expect(mails[0]?.text).toContain('Ana Reyes (account deleted)');
    expect(mails[0]?.text).toContain('2 on-call shifts');
    expect(mails[0]?.text).toContain('Medical registrar');
  });

  it('ACC-5 PERM-2 who is gone stands in a list for who manages the members, and for nobody else', async () => {
    const url = `/api/facilities/${facility.id}/deleted-members`;
    const boss = await signedIn(server, admin.id);
    const people = await Promise.all([1, 2, 3].map((n) => makeUser(server.db, { name: `Leaver ${n}` })));
    for (const { id, email } of people) {
      await makeMembership(server.db, { userId: id, facility, roles: ['chargeNurse'], title: 'Nurse' });
      await remove(await signedIn(server, id), email);
    }
    expect((await client.send('GET', url)).statusCode).toBe(403);
    const page = (await boss.send('GET', `${url}?limit=2`)).json();
    const rest = (await boss.send('GET', `${url}?limit=2&cursor=${page.next_cursor}`)).json();
    expect([...page.data, ...rest.data].map(({ name }) => name)).toEqual(
      ['3', '2', '1'].map((n) => `Leaver ${n} (account deleted)`),
    );
    expect(page.data[0]).toMatchObject({ title: 'Nurse', roles: ['Charge nurse'] });
    expect(rest.next_cursor).toBeNull();
  });
});

describe('everything that shows a person', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.server.close());

  /** What is asked about oneself alone, or ends with the person. */
  const OWN = /^\/(api\/user|user\/|sanctum|verify-email|setup|auth|_img)|invitations[/][{]/;

  it('ACC-5 A16 answers as before once its author has deleted their account, under the name with its mark', async () => {
    const { server, ours } = world;
    const heir = await makeUser(server.db, { name: `Heir ${ours.marker}` });
    await makeMembership(server.db, {
      userId: heir.id,
      facility: ours.facility,
      roles: ['clinician', 'chargeNurse', 'censusOfficer', 'facilityAdministrator', 'patientSystem'],
    });
    const asked: { endpoint: AnyEndpoint; url: string }[] = [];
    for (const endpoint of endpoints) {
      if (isMutating(endpoint) || endpoint.access === 'public' || OWN.test(endpoint.path)) continue;
      asked.push({ endpoint, url: urlOf(endpoint, await sampleOf(world, endpoint)) });
    }
    // In every chat that the samples made, and as whom they call.
    await sql`
      insert into chat_participants (chat_id, user_id, facility_id, access)
      select c.id, ${heir.id}, c.facility_id, 'manage' from chats c where c.facility_id = ${ours.facility.id}
        and c.kind <> 'direct' on conflict do nothing`.execute(server.db);
    await server.db
      .insertInto('census_assignments')
      .columns(['unit_no', 'user_id'])
      .expression((from) =>
        from
          .selectFrom('census_units')
          .select(['unit_no', sql<string>`${heir.id}::uuid`.as('user_id')])
          .where('facility_id', '=', ours.facility.id),
      )
      .execute();
    const heirClient = await signedIn(server, heir.id);
    const answersOf = async () => {
      const answers = new Map<string, { status: number; body: string }>();
      for (const { endpoint, url } of asked) {
        const { statusCode, body } = await heirClient.send('GET', url);
        answers.set(endpoint.name, { status: statusCode, body });
      }
      return answers;
    };
    const before = await answersOf();
    const gone = await signedIn(server, ours.entitled.id);
    const deleted = await gone.send('POST', '/api/user/deletion', { body: { email: ours.entitled.email } });
    expect(deleted.statusCode).toBe(204);
    const after = await answersOf();
    const statuses = (answers: typeof before) => [...answers].map(([name, { status }]) => [name, status]);
    expect(statuses(after)).toEqual(statuses(before));
    expect(statuses(after).filter(([, status]) => status === 200).length).toBeGreaterThan(50);
    const marked = [...after].filter(([, { body }]) => body.includes(`${ours.entitled.name} (account deleted)`));
    expect(marked.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        ...['listAudit', 'exportAudit', 'listDeletedMembers', 'listInvitations', 'listMessages', 'listPins', 'search'],
        ...['getExamination', 'exportExamination', 'exportChat', 'listCitations', 'getSignedDay'],
      ]),
    );
    const people = ['listMembers', 'listPresence', 'listParticipants'].flatMap((name) => after.get(name) ?? []);
    expect(people).toHaveLength(3);
    for (const { body } of people) expect(body).not.toContain(ours.entitled.id);
  });
});
