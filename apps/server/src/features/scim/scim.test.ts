import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { signedIn, statusOf, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

let server: TestServer;
let facility: MadeFacility;
let admin: MadeUser;
let browser: TestClient;
let secret: string;

beforeAll(async () => {
  server = await startTestServer({ looksAfterSockets: false });
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ facility, admin, browser, secret } = await openDirectory());
});

/** A facility whose administrator has made a token for its directory. */
async function openDirectory(roles: Parameters<typeof makeMembership>[1]['roles'] = ['facilityAdministrator']) {
  const made = await makeFacility(server.db);
  const person = await makeUser(server.db, { name: 'Avery Admin' });
  await makeMembership(server.db, { userId: person.id, facility: made, roles: roles ?? [] });
  const client = await signedIn(server, person.id);
  const body = { name: 'Directory', expires_in_days: 30 };
  const answer = await client.send('POST', `/api/facilities/${made.id}/scim-tokens`, { body });
  expect(answer.statusCode, answer.payload).toBe(201);
  return { facility: made, admin: person, browser: client, secret: answer.json().plain_text_token as string };
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function ask(
  method: Method,
  path: string,
  {
    body,
    token = secret,
    headers = {},
  }: { body?: unknown; token?: string | null; headers?: Record<string, string> } = {},
) {
  const response = await server.app.inject({
    ...{ method, url: `/scim/v2${path}` },
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    json: response.payload === '' ? null : response.json(),
  };
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
let lastNumber = 0;
const newAddress = () => `person${++lastNumber}.${facility.id.slice(-6)}@hospital.test`;

function person(email = newAddress(), more: object = {}) {
  return {
    schemas: [USER],
    userName: email,
    name: { givenName: 'Kim', familyName: 'Park' },
    emails: [{ value: email, primary: true }],
    ...more,
  };
}
const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });
const userOf = async (more: object = {}, email = newAddress()) =>
  (await ask('POST', '/Users', { body: person(email, more) })).json;
const membersOf = (facilityId = facility.id) =>
  server.db
    .selectFrom('memberships')
    .select('user_id')
    .where('facility_id', '=', facilityId)
    .where('ended_at', 'is', null)
    .execute();
/** As the operator of the installation disables accounts and enables them again. */
const setDisabled = (ids: string[], isDisabled: boolean) =>
  server.db
    .updateTable('users')
    .set({ disabled_at: isDisabled ? new Date() : null })
    .where('id', 'in', ids)
    .execute();
const auditActions = async () =>
  (
    await server.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('facility_id', '=', facility.id)
      .orderBy('id')
      .execute()
  ).filter(({ action }) => action.startsWith('scim.'));

describe('tokens of a directory', () => {
  it('ACC-4 are made by who manages members after the password, shown once, listed and revoked', async () => {
    const listed = await browser.send('GET', `/api/facilities/${facility.id}/scim-tokens`);
    expect(listed.json().data).toMatchObject([
      { name: 'Directory', created_by: { user_id: admin.id }, last_used_at: null },
    ]);
    expect(listed.payload).not.toContain(secret);
    const { id } = listed.json().data[0];
    // Who works in two facilities sees of each its own.
    const other = await openDirectory();
    await makeMembership(server.db, { userId: admin.id, facility: other.facility, roles: ['facilityAdministrator'] });
    const again = await signedIn(server, admin.id);
    expect((await again.send('GET', `/api/facilities/${facility.id}/scim-tokens`)).json()).toEqual({
      data: [{ ...listed.json().data[0] }],
    });
    expect((await ask('GET', '/Users')).status).toBe(200);
    expect((await browser.send('DELETE', `/api/facilities/${facility.id}/scim-tokens/${id}`)).statusCode).toBe(204);
    expect((await ask('GET', '/Users')).status).toBe(401);
  });

  it('A8 are kept as a hash alone', async () => {
    const rows = await sql<{ row: string }>`select t::text as row from scim_tokens t`.execute(server.db);
    expect(rows.rows.map(({ row }) => row).join()).not.toContain(secret.replace('wardline_scim_', ''));
  });

  it.each([
    ['none', null],
    ['a forged one', `wardline_scim_${'A'.repeat(43)}`],
    ['a token of a person', `wardline_${'A'.repeat(43)}`],
    ['something else', 'x'],
  ])('A9 %s opens nothing, in the shape of SCIM', async (_which, token) => {
    for (const path of ['/Users', '/Groups', '/ServiceProviderConfig', '/Schemas']) {
      const { status, json, headers } = await ask('GET', path, { token });
      expect([path, status]).toEqual([path, 401]);
      expect(json).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
      expect(headers['www-authenticate']).toBe('Bearer');
      expect(headers['content-type']).toContain('application/scim+json');
    }
  });

  it('A9 A30 one has no force once it expired, or its maker may not manage members, has gone or is disabled', async () => {
    const { db } = server;
    const token = db.updateTable('scim_tokens').where('facility_id', '=', facility.id);
    await token.set({ expires_at: new Date(Date.now() - 1) }).execute();
    expect((await ask('GET', '/Users')).status).toBe(401);
    await token.set({ expires_at: new Date(Date.now() + 60_000) }).execute();
    expect((await ask('GET', '/Users')).status).toBe(200);
    await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', admin.id).execute();
    expect((await ask('GET', '/Users')).status).toBe(401);
    await db.updateTable('users').set({ disabled_at: null }).where('id', '=', admin.id).execute();
    await db.deleteFrom('membership_roles').where('facility_id', '=', facility.id).execute();
    expect((await ask('GET', '/Users')).status).toBe(401);
  });

  it('ADM-2 A9 one has no force while its facility is closed, and nobody joins or leaves by it', async () => {
    const { id } = await userOf();
    const known = await membersOf();
    const operator = await signedIn(server, (await makeUser(server.db, { isOperator: true })).id);
    const url = `/api/system/facilities/${facility.id}/deactivation`;
    const { name } = await server.db
      .selectFrom('facilities')
      .select('name')
      .where('id', '=', facility.id)
      .executeTakeFirstOrThrow();
    expect((await operator.send('POST', url, { body: { name } })).statusCode).toBe(200);
    const asked = [
      await ask('GET', '/Users'),
      await ask('POST', '/Users', { body: person() }),
      await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: false }) }),
      await ask('DELETE', `/Users/${id}`),
      await ask('GET', '/Groups'),
    ];
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(await membersOf()).toEqual(known);
    expect((await operator.send('DELETE', url)).statusCode).toBe(200);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({ id, active: true });
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await membersOf()).toHaveLength(known.length - 1);
  });

  it('A16 neither opens the API, nor does a token of the API open SCIM', async () => {
    const answer = await server.app.inject({ url: '/api/user', headers: { authorization: `Bearer ${secret}` } });
    expect(answer.statusCode).toBe(401);
  });
});

