import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKnownDevices } from '#/features/auth/credentials/known-device.ts';
import type { OidcProvider } from '#/platform/config/oidc-settings.ts';
import { newId } from '#/platform/new-id.ts';
import {
  COUNTERPART_CLIENT,
  type OidcCounterpart,
  type ProviderPerson,
  startOidcCounterpart,
} from '#/testing/counterparts/oidc-counterpart.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { codeOf, type MadeUser, makeApp, makeSession, makeUser } from '#/testing/factories/users.ts';
import {
  actsOf,
  audited,
  auditOf,
  guestWithCookies,
  newAddress,
  SESSION_COOKIE,
  statusOf,
  type TestClient,
  withSession,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

let server: TestServer;
let counterpart: OidcCounterpart;
/** Of a laboratory, whose people get accounts by it. */
let laboratory: OidcCounterpart;
let facility: MadeFacility;
let person: MadeUser;
let guest: TestClient;
const logged: string[] = [];

const PROVIDER = {
  ...{ label: 'St. Mary’s account', scopes: 'openid email profile', email_verified_claim: 'email_verified' },
  ...{ groups_claim: 'groups', create_accounts: false, second_factor_amr: ['mfa'], second_factor_acr: [] },
  groups: {
    nurses: [{ facility: 'SH', role: 'Clinician' }],
    heads: [{ facility: 'SH', role: 'Facility administrator' }],
  },
};

beforeAll(async () => {
  [counterpart, laboratory] = [await startOidcCounterpart(), await startOidcCounterpart()];
  const own = { ...PROVIDER, ...COUNTERPART_CLIENT, id: 'hospital', issuer: counterpart.issuer };
  // Nothing listens there.
  const down = { ...own, id: 'down', issuer: 'http://127.0.0.1:9' };
  const lab = { ...own, id: 'lab', issuer: laboratory.issuer, label: 'Laboratory', create_accounts: true };
  server = await startTestServer({ oidc: [own, down, lab] satisfies OidcProvider[], logTo: logged });
  counterpart.serve(`${server.baseUrl}/api/sso/hospital/callback`);
  laboratory.serve(`${server.baseUrl}/api/sso/lab/callback`);
  facility = await makeFacility(server.db, { code: 'SH' });
});
afterAll(async () => {
  await server.close();
  await counterpart.close();
  await laboratory.close();
});
beforeEach(async () => {
  person = await makeUser(server.db);
  guest = await guestWithCookies(server);
});

/** As the hospital names them. */
const asStaff = (change: Partial<ProviderPerson> = {}): ProviderPerson => ({
  ...{ sub: `s-${person.id}`, email: person.email, email_verified: true, name: person.name },
  ...change,
});

async function begin(client: TestClient, body: object = {}, url = '/api/sso/hospital'): Promise<string> {
  const response = await client.send('POST', url, { body, ip: newAddress() });
  expect(response.statusCode, response.payload).toBe(200);
  return response.json().location;
}

/** To the provider and back, as this person; resolves to where the browser is led. */
async function go(client: TestClient, who: ProviderPerson, way: { body?: object; url?: string } = {}): Promise<string> {
  counterpart.next = who;
  return comeBack(client, await counterpart.visit(await begin(client, way.body, way.url)));
}

/** The same at the laboratory. */
async function goToLab(client: TestClient, who: ProviderPerson, url = '/api/sso/lab'): Promise<string> {
  laboratory.next = who;
  return comeBack(client, await laboratory.visit(await begin(client, {}, url)));
}

async function comeBack(client: TestClient, callback: string): Promise<string> {
  const response = await client.send('GET', callback);
  expect(response.statusCode, response.payload).toBe(302);
  return String(response.headers.location);
}

async function linked(userId = person.id): Promise<string[]> {
  const rows = await server.db.selectFrom('sso_links').select('subject').where('user_id', '=', userId).execute();
  return rows.map((row) => row.subject);
}

function membershipsOf(userId = person.id) {
  return server.db
    .selectFrom('memberships as m')
    .leftJoin('membership_roles as h', 'h.membership_id', 'm.id')
    .leftJoin('roles as r', 'r.id', 'h.role_id')
    .select('r.name')
    .where('m.user_id', '=', userId)
    .where('m.ended_at', 'is', null)
    .orderBy('r.name')
    .execute();
}

describe('signing in at a provider', () => {
  it('ACC-4 A5 signs in an account by an address that both have verified, links it, and goes on where one was going', async () => {
    const before = guest.cookies.get(SESSION_COOKIE);
    expect(await go(guest, asStaff(), { body: { redirect: '/chat?a=1' } })).toBe('/chat?a=1');
    expect(guest.cookies.get(SESSION_COOKIE)).not.toBe(before);
    const user = (await guest.send('GET', '/api/user')).json();
    expect(user.id).toBe(person.id);
    expect(await linked()).toEqual([`s-${person.id}`]);
    const [started] = await auditOf(server, 'session.start', person.id);
    expect(started?.detail).toMatchObject({ provider: 'hospital', remember: false });
    expect(await auditOf(server, 'sso.link', person.id)).toHaveLength(1);
    await server.runJobs();
    expect(server.mails.at(-1)).toMatchObject({ to: person.email, subject: expect.stringContaining('was linked') });
  });

  it('ACC-4 F-S3 makes the device known for the account, by the account’s own address, and for no other', async () => {
    const somebody = await makeUser(server.db);
    await go(guest, asStaff());
    const moved = await guestWithCookies(server);
    await go(moved, asStaff({ email: 'somebody.else@people.test' }));
    const devices = createKnownDevices(Buffer.from(TEST_APP_KEY));
    for (const client of [guest, moved]) {
      const cookie = client.cookies.get('wardline_device') ?? null;
      expect(devices.find(cookie, person.email)).not.toBeNull();
      for (const other of [somebody.email, 'somebody.else@people.test']) expect(devices.find(cookie, other)).toBeNull();
    }
  });

  it('ACC-4 goes by the link from then on, whatever address the provider names', async () => {
    await go(guest, asStaff());
    const other = await guestWithCookies(server);
    const moved = asStaff({ email: 'somebody.else@people.test', email_verified: false });
    expect(await go(other, moved)).toBe('/dashboard');
    expect((await other.send('GET', '/api/user')).json().id).toBe(person.id);
  });

  it.each([
    ['an address that the provider has not verified', { email_verified: false }, 'unverified'],
    ['no address', { email: undefined, email_verified: undefined }, 'unverified'],
    ['an address without an account', { email: 'nobody@people.test' }, 'no_account'],
  ] as const)('ACC-4 refuses %s in words, and signs nobody in', async (_name, change, why) => {
    const location = await go(guest, { ...asStaff(), ...change } as ProviderPerson, { body: { redirect: '/chat' } });
    expect(location).toBe(`/sign-in?redirect=%2Fchat#sso=${why}`);
    expect(await statusOf(guest)).toBe(401);
    expect(await linked()).toEqual([]);
    const [refused] = await auditOf(server, 'sso.refused', null);
    expect(refused).toMatchObject({ outcome: 'refused', detail: { provider: 'hospital', why } });
  });

  it('ACC-4 links no account whose own address is not verified, nor one that is linked to somebody else, nor a closed one', async () => {
    const set = (values: object) => server.db.updateTable('users').set(values).where('id', '=', person.id).execute();
    await set({ email_verified_at: null });
    expect(await go(guest, asStaff())).toContain('#sso=account_unverified');
    await set({ email_verified_at: new Date() });
    await go(guest, asStaff());
    const other = await guestWithCookies(server);
    expect(await go(other, asStaff({ sub: `other-${person.id}` }))).toContain('#sso=conflict');
    await set({ disabled_at: new Date() });
    expect(await go(other, asStaff())).toContain('#sso=no_account');
    expect(await statusOf(other)).toBe(401);
  });

  it('ACC-4 makes an account where the settings allow it, with the name and the address that the provider has verified', async () => {
    const sub = `new-${person.id}`;
    const who = { sub, email: `${sub}@people.test`, email_verified: true, name: 'Ines Moreau' };
    expect(await goToLab(guest, { ...who, email_verified: false })).toContain('#sso=unverified');
    expect(await goToLab(guest, who)).toBe('/dashboard');
    const user = (await guest.send('GET', '/api/user')).json();
    expect(user).toMatchObject({ name: 'Ines Moreau', email: who.email, memberships: [] });
    expect(await linked(user.id)).toEqual([sub]);
    const [made] = await auditOf(server, 'account.create', user.id);
    expect(made).toMatchObject({ object_id: user.id, detail: { provider: 'lab' } });
    expect(await goToLab(await guestWithCookies(server), who)).toBe('/dashboard');
    expect(await auditOf(server, 'account.create', user.id)).toHaveLength(1);
  });

  it('ACC-4 makes no second account of an address that somebody else is just making one of', async () => {
    const sub = `late-${person.id}`;
    const who = { sub, email: `${sub}@people.test`, email_verified: true, name: 'Ines Moreau' };
    const { location } = await server.db.transaction().execute(async (tx) => {
      const mine = { id: newId(), name: 'Ines Moreau', email: who.email, password_hash: '' };
      await tx.insertInto('users').values(mine).execute();
      const location = goToLab(guest, who);
      await untilBlocked(server.db, location);
      return { location };
    });
    expect(await location).toContain('#sso=conflict');
    expect(await statusOf(guest)).toBe(401);
  });

  it('ACC-4 in two tabs at once links the account once, and signs in both', async () => {
    const other = await guestWithCookies(server);
    const callbacks: string[] = [];
    for (const client of [guest, other]) {
      counterpart.next = asStaff();
      callbacks.push(await counterpart.visit(await begin(client)));
    }
    const { both } = await server.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${person.id} for update`.execute(tx);
      const both = [guest, other].map((client, n) => comeBack(client, callbacks[n] ?? ''));
      await untilBlocked(server.db, Promise.race(both), 2);
      return { both };
    });
    expect(await Promise.all(both)).toEqual(['/dashboard', '/dashboard']);
    expect(await linked()).toEqual([`s-${person.id}`]);
    expect(await auditOf(server, 'sso.link', person.id)).toHaveLength(1);
  });

  it('ACC-4 A5 takes a way back once, from the browser that went, with its own state, within ten minutes', async () => {
    counterpart.next = asStaff();
    const expired = '/sign-in#sso=expired';
    const callback = await counterpart.visit(await begin(guest));
    const other = await guestWithCookies(server);
    expect(await comeBack(other, callback)).toBe(expired);
    expect(await comeBack(guest, callback.replace(/state=[^&]+/, 'state=forged'))).toBe(expired);
    expect(await comeBack(guest, callback.replace('/hospital/', '/down/'))).toBe(expired);
    const [first, second] = await Promise.all([comeBack(guest, callback), comeBack(guest, callback)]);
    expect([first, second].sort()).toEqual(['/dashboard', expired]);
    expect(await auditOf(server, 'session.start', person.id)).toHaveLength(1);
    const late = await guestWithCookies(server);
    const lateCallback = await counterpart.visit(await begin(late));
    await sql`update sso_attempts set expires_at = now()`.execute(server.db);
    expect(await comeBack(late, lateCallback)).toBe(expired);
    expect(await statusOf(late)).toBe(401);
  });

  it.each([
    ['a token made for another way (nonce)', 'nonce'],
    ['a code that was asked for by somebody else (PKCE)', 'code_challenge'],
  ])('ACC-4 refuses %s', async (_name, parameter) => {
    counterpart.next = asStaff();
    const location = new URL(await begin(guest));
    expect(location.searchParams.get('code_challenge_method')).toBe('S256');
    location.searchParams.set(parameter, 'A'.repeat(43));
    expect(await comeBack(guest, await counterpart.visit(location.href))).toContain('#sso=provider');
    expect(await statusOf(guest)).toBe(401);
  });

  it('ACC-4 A45 says in words that somebody gave up at the provider, or that it does not answer, and logs no secret', async () => {
    const { searchParams } = new URL(await begin(guest));
    const state = searchParams.get('state') ?? '';
    const said = { error: 'access_denied', error_description: 'SECRETWORD', state, iss: counterpart.issuer };
    const denied = `/api/sso/hospital/callback?${new URLSearchParams(said).toString()}`;
    expect(await comeBack(guest, denied)).toContain('#sso=denied');
    const down = await guest.send('POST', '/api/sso/down', { body: {}, ip: newAddress() });
    expect(down.statusCode).toBe(502);
    expect(down.json().message).toBe('St. Mary’s account can’t be reached right now. Try again later.');
    expect((await guest.send('POST', '/api/sso/unknown', { body: {} })).statusCode).toBe(404);
    expect(logged.join('\n')).not.toMatch(/SECRETWORD|a secret of the two/);
  });

  it('A38 leads to no other site', async () => {
    for (const redirect of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\tx', '']) {
      const response = await guest.send('POST', '/api/sso/hospital', { body: { redirect } });
      expect(response.statusCode, redirect).toBe(422);
    }
  });

  it('A6 A7 is begun by a page of ours alone', async () => {
    const headers = { 'x-xsrf-token': null };
    expect((await guest.send('POST', '/api/sso/hospital', { body: {}, headers })).statusCode).toBe(419);
  });
});

describe('second factors and sign-in at a provider', () => {
  it('ACC-3 ACC-4 asks for the code of the app, unless the provider has asked for a factor that the settings trust', async () => {
    await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
    expect(await go(guest, asStaff({ amr: ['pwd'] }), { body: { redirect: '/chat' } })).toBe(
      '/sign-in?redirect=%2Fchat#sso=second-step',
    );
    expect(await statusOf(guest)).toBe(401);
    expect((await guest.send('POST', '/two-factor-challenge', { body: { code: codeOf() } })).statusCode).toBe(204);
    expect(await statusOf(guest)).toBe(200);
    const other = await guestWithCookies(server);
    expect(await go(other, asStaff({ amr: ['pwd', 'mfa'] }))).toBe('/dashboard');
    expect(await statusOf(other)).toBe(200);
  });

  it('ACC-3 opens a facility that needs a factor by the provider’s, as long as the link stands', async () => {
    await makeMembership(server.db, { userId: person.id, facility, roles: ['clinician'] });
    const rule = (day: string | null) =>
      server.db.updateTable('facilities').set({ second_factor_from: day }).where('id', '=', facility.id).execute();
    await rule('2020-01-01');
    const open = async (client: TestClient) => (await client.send('GET', '/api/user')).json().memberships.length;
    await go(guest, asStaff({ amr: ['pwd'] }));
    expect(await open(guest)).toBe(0);
    const other = await guestWithCookies(server);
    await go(other, asStaff({ amr: ['mfa'] }));
    expect(await open(other)).toBe(1);
    await server.db.updateTable('sessions').set({ password_confirmed_at: new Date() }).execute();
    expect((await other.send('DELETE', '/api/user/sso/hospital')).statusCode).toBe(204);
    expect(await open(other)).toBe(0);
    await rule(null);
  });
});

describe('groups of a provider', () => {
  it('ACC-4 ACC-7 gives the roles of one’s groups, and takes them again with their sockets, and nothing given by hand', async () => {
    await go(guest, asStaff({ groups: ['nurses', 'unknown'] }));
    expect(await membershipsOf()).toEqual([{ name: 'Clinician' }]);
    const socket = await openSocket(server);
    const channel = `private-facility.${facility.id}`;
    expect(await socket.join(guest, channel)).toBe('joined');
    const [given] = await auditOf(server, 'member.follow_groups', person.id);
    expect(given).toMatchObject({ facility_id: facility.id, detail: { membership: 'added' } });
    expect(await go(await guestWithCookies(server), asStaff({ groups: [] }))).toBe('/dashboard');
    expect(await membershipsOf()).toEqual([]);
    await socket.next((frame) => frame.channel === channel && frame.event === 'pusher:subscription_error');
    socket.close();
  });

  it('ADM-2 ACC-4 neither gives nor takes anything in a facility that is closed, and follows once it is open', async () => {
    const closed = (at: Date | null) =>
      server.db.updateTable('facilities').set({ deactivated_at: at }).where('id', '=', facility.id).execute();
    const held = await makeUser(server.db);
    const asHeld = (groups: string[]) => asStaff({ sub: `s-${held.id}`, email: held.email, name: held.name, groups });
    await go(guest, asHeld(['nurses']));
    await closed(new Date());
    try {
      await go(await guestWithCookies(server), asStaff({ groups: ['nurses'] }));
      await go(await guestWithCookies(server), asHeld([]));
      expect([await membershipsOf(), await membershipsOf(held.id)]).toEqual([[], [{ name: 'Clinician' }]]);
      expect(await auditOf(server, 'member.follow_groups', person.id)).toEqual([]);
    } finally {
      await closed(null);
    }
    await go(await guestWithCookies(server), asStaff({ groups: ['nurses'] }));
    await go(await guestWithCookies(server), asHeld([]));
    expect([await membershipsOf(), await membershipsOf(held.id)]).toEqual([[{ name: 'Clinician' }], []]);
  });

  it('ACC-4 ends a membership that it gave, also where its role was taken by hand before', async () => {
    await go(guest, asStaff({ groups: ['nurses'] }));
    await server.db.deleteFrom('membership_roles').where('role_id', '=', facility.roles.clinician).execute();
    const memberships = () =>
      server.db.selectFrom('memberships').select('ended_at').where('user_id', '=', person.id).execute();
    expect(await memberships()).toEqual([{ ended_at: null }]);
    await go(await guestWithCookies(server), asStaff({ groups: [] }));
    expect(await memberships()).toEqual([{ ended_at: expect.any(Date) }]);
  });

  it('ACC-4 leaves roles that were given by hand, and the last person in charge', async () => {
    await makeMembership(server.db, { userId: person.id, facility, roles: ['censusOfficer'] });
    await go(guest, asStaff({ groups: ['nurses', 'heads'] }));
    const all = [{ name: 'Census officer' }, { name: 'Clinician' }, { name: 'Facility administrator' }];
    expect(await membershipsOf()).toEqual(all);
    expect(await go(await guestWithCookies(server), asStaff())).toBe('/dashboard');
    expect(await membershipsOf()).toEqual(all);
    const [refused] = await auditOf(server, 'member.follow_groups', person.id);
    expect(refused).toMatchObject({ outcome: 'refused', detail: { why: 'last_in_charge' } });
    const other = await makeUser(server.db);
    await makeMembership(server.db, { userId: other.id, facility, roles: ['facilityAdministrator'] });
    await go(await guestWithCookies(server), asStaff());
    expect(await membershipsOf()).toEqual([{ name: 'Census officer' }]);
  });
});

describe('a link of one’s own', () => {
  const own = async (options: { isConfirmed?: boolean } = {}) =>
    withSession(server, await makeSession(server.db, { userId: person.id, ...options }));

  it('ACC-4 ACC-5 is made and removed in one’s settings, after saying who one is', async () => {
    const url = '/api/user/sso/hospital/link';
    const unconfirmed = await own({ isConfirmed: false });
    expect((await unconfirmed.send('POST', url)).statusCode).toBe(423);
    const client = await own();
    const who = asStaff({ email: 'private@people.test', email_verified: false, groups: ['nurses'] });
    expect(await go(client, who, { url })).toBe('/settings#sso=linked');
    const list = async () => (await client.send('GET', '/api/user/sso')).json().data;
    expect(await list()).toMatchObject([
      { provider: 'hospital', label: 'St. Mary’s account', linked_at: expect.any(String), last_used_at: null },
      { provider: 'down', linked_at: null },
      { provider: 'lab', linked_at: null },
    ]);
    expect(await membershipsOf()).toEqual([{ name: 'Clinician' }]);
    expect((await client.send('DELETE', '/api/user/sso/hospital')).statusCode).toBe(204);
    expect(await linked()).toEqual([]);
    expect(await membershipsOf()).toEqual([]);
    expect((await client.send('DELETE', '/api/user/sso/hospital')).statusCode).toBe(404);
    expect(await go(guest, who)).toContain('#sso=unverified');
    const [account, given] = [['user', person.id] as const, [facility.roles.clinician]];
    const at = { facility_id: facility.id };
    expect(await actsOf(server, person.id)).toEqual([
      audited('sso.link', account, { detail: { provider: 'hospital' } }),
      audited('member.follow_groups', account, { ...at, detail: { added: given, removed: [], membership: 'added' } }),
      audited('member.follow_groups', account, { ...at, detail: { added: [], removed: given, membership: 'removed' } }),
      audited('sso.unlink', account, { detail: { provider: 'hospital' } }),
    ]);
    await server.runJobs();
    const told = server.mails.filter(({ to }) => to === person.email).map(({ subject }) => subject);
    expect(told).toHaveLength(2);
    expect(told.filter((subject) => subject.includes('was linked'))).toHaveLength(1);
  });

  it('ACC-4 at one provider is beside the one at another', async () => {
    const client = await own();
    expect(await go(client, asStaff(), { url: '/api/user/sso/hospital/link' })).toBe('/settings#sso=linked');
    expect(await goToLab(client, asStaff({ sub: 'lab-7' }), '/api/user/sso/lab/link')).toBe('/settings#sso=linked');
    expect((await linked()).sort()).toEqual(['lab-7', `s-${person.id}`]);
    expect((await client.send('DELETE', '/api/user/sso/lab')).statusCode).toBe(204);
    expect(await linked()).toEqual([`s-${person.id}`]);
  });

  it('ACC-4 refuses somebody at the provider whose account is another one', async () => {
    const other = await makeUser(server.db);
    await go(guest, asStaff({ sub: 'taken', email: other.email }));
    const location = await go(await own(), asStaff({ sub: 'taken' }), { url: '/api/user/sso/hospital/link' });
    expect(location).toBe('/settings#sso=conflict');
    expect(await linked()).toEqual([]);
  });

  it('ACC-5 ACC-6 says who one is once more: for what asks for the password, and for the covered screen', async () => {
    await go(guest, asStaff());
    const client = await own({ isConfirmed: false });
    const url = '/api/user/sso/hospital/confirm';
    const confirm = (who: ProviderPerson, purpose: string) => go(client, who, { url, body: { purpose } });
    const confirmed = async () => (await client.send('GET', '/user/confirmed-password-status')).json().confirmed;
    const unlock = async () =>
      (await client.send('POST', '/api/user/unlock', { body: { by_provider: true } })).statusCode;
    expect(await confirm(asStaff({ sub: 'another' }), 'confirm')).toBe('/settings#sso=other_person');
    expect(await confirmed()).toBe(false);
    expect(await unlock()).toBe(422);
    expect(await confirm(asStaff(), 'unlock')).toBe('/dashboard#sso=unlocked');
    expect(await unlock()).toBe(204);
    expect(await unlock()).toBe(422);
    expect(await confirmed()).toBe(false);
    expect(await confirm(asStaff(), 'confirm')).toBe('/settings#sso=confirmed');
    expect(await confirmed()).toBe(true);
    const [account, said] = [['user', person.id] as const, { detail: { method: 'provider', provider: 'hospital' } }];
    expect((await actsOf(server, person.id)).filter(({ action }) => /confirm|unlock/.test(action))).toEqual([
      audited('sso.confirm', account, said),
      audited('session.unlock', account, { detail: { method: 'provider' } }),
      audited('password.confirm', account, said),
    ]);
    const refused = await auditOf(server, 'sso.refused', person.id);
    expect(refused).toMatchObject([
      { object_type: 'user', object_id: person.id, detail: { provider: 'hospital', why: 'other_person' } },
    ]);
  });

  it('ACC-5 does not take the provider’s word of an hour ago', async () => {
    await go(guest, asStaff());
    const client = await own({ isConfirmed: false });
    const location = await begin(client, { purpose: 'confirm' }, '/api/user/sso/hospital/confirm');
    expect(new URL(location).searchParams.get('prompt')).toBe('login');
    counterpart.next = asStaff();
    const callback = await counterpart.visit(location);
    // As if one had gone there long after.
    await sql`update sso_attempts set created_at = now() + interval '5 minutes'`.execute(server.db);
    expect(await comeBack(client, callback)).toBe('/settings#sso=not_again');
  });
});