describe('joiners', () => {
  it('ACC-4 are made with an account of their own by a POST, told by mail, and found by all the ways that directories look', async () => {
    const email = newAddress();
    const made = await ask('POST', '/Users', { body: person(email, { externalId: 'e-1', active: true }) });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(made.json.meta.location);
    expect(made.json).toMatchObject({
      ...{ schemas: [USER], userName: email, externalId: 'e-1', active: true, groups: [] },
      name: { givenName: 'Kim', familyName: 'Park' },
      emails: [{ value: email, primary: true }],
    });
    expect((await membersOf()).map(({ user_id }) => user_id)).toContain(made.json.id);
    for (const filter of [
      `userName eq "${email}"`,
      `username EQ "${email.toUpperCase()}"`,
      'externalId eq "e-1"',
      `emails eq "${email}"`,
      `emails[type eq "work"].value eq "${email}"`,
      `${USER}:userName eq "${email}"`,
    ]) {
      const { json } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect([filter, json.totalResults, json.Resources[0]?.id]).toEqual([filter, 1, made.json.id]);
    }
    await server.runJobs();
    const mail = server.mails.findLast(({ to }) => to === email);
    expect(mail?.text).toContain('/forgot-password');
  });

  it('ACC-4 ADM-3 what a directory and its token do is one entry each, by the token that did it; no change is none', async () => {
    const [token] = (await browser.send('GET', `/api/facilities/${facility.id}/scim-tokens`)).json().data;
    const { id } = await userOf({ externalId: 'e-7' });
    const change = (path: string, value: unknown) =>
      ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path, value }) });
    for (const value of ['Kim Lee', 'Kim Lee']) await change('displayName', value);
    const members = { op: 'add', path: 'members', value: [{ value: id }] };
    for (let turn = 0; turn < 2; turn++) {
      await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: patch(members) });
    }
    await change('active', false);
    await ask('DELETE', `/Users/${id}`);
    await browser.send('DELETE', `/api/facilities/${facility.id}/scim-tokens/${token.id}`);
    const by = { scim_token: token.id };
    const [user, role] = [{ object_type: 'user', object_id: id }, facility.roles.clinician];
    const entries = (await auditActions()).map(({ action, actor_id, object_type, object_id, outcome, detail }) => {
      expect(outcome).toBe('done');
      return { action, actor_id, object_type, object_id, detail };
    });
    const ofToken = { actor_id: admin.id, object_type: 'scim_token', object_id: token.id };
    expect(entries).toEqual([
      { action: 'scim.token.create', ...ofToken, detail: { days: 30 } },
      { action: 'scim.user.create', actor_id: null, ...user, detail: { ...by, account: 'made', active: true } },
      {
        ...{ action: 'scim.user.update', actor_id: null, ...user },
        detail: { ...by, changed: ['displayName'], active: true },
      },
      {
        ...{ action: 'scim.group.update', actor_id: null, object_type: 'role', object_id: role },
        detail: { ...by, added: [id], removed: [] },
      },
      { action: 'scim.user.update', actor_id: null, ...user, detail: { ...by, changed: ['isActive'], active: false } },
      { action: 'scim.user.end', actor_id: null, ...user, detail: by },
      { action: 'scim.token.revoke', ...ofToken, detail: null },
    ]);
  });

  it('ACC-4 A16 of who belongs to two facilities, one directory puts out, names and forgets what is its own alone', async () => {
    const other = await openDirectory();
    const { id, email } = await makeUser(server.db, { name: 'Jo Elsewhere' });
    for (const token of [secret, other.secret]) {
      expect((await ask('POST', '/Users', { body: person(email, { externalId: 'e-8' }), token })).status).toBe(201);
    }
    const add = patch({ op: 'add', path: 'members', value: [{ value: id }] });
    await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: add });
    await ask('PATCH', `/Groups/${other.facility.roles.clinician}`, { body: add, token: other.secret });
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'displayName', value: 'Jo Here' }) });
    await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: patch({ op: 'remove', path: 'members' }) });
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
    const there = (await ask('GET', `/Users/${id}`, { token: other.secret })).json;
    expect(there).toMatchObject({ active: true, externalId: 'e-8', displayName: 'Jo Elsewhere' });
    expect(there.groups).toMatchObject([{ value: other.facility.roles.clinician }]);
    expect((await membersOf(other.facility.id)).map(({ user_id }) => user_id)).toContain(id);
  });

  it('A16 ACC-4 who has an account is let in with it, and nothing of it changes', async () => {
    const elsewhere = await openDirectory();
    const { id, email } = await makeUser(server.db, { name: 'Jo Elsewhere' });
    await makeMembership(server.db, { userId: id, facility: elsewhere.facility, roles: ['clinician'] });
    const before = await server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const made = await userOf({ displayName: 'Renamed' }, email);
    expect(made).toMatchObject({ id, displayName: 'Renamed' });
    await ask('PATCH', `/Users/${id}`, {
      body: patch({ op: 'replace', value: { displayName: 'Again', userName: 'new@x.test' } }),
    });
    await ask('DELETE', `/Users/${id}`);
    expect(await server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).toEqual(
      before,
    );
    expect((await membersOf(elsewhere.facility.id)).map(({ user_id }) => user_id)).toContain(id);
  });

  it.each([
    ['has not verified the address', { emailVerifiedAt: null }],
    ['is disabled', { disabledAt: new Date() }],
  ])('A16 ACC-4 an account that %s is not linked', async (_which, options) => {
    const { email } = await makeUser(server.db, options);
    const { status, json } = await ask('POST', '/Users', { body: person(email) });
    expect([status, json.scimType]).toEqual([409, 'uniqueness']);
    expect(await membersOf()).toHaveLength(1);
  });

  it.each([
    [
      'a userName that somebody has in other letters',
      (of: { userName: string }) => ({ userName: of.userName.toUpperCase() }),
    ],
    ['an externalId that somebody has', (of: { externalId: string }) => ({ externalId: of.externalId })],
  ])('ACC-4 nobody is given %s, and the rest of what was sent is not stored either', async (_which, taken) => {
    const [standing, other] = [await userOf({ externalId: 'e-3' }), await userOf({ externalId: 'e-4' })];
    const email = newAddress();
    const answers = [
      await ask('POST', '/Users', { body: person(email, taken(standing)) }),
      await ask('PATCH', `/Users/${other.id}`, { body: patch({ op: 'replace', value: taken(standing) }) }),
    ];
    expect(answers.map(({ status, json }) => [status, json.scimType])).toEqual([
      [409, 'uniqueness'],
      [409, 'uniqueness'],
    ]);
    expect(await server.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
    expect((await ask('GET', `/Users/${other.id}`)).json).toEqual(other);
  });

  it('ACC-4 of 50 that make the same person at once one does, and there is one account', async () => {
    const email = newAddress();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('POST', '/Users', { body: person(email) })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status, json }) => status === 409 && json.scimType === 'uniqueness')).toHaveLength(49);
    expect(await server.db.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1);
    expect(await membersOf()).toHaveLength(2);
  });

  it.each([
    [{ schemas: [USER] }],
    [{ userName: '' }],
    [{ userName: 'no address' }],
    [{ userName: 'x@y.test', active: 'perhaps' }],
    [{ userName: 'x@y.test', emails: [{ value: 'no' }] }],
    [{ userName: 'x'.repeat(300) }],
    [[]],
    ['text'],
    [{ userName: { $ne: null } }],
    [{ userName: 'x@y.test', active: { toString: 1 } }],
    [{ userName: 'x@y.test', displayName: 'two\nlines' }],
  ])('ACC-4 refuses what is no person: %j', async (body) => {
    const { status, json } = await ask('POST', '/Users', { body });
    expect(status, JSON.stringify(json)).toBe(400);
    expect(json.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    expect(await membersOf()).toHaveLength(1);
  });
});

describe('leavers', () => {
  it.each([
    ['as Okta says it', patch({ op: 'replace', value: { active: false } })],
    ['as Entra says it', patch({ op: 'Replace', path: 'active', value: 'False' })],
    ['by the full name', patch({ op: 'replace', path: `${USER}:active`, value: false })],
  ])('ACC-7 A9 lose the facility at once, sockets included, %s', async (_which, body) => {
    const { id } = await userOf();
    const theirs = await signedIn(server, id);
    const chats = () => theirs.send('GET', `/api/facilities/${facility.id}/chats?state=open`);
    expect((await chats()).statusCode).toBe(200);
    const socket = await openSocket(server);
    expect(await socket.join(theirs, `private-facility.${facility.id}`)).toBe('joined');
    const { status, json } = await ask('PATCH', `/Users/${id}`, { body });
    expect([status, json.active]).toEqual([200, false]);
    expect((await chats()).statusCode).toBe(404);
    const ended = await socket.next(({ event }) => event === 'pusher:subscription_error');
    expect(ended.channel).toBe(`private-facility.${facility.id}`);
    expect(await socket.join(theirs, `private-facility.${facility.id}`)).toBe(403);
    // The account is theirs, and goes on.
    expect(await statusOf(theirs)).toBe(200);
    socket.close();
  });

  it('ACC-4 come back as they were known, without the roles that they had', async () => {
    const { id } = await userOf({ externalId: 'e-9' });
    await ask('PATCH', `/Groups/${facility.roles.clinician}`, {
      body: patch({ op: 'add', path: 'members', value: [{ value: id }] }),
    });
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: false }) });
    const gone = await ask('GET', `/Users/${id}`);
    expect(gone.json).toMatchObject({ active: false, externalId: 'e-9', groups: [] });
    const back = await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: true }) });
    expect(back.json).toMatchObject({ active: true, externalId: 'e-9', groups: [] });
  });

  it('ACC-7 DELETE ends the membership and forgets what the directory said; what was signed stays', async () => {
    const { id } = await userOf();
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await ask('GET', `/Users/${id}`)).status).toBe(404);
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(404);
    const kept = server.db.selectFrom('memberships').select('ended_at').where('user_id', '=', id);
    expect((await kept.executeTakeFirstOrThrow()).ended_at).not.toBeNull();
  });

  it('A30 the last person in charge stays, and so does who may more than the maker of the token', async () => {
    const last = await ask('PATCH', `/Users/${admin.id}`, {
      body: patch({ op: 'replace', path: 'active', value: false }),
    });
    expect(last.status).toBe(409);
    expect((await ask('DELETE', `/Users/${admin.id}`)).status).toBe(409);
    const weak = await openWeakDirectory();
    for (const isDisabled of [true, false]) {
      await setDisabled([weak.stronger.id], isDisabled);
      const refused = await ask('DELETE', `/Users/${weak.stronger.id}`, { token: weak.secret });
      const end = patch({ op: 'replace', path: 'active', value: false });
      const ended = await ask('PATCH', `/Users/${weak.stronger.id}`, { token: weak.secret, body: end });
      expect([refused.status, ended.status], `disabled: ${isDisabled}`).toEqual([403, 403]);
    }
    expect((await membersOf(weak.facility.id)).map(({ user_id }) => user_id)).toContain(weak.stronger.id);
  });

  it('ACC-7 put out also whoever made the token, which has no force from then on', async () => {
    const next = await userOf();
    await ask('PATCH', `/Groups/${facility.roles.facilityAdministrator}`, {
      body: patch({ op: 'add', path: 'members', value: [{ value: next.id }] }),
    });
    const gone = await ask('PATCH', `/Users/${admin.id}`, {
      body: patch({ op: 'replace', path: 'active', value: false }),
    });
    expect([gone.status, gone.json]).toEqual([200, expect.objectContaining({ id: admin.id, active: false })]);
    expect((await membersOf()).map(({ user_id }) => user_id)).toEqual([next.id]);
    expect((await ask('GET', '/Users')).status).toBe(401);
  });

  it('A16 a person that was put out is known by what the directory said, not by their account', async () => {
    const { id, email } = await makeUser(server.db, { name: 'Jo Elsewhere' });
    await userOf({}, email);
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: false }) });
    await server.db
      .updateTable('users')
      .set({ name: 'Private Name', email: `new-${email}` })
      .where('id', '=', id)
      .execute();
    const { json } = await ask('GET', '/Users');
    expect(JSON.stringify(json)).toContain(email);
    expect(JSON.stringify(json)).not.toContain('Private Name');
    expect(JSON.stringify(json)).not.toContain(`new-${email}`);
  });
});

describe('members whose account is disabled', () => {
  const changed = async () => (await auditActions()).at(-1)?.detail;
  const isMember = async (id: string) => (await membersOf()).some(({ user_id }) => user_id === id);

  /** A clinician with a title, known to the directory by all that it may say. */
  async function disabledMember() {
    const sent = person(newAddress(), { displayName: 'Kim Park', externalId: 'e-5', title: 'Staff nurse' });
    const { id } = (await ask('POST', '/Users', { body: sent })).json;
    const add = patch({ op: 'add', path: 'members', value: [{ value: id }] });
    expect((await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: add })).status).toBe(200);
    await setDisabled([id], true);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({ active: true, title: 'Staff nurse' });
    return { id, sent };
  }
  /** The same change by either verb. */
  const WAYS = [
    [
      'PATCH',
      (id: string, _sent: object, value: object) =>
        ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', value }) }),
    ],
    ['PUT', (id: string, sent: object, value: object) => ask('PUT', `/Users/${id}`, { body: { ...sent, ...value } })],
  ] as const;

  it.each(WAYS)(
    'ACC-7 are put out by a %s of active false, and stay out when the account is enabled',
    async (_verb, change) => {
      const { id, sent } = await disabledMember();
      const socket = await openSocket(server);
      expect(await socket.join(browser, `private-facility.${facility.id}`)).toBe('joined');
      const { status, json } = await change(id, sent, { active: false });
      expect([status, json]).toEqual([200, expect.objectContaining({ active: false, groups: [] })]);
      expect(await isMember(id)).toBe(false);
      expect(await changed()).toMatchObject({ changed: ['isActive'], active: false });
      await socket.next(({ event }) => event.endsWith('OnCallChanged'));
      socket.close();
      const entries = await auditActions();
      expect((await change(id, sent, { active: false })).json).toEqual(json);
      expect(await auditActions()).toEqual(entries);
      await setDisabled([id], false);
      expect((await ask('GET', `/Users/${id}`)).json).toEqual(json);
      const theirs = await signedIn(server, id);
      expect((await theirs.send('GET', `/api/facilities/${facility.id}/chats?state=open`)).statusCode).toBe(404);
    },
  );

  it('ACC-4 ACC-7 are members again by active true after they were put out, when the account is enabled', async () => {
    const { id } = await disabledMember();
    const change = (active: boolean) =>
      ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: active }) });
    await change(false);
    expect(await isMember(id)).toBe(false);
    expect((await change(true)).json).toMatchObject({ active: true, groups: [] });
    expect(await isMember(id)).toBe(true);
    expect(await changed()).toMatchObject({ changed: ['isActive'], active: true });
    await setDisabled([id], false);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({ active: true, externalId: 'e-5', groups: [] });
  });

  it.each(WAYS)(
    'ACC-4 ACC-7 stay members with roles and title where a %s does not say active',
    async (_verb, change) => {
      const { id, sent } = await disabledMember();
      const { status, json } = await change(id, sent, { displayName: 'Kim Lee' });
      expect([status, json]).toEqual([200, expect.objectContaining({ displayName: 'Kim Lee', active: true })]);
      expect(await isMember(id)).toBe(true);
      expect(await changed()).toMatchObject({ changed: ['displayName'], active: true });
      await setDisabled([id], false);
      expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({
        ...{ displayName: 'Kim Lee', title: 'Staff nurse', active: true },
        groups: [{ value: facility.roles.clinician }],
      });
    },
  );

  it.each(WAYS)('ACC-4 A30 are neither enabled nor changed by a %s of active true', async (_verb, change) => {
    const { id, sent } = await disabledMember();
    const [before, entries] = [(await ask('GET', `/Users/${id}`)).json, await auditActions()];
    expect((await change(id, sent, { active: true })).json).toEqual(before);
    expect(await auditActions()).toEqual(entries);
    const renamed = await change(id, sent, { active: true, displayName: 'Kim Lee' });
    expect(renamed.json).toMatchObject({ displayName: 'Kim Lee', active: true });
    expect(await changed()).toMatchObject({ changed: ['displayName'], active: true });
    const account = server.db.selectFrom('users').select('disabled_at').where('id', '=', id);
    expect((await account.executeTakeFirstOrThrow()).disabled_at).not.toBeNull();
    await setDisabled([id], false);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({
      ...{ active: true, title: 'Staff nurse' },
      groups: [{ value: facility.roles.clinician }],
    });
  });

  it.each(WAYS)('ACC-4 ADM-1 have the title that a %s says, but not with their end', async (_verb, change) => {
    const { id, sent } = await disabledMember();
    const titled = await change(id, sent, { title: 'Midwife' });
    expect(titled.json).toMatchObject({ title: 'Midwife', active: true });
    expect(await changed()).toMatchObject({ changed: ['title'], active: true });
    expect((await change(id, sent, { title: 'Head midwife', active: false })).json).not.toHaveProperty('title');
    expect(await changed()).toMatchObject({ changed: ['isActive'], active: false });
    const kept = server.db.selectFrom('memberships').select('title').where('user_id', '=', id);
    expect(await kept.execute()).toEqual([{ title: 'Midwife' }]);
  });
});

/** Its token's maker manages members and nothing else; somebody there has a role with more. */
async function openWeakDirectory() {
  const made = await openDirectory();
  const stronger = await makeUser(server.db);
  await makeMembership(server.db, { userId: stronger.id, facility: made.facility, roles: ['facilityAdministrator'] });
  const strongerRole = made.facility.roles.facilityAdministrator;
  const role = {
    id: crypto.randomUUID(),
    facility_id: made.facility.id,
    name: 'Managers',
    permissions: ['members.manage'],
  };
  await server.db.insertInto('roles').values(role).execute();
  const membership = await server.db
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', made.admin.id)
    .executeTakeFirstOrThrow();
  await server.db
    .updateTable('membership_roles')
    .set({ role_id: role.id })
    .where('membership_id', '=', membership.id)
    .execute();
  return { ...made, stronger, strongerRole };
}

describe('movers', () => {
  const membersIn = async (role: string) =>
    (await ask('GET', `/Groups/${role}`)).json.members.map(({ value }: { value: string }) => value);

  it('ACC-4 PERM-3 groups are the roles of the facility, and their members hold them', async () => {
    const { clinician } = facility.roles;
    const { json } = await ask('GET', '/Groups?excludedAttributes=members');
    expect(json.totalResults).toBeGreaterThan(3);
    expect(json.Resources[0].members).toBeUndefined();
    const [name] = json.Resources.filter(({ id }: { id: string }) => id === clinician).map(
      ({ displayName }: { displayName: string }) => displayName,
    );
    const found = await ask('GET', `/Groups?filter=${encodeURIComponent(`displayName eq "${name}"`)}`);
    expect(found.json.Resources.map(({ id }: { id: string }) => id)).toEqual([clinician]);
    const [first, second] = [await userOf(), await userOf()];
    const theirs = await signedIn(server, first.id);
    const canCreate = async () =>
      (await theirs.send('GET', '/api/user')).json().memberships[0].permissions.includes('chats.create');
    expect(await canCreate()).toBe(false);

    // Entra: a capital letter, and the members as a list.
    await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'Add', path: 'members', value: [{ value: first.id }, { value: second.id }] }),
    });
    expect((await membersIn(clinician)).sort()).toEqual([first.id, second.id].sort());
    expect(await canCreate()).toBe(true);
    expect((await ask('GET', `/Users/${first.id}`)).json.groups).toMatchObject([{ value: clinician, display: name }]);
    const asked = await ask(
      'GET',
      `/Groups?filter=${encodeURIComponent(`id eq "${clinician}" and members eq "${first.id}"`)}`,
    );
    expect(asked.json.totalResults).toBe(1);

    // Okta: one by a filter.
    await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'remove', path: `members[value eq "${first.id}"]` }),
    });
    expect(await membersIn(clinician)).toEqual([second.id]);
    expect(await canCreate()).toBe(false);

    // Entra: the ones that go as a value.
    await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'Remove', path: 'members', value: [{ value: second.id }] }),
    });
    expect(await membersIn(clinician)).toEqual([]);

    // A whole list, with the name as it is, by PATCH without a path and by PUT.
    const whole = { id: clinician, displayName: name, members: [{ value: first.id }] };
    await ask('PATCH', `/Groups/${clinician}`, { body: patch({ op: 'replace', value: whole }) });
    expect(await membersIn(clinician)).toEqual([first.id]);
    await ask('PUT', `/Groups/${clinician}`, { body: { ...whole, members: [{ value: second.id }] } });
    expect(await membersIn(clinician)).toEqual([second.id]);
    const entries = (await auditActions()).filter(({ action }) => action === 'scim.group.update');
    expect(entries.at(-1)).toMatchObject({ object_id: clinician, detail: { added: [second.id], removed: [first.id] } });
  });

  it('ACC-4 PERM-3 who is given a role or loses one is told, and a repeat tells nothing', async () => {
    const { clinician } = facility.roles;
    const { id } = await userOf();
    const socket = await openSocket(server);
    expect(await socket.join(await signedIn(server, id), `private-App.Models.User.${id}`)).toBe('joined');
    const told = () => socket.frames.filter(({ event }) => event.endsWith('MembershipChanged')).map(({ data }) => data);
    const add = { op: 'add', path: 'members', value: [{ value: id }] };
    const remove = { op: 'remove', path: `members[value eq "${id}"]` };
    for (const change of [add, add, remove, remove]) {
      const { status } = await ask('PATCH', `/Groups/${clinician}`, { body: patch(change) });
      expect(status, change.op).toBeLessThan(300);
    }
    await socket.settle();
    const changed = { facility_id: facility.id, chat_id: null, change: 'changed' };
    expect(told()).toEqual([changed, changed]);
    socket.close();
  });

  it('A9 ACC-7 a role is given and taken also while the account is disabled, so that what was taken does not come back with it', async () => {
    const { clinician } = facility.roles;
    const [first, second] = [await userOf(), await userOf()];
    const added = patch({ op: 'add', path: 'members', value: [{ value: first.id }, { value: second.id }] });
    await ask('PATCH', `/Groups/${clinician}`, { body: added });
    await setDisabled([first.id, second.id], true);
    expect((await membersIn(clinician)).sort()).toEqual([first.id, second.id].sort());
    const one = patch({ op: 'remove', path: `members[value eq "${first.id}"]` });
    expect((await ask('PATCH', `/Groups/${clinician}`, { body: one })).status).toBe(200);
    const given = patch({ op: 'add', path: 'members', value: [{ value: second.id }] });
    expect((await ask('PATCH', `/Groups/${facility.roles.chargeNurse}`, { body: given })).status).toBe(200);
    // Who is named stays.
    const whole = { displayName: 'Clinician', members: [{ value: second.id }] };
    expect((await ask('PUT', `/Groups/${clinician}`, { body: whole })).status).toBe(200);
    expect(await membersIn(clinician)).toEqual([second.id]);
    await setDisabled([first.id, second.id], false);
    expect(await membersIn(clinician)).toEqual([second.id]);
    expect((await ask('GET', `/Users/${first.id}`)).json.groups).toEqual([]);
  });

  it('A30 no token gives or takes a role that its maker could not give', async () => {
    const weak = await openWeakDirectory();
    const asWeak = (method: Method, path: string, body: unknown) => ask(method, path, { body, token: weak.secret });
    const made = (await asWeak('POST', '/Users', person())).json;
    const add = patch({ op: 'add', path: 'members', value: [{ value: made.id }] });
    expect((await asWeak('PATCH', `/Groups/${weak.strongerRole}`, add)).status).toBe(403);
    const remove = patch({ op: 'remove', path: `members[value eq "${weak.stronger.id}"]` });
    expect((await asWeak('PATCH', `/Groups/${weak.strongerRole}`, remove)).status).toBe(403);
    expect((await asWeak('PATCH', `/Groups/${weak.facility.roles.clinician}`, add)).status).toBe(200);
  });

  it('A30 the last person in charge keeps their role, and all of the request stays undone', async () => {
    const role = facility.roles.facilityAdministrator;
    const { id } = await userOf();
    const body = patch({ op: 'add', path: 'members', value: [] }, { op: 'remove', path: 'members' });
    expect((await ask('PATCH', `/Groups/${role}`, { body })).status).toBe(409);
    expect(await membersIn(role)).toEqual([admin.id]);
    const both = patch({ op: 'replace', path: 'members', value: [{ value: id }] });
    expect((await ask('PATCH', `/Groups/${role}`, { body: both })).status).toBe(200);
    // Its maker may not manage members any more.
    expect((await ask('GET', '/Groups')).status).toBe(401);
  });

  it('PERM-3 roles are neither made, removed nor renamed', async () => {
    const { clinician } = facility.roles;
    expect((await ask('POST', '/Groups', { body: { displayName: 'Rulers' } })).status).toBe(403);
    expect((await ask('DELETE', `/Groups/${clinician}`)).status).toBe(403);
    const rename = await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'replace', path: 'displayName', value: 'X' }),
    });
    expect([rename.status, rename.json.scimType]).toEqual([400, 'mutability']);
  });

  it('ACC-4 a changed name or userName is kept for the directory, by PUT and by PATCH without a path', async () => {
    const { id, userName } = await userOf({ externalId: 'e-2' });
    const body = patch({
      op: 'Replace',
      value: { 'name.givenName': 'Robin', [`${USER}:displayName`]: 'Robin Park', title: 'Nurse' },
    });
    expect((await ask('PATCH', `/Users/${id}`, { body })).json).toMatchObject({
      ...{ displayName: 'Robin Park', name: { givenName: 'Robin', familyName: 'Park' }, externalId: 'e-2' },
    });
    expect((await auditActions()).at(-1)?.detail).toMatchObject({
      changed: ['displayName', 'givenName', 'title'],
    });
    const put = await ask('PUT', `/Users/${id}`, { body: { userName, name: { formatted: 'R. Park' } } });
    expect(put.json).toMatchObject({ userName, displayName: 'R. Park', active: true });
    expect(put.json.externalId).toBeUndefined();
  });
});

describe('titles', () => {
  const titlesOf = async (userId: string, facilityId = facility.id) =>
    (
      await server.db
        .selectFrom('memberships')
        .select('title')
        .where('user_id', '=', userId)
        .where('facility_id', '=', facilityId)
        .orderBy('created_at')
        .execute()
    ).map(({ title }) => title);
  const writeByHand = async (userId: string, title: string) => {
    const url = `/api/facilities/${facility.id}/members/${userId}/title`;
    expect((await browser.send('PUT', url, { body: { title } })).statusCode).toBe(200);
  };

  it('ACC-4 ADM-1 a joiner has the title that the directory sends, where colleagues read it', async () => {
    const known = await makeUser(server.db);
    for (const email of [newAddress(), known.email]) {
      const made = await ask('POST', '/Users', { body: person(email, { title: ' Staff nurse ' }) });
      expect([made.status, made.json.title]).toEqual([201, 'Staff nurse']);
      const listed = await ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`);
      expect(listed.json.Resources).toEqual([made.json]);
      const seen = await browser.send('GET', `/api/facilities/${facility.id}/members/${made.json.id}`);
      expect(seen.json()).toMatchObject({ title: 'Staff nurse' });
    }
    expect(await userOf()).not.toHaveProperty('title');
    const { attributes } = (await ask('GET', `/Schemas/${USER}`)).json;
    expect(attributes).toContainEqual(expect.objectContaining({ name: 'title', type: 'string', multiValued: false }));
  });

  it('ACC-4 ADM-1 a PUT that says no title leaves what was written by hand, and one that says it counts', async () => {
    const { id, userName, meta } = await userOf();
    await writeByHand(id, 'Charge nurse, ICU');
    const put = (more: object) => ask('PUT', `/Users/${id}`, { body: { userName, ...more } });
    const read = await ask('GET', `/Users/${id}`);
    expect(read.json.title).toBe('Charge nurse, ICU');
    expect(read.json.meta.version).not.toBe(meta.version);
    const kept = await put({ displayName: 'K. Park' });
    expect(kept.json).toMatchObject({ displayName: 'K. Park', title: 'Charge nurse, ICU' });
    expect((await auditActions()).at(-1)?.detail).toMatchObject({
      changed: ['displayName', 'givenName', 'familyName'],
    });
    const said = await put({ displayName: 'K. Park', title: 'Midwife' });
    expect(said.json.title).toBe('Midwife');
    expect(said.headers.etag).not.toBe(kept.headers.etag);
    const { detail } = (await auditActions()).at(-1) ?? {};
    expect(detail).toMatchObject({ changed: ['title'], active: true });
    expect(JSON.stringify(detail)).not.toContain('Midwife');
    expect((await put({ displayName: 'K. Park', title: null })).json).not.toHaveProperty('title');
    expect(await titlesOf(id)).toEqual([null]);
  });

  it.each([
    ['by its path', { op: 'replace', path: 'title', value: 'Midwife' }, 'Midwife'],
    ['by its full name', { op: 'add', path: `${USER}:title`, value: 'Midwife' }, 'Midwife'],
    ['as Entra says it without a path', { op: 'Replace', value: { title: 'Midwife' } }, 'Midwife'],
    ['of 80 characters', { op: 'replace', path: 'title', value: 'M'.repeat(80) }, 'M'.repeat(80)],
    ['and takes it away by remove', { op: 'remove', path: 'title' }, null],
    ['and takes it away by null', { op: 'replace', path: 'title', value: null }, null],
    ['and takes it away by an empty text', { op: 'replace', value: { title: ' ' } }, null],
  ])('ACC-4 ADM-1 a PATCH says the title %s', async (_how, operation, title) => {
    const { id } = await userOf({ title: 'Staff nurse' });
    const { status, json } = await ask('PATCH', `/Users/${id}`, { body: patch(operation) });
    expect([status, json.title ?? null]).toEqual([200, title]);
    expect(await titlesOf(id)).toEqual([title]);
    expect((await ask('GET', `/Users/${id}`)).json).toEqual(json);
  });

  it('ACC-4 ADM-1 a title is told to the devices of whose it is, once', async () => {
    const { id } = await userOf();
    const theirs = await signedIn(server, id);
    const socket = await openSocket(server);
    expect(await socket.join(theirs, `private-App.Models.User.${id}`)).toBe('joined');
    for (let turn = 0; turn < 2; turn++) {
      await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'title', value: 'Midwife' }) });
    }
    // What the screens need nothing of.
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'displayName', value: 'Kim' }) });
    await socket.settle();
    const told = socket.frames.filter(({ event }) => event.endsWith('MembershipChanged')).map(({ data }) => data);
    expect(told).toEqual([{ facility_id: facility.id, chat_id: null, change: 'changed' }]);
    expect((await theirs.send('GET', '/api/user')).json().memberships).toMatchObject([{ title: 'Midwife' }]);
    socket.close();
  });

  it.each([
    ['81 characters', 'M'.repeat(81)],
    ['two lines', 'Staff\nnurse'],
    ['no text', 7],
  ])('ACC-4 ADM-1 a title of %s is refused, and nothing else of the request is kept', async (_which, title) => {
    const user = await userOf({ title: 'Staff nurse' });
    const email = newAddress();
    const answers = [
      await ask('POST', '/Users', { body: person(email, { title }) }),
      await ask('PUT', `/Users/${user.id}`, { body: person(user.userName, { title, displayName: 'Kim' }) }),
      await ask('PATCH', `/Users/${user.id}`, { body: patch({ op: 'replace', value: { displayName: 'Kim', title } }) }),
    ];
    for (const { status, json } of answers) expect([status, json.scimType]).toEqual([400, 'invalidValue']);
    expect((await ask('GET', `/Users/${user.id}`)).json).toEqual(user);
    expect(await server.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
  });

  it('ACC-4 ADM-1 A16 a title is of one facility: another keeps its own', async () => {
    const other = await openDirectory();
    const { id, email } = await makeUser(server.db);
    await makeMembership(server.db, { userId: id, facility: other.facility, title: 'Elsewhere' });
    expect(await userOf({ title: 'Staff nurse' }, email)).toMatchObject({ id, title: 'Staff nurse' });
    for (const operation of [
      { op: 'replace', path: 'title', value: 'Midwife' },
      { op: 'remove', path: 'title' },
    ]) {
      expect((await ask('PATCH', `/Users/${id}`, { body: patch(operation) })).status).toBe(200);
    }
    expect(await titlesOf(id)).toEqual([null]);
    expect((await ask('GET', `/Users/${id}`, { token: other.secret })).json.title).toBe('Elsewhere');
  });

  it('ACC-7 ADM-1 who is put out has no title and is given none; who comes back has the one that is sent', async () => {
    const { id, userName } = await userOf({ title: 'Staff nurse' });
    const change = async (value: object) =>
      (await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', value }) })).json;
    const changed = async () => (await auditActions()).at(-1)?.detail;
    const gone = await change({ active: false, title: 'Midwife' });
    expect(gone).toMatchObject({ active: false });
    expect(gone).not.toHaveProperty('title');
    expect(await changed()).toMatchObject({ changed: ['isActive'], active: false });
    const entries = (await auditActions()).length;
    expect(await change({ title: 'Midwife' })).toEqual(gone);
    expect(await auditActions()).toHaveLength(entries);
    expect(await change({ active: true })).not.toHaveProperty('title');
    await change({ active: false });
    const back = await ask('PUT', `/Users/${id}`, { body: person(userName, { active: true, title: 'Midwife' }) });
    expect(back.json).toMatchObject({ active: true, title: 'Midwife' });
    expect(await changed()).toMatchObject({ changed: expect.arrayContaining(['title', 'isActive']), active: true });
    await change({ title: 'Head midwife' });
    // What they were stays with the time that they were there.
    expect(await titlesOf(id)).toEqual(['Staff nurse', null, 'Head midwife']);
    expect(await userOf({ active: false, title: 'Midwife' })).not.toHaveProperty('title');
  });
});

describe('another facility', () => {
  it('A16 A29 is nothing that a token knows of, by id, filter, group or member', async () => {
    const other = await openDirectory();
    const stranger = await makeUser(server.db, { name: 'Sam Stranger' });
    await makeMembership(server.db, { userId: stranger.id, facility: other.facility, roles: ['clinician'] });
    const role = other.facility.roles.clinician;
    const body = patch({ op: 'replace', path: 'active', value: false });
    for (const [method, path, sent] of [
      ['GET', `/Users/${stranger.id}`],
      ['PATCH', `/Users/${stranger.id}`, body],
      ['PUT', `/Users/${stranger.id}`, person()],
      ['DELETE', `/Users/${stranger.id}`],
      ['GET', `/Groups/${role}`],
      ['PATCH', `/Groups/${role}`, patch({ op: 'remove', path: 'members' })],
      ['PUT', `/Groups/${role}`, { members: [] }],
    ] as const) {
      const foreign = await ask(method, path, { body: sent });
      const none = await ask(method, path.replace(/[^/]+$/, crypto.randomUUID()), { body: sent });
      expect([method, path, foreign.status, foreign.json]).toEqual([method, path, 404, none.json]);
    }
    const { json } = await ask('GET', '/Users?count=200');
    expect(JSON.stringify(json)).not.toContain(stranger.id);
    for (const filter of [
      `userName eq "${stranger.email}"`,
      `id eq "${stranger.id}"`,
      `emails eq "${stranger.email}"`,
    ]) {
      expect((await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json.totalResults).toBe(0);
    }
    const mine = facility.roles.clinician;
    const add = (value: string) =>
      ask('PATCH', `/Groups/${mine}`, { body: patch({ op: 'add', path: 'members', value: [{ value }] }) });
    expect((await add(stranger.id)).json).toEqual((await add(crypto.randomUUID())).json);
    const asked = await browser.send(
      'DELETE',
      `/api/facilities/${facility.id}/scim-tokens/${await tokenIdOf(other.facility.id)}`,
    );
    expect(asked.statusCode).toBe(404);
  });
});

async function tokenIdOf(facilityId: string): Promise<string> {
  const found = server.db.selectFrom('scim_tokens').select('id').where('facility_id', '=', facilityId);
  return (await found.executeTakeFirstOrThrow()).id;
}

describe('the protocol', () => {
  it('ACC-4 says what it takes, in types and schemas', async () => {
    const config = await ask('GET', '/ServiceProviderConfig');
    expect(config.json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: true },
    });
    expect((await ask('GET', '/ResourceTypes')).json.Resources.map(({ id }: { id: string }) => id)).toEqual([
      'User',
      'Group',
    ]);
    expect((await ask('GET', '/ResourceTypes/User')).json).toMatchObject({ endpoint: '/Users', schema: USER });
    expect((await ask('GET', `/Schemas/${USER}`)).json.attributes.map(({ name }: { name: string }) => name)).toContain(
      'userName',
    );
    expect((await ask('GET', '/Schemas/none')).status).toBe(404);
  });

  it('ACC-4 gives pages from startIndex, each person once', async () => {
    for (let made = 0; made < 6; made++) await userOf();
    const ids: string[] = [];
    for (let startIndex = 1; startIndex <= 7; startIndex += 3) {
      const { json } = await ask('GET', `/Users?startIndex=${startIndex}&count=3`);
      expect(json).toMatchObject({ totalResults: 7, startIndex });
      ids.push(...json.Resources.map(({ id }: { id: string }) => id));
    }
    expect(new Set(ids).size).toBe(7);
    expect((await ask('GET', '/Users?count=0')).json).toMatchObject({
      totalResults: 7,
      itemsPerPage: 0,
      Resources: [],
    });
    expect((await ask('GET', '/Users?startIndex=-4&count=-1')).json).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
    expect((await ask('GET', '/Users?startIndex=x')).status).toBe(400);
  });

  it.each([
    'userName sw "a"',
    'userName eq',
    'password eq "x"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '"',
  ])('ACC-4 a filter that it does not take is refused: %s', async (filter) => {
    const { status, json } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, json.scimType]).toEqual([400, 'invalidFilter']);
  });

  it('ACC-4 a change that expects another version is refused, and an unchanged person is not sent again', async () => {
    const { id, meta } = await userOf();
    const url = `/Users/${id}`;
    expect((await ask('GET', url, { headers: { 'if-none-match': meta.version } })).status).toBe(304);
    const rename = patch({ op: 'replace', path: 'displayName', value: 'Robin' });
    const changed = await ask('PATCH', url, { body: rename, headers: { 'if-match': meta.version } });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(meta.version);
    expect((await ask('DELETE', url, { headers: { 'if-match': meta.version } })).status).toBe(412);
  });

  it('ACC-4 a change of a group that expects other members than it has is refused, and takes nobody', async () => {
    const { clinician } = facility.roles;
    const url = `/Groups/${clinician}`;
    const [first, second] = [await userOf(), await userOf()];
    const add = (id: string) => patch({ op: 'add', path: 'members', value: [{ value: id }] });
    const { version } = (await ask('GET', url)).json.meta;
    expect((await ask('PATCH', url, { body: add(first.id), headers: { 'if-match': version } })).status).toBe(200);
    const emptied = { ...(await ask('GET', url)).json, members: [] };
    for (const [method, body] of [
      ['PATCH', add(second.id)],
      ['PUT', emptied],
    ] as const) {
      expect((await ask(method, url, { body, headers: { 'if-match': version } })).status).toBe(412);
    }
    expect((await ask('GET', `/Users/${first.id}`)).json.groups).toHaveLength(1);
    expect((await ask('GET', `/Users/${second.id}`)).json.groups).toEqual([]);
  });

  it.each([
    [{ Operations: [] }],
    [patch({ op: 'move', path: 'active', value: true })],
    [patch({ op: { toString: 1 }, path: 'active', value: true })],
    [patch({ op: 'replace', path: 'active' })],
    [patch({ op: 'replace', path: 'a b', value: 1 })],
    [patch({ op: 'remove', path: 'userName' })],
    [patch({ op: 'remove' })],
    [patch({ op: 'replace', value: 'x' })],
    [patch(...Array.from({ length: 201 }, () => ({ op: 'replace', path: 'active', value: true })))],
    [{}],
    [[]],
  ])('ACC-4 a PATCH that cannot be read changes nothing (%#)', async (body) => {
    const { id, meta } = await userOf();
    expect((await ask('PATCH', `/Users/${id}`, { body })).status).toBe(400);
    expect((await ask('GET', `/Users/${id}`)).json.meta.version).toBe(meta.version);
  });

  it('ACC-4 takes no other body than JSON, and no broken one', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await ask('POST', '/Users', { body: person(), headers })).status).toBe(415);
    const broken = await server.app.inject({
      ...{ method: 'POST', url: '/scim/v2/Users', payload: '{' },
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
    });
    expect([broken.statusCode, broken.json().scimType]).toEqual([400, 'invalidSyntax']);
  });
});
