import * as argon2 from '@node-rs/argon2';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { purgeExpired } from '#/features/auth/purge-expired.ts';
import { type MadeInvitation, makeInvitationElsewhere } from '#/testing/factories/accounts.ts';
import { makeUser, testPasswordHash } from '#/testing/factories/users.ts';
import { linkMailedTo, mailsTo } from '#/testing/mailed-links.ts';
import { insertedBy, statementsOf } from '#/testing/same-work.ts';
import { auditOf, guest, guestWithCookies, newAddress, postLogin, signedIn, statusOf } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

vi.mock(import('@node-rs/argon2'), async (original) => {
  const actual = await original();
  return { ...actual, hash: vi.fn(actual.hash) };
});
const hash = vi.mocked(argon2.hash);

const PASSWORD = 'violet tram over the harbour';

let server: TestServer;
let open: TestServer;
let invitation: MadeInvitation & { adminId: string; facility: { id: string; name: string } };
let email: string;

beforeAll(async () => {
  server = await startTestServer();
  open = await startTestServer({ signUp: 'open' });
});
afterAll(async () => {
  await server.close();
  await open.close();
});
beforeEach(async () => {
  email = `${crypto.randomUUID()}@people.test`;
  invitation = await makeInvitationElsewhere(server.db, { roles: ['clinician'], title: 'Nurse, MED 3A' });
  hash.mockClear();
});

interface Options {
  readonly name?: string;
  readonly email?: string;
  readonly password?: string;
  readonly invitation?: string;
  readonly ip?: string;
}

async function register(on: TestServer, { ip = newAddress(), ...input }: Options) {
  const { password = PASSWORD } = input;
  const body = { name: 'Robin Sample', email, ...input, password, password_confirmation: password };
  return (await guestWithCookies(on)).send('POST', '/register', { body, ip });
}

const countOf = async (on: TestServer, table: 'users' | 'registrations') =>
  (await on.db.selectFrom(table).select('email').where('email', '=', email).execute()).length;

describe('signing up', () => {
  it('ACC-1 by an invitation ends, by the mailed link and the password, in an account of its facility', async () => {
    expect((await register(server, { invitation: invitation.token })).statusCode).toBe(204);
    const { origin, path } = await linkMailedTo(server, email);
    expect(origin).toBe(server.baseUrl);
    const browser = await guestWithCookies(server);
    const followed = await browser.send('GET', path);
    expect(followed.statusCode).toBe(302);
    expect(followed.headers.location).toBe('/sign-in?verify=1&redirect=%2Fdashboard%3Fverified%3D1');
    expect(followed.payload).toBe('');
    expect((await postLogin(browser, { email, password: PASSWORD })).statusCode).toBe(200);
    const user = (await browser.send('GET', '/api/user')).json();
    expect(user).toMatchObject({ name: 'Robin Sample', email, email_verified_at: expect.any(String) });
    expect(user.memberships).toMatchObject([
      {
        facility_id: invitation.facility.id,
        title: 'Nurse, MED 3A',
        roles: ['Clinician'],
        permissions: [
          'census.view',
          'chats.break_glass',
          'chats.create',
          'examinations.sign',
          'examinations.write',
          'on_call.take',
          'phones.view',
        ],
      },
    ]);
    expect(await countOf(server, 'registrations')).toBe(0);
    expect(await auditOf(server, 'account.create', user.id)).toMatchObject([
      { object_id: user.id, facility_id: invitation.facility.id, detail: { invitation_id: invitation.id } },
    ]);
    expect(browser.cookies.get('wardline_link')).toBe('');
  });

  it('ACC-1 without an invitation, where that is allowed, makes an account that waits without a facility, and leaves no other registration of its address', async () => {
    const other = `other.${email}`;
    for (const address of [email, email, other]) await register(open, { email: address });
    expect(await countOf(open, 'registrations')).toBe(2);
    const browser = await guestWithCookies(open);
    await browser.send('GET', (await linkMailedTo(open, email)).path);
    expect((await postLogin(browser, { email, password: PASSWORD })).statusCode).toBe(200);
    expect((await browser.send('GET', '/api/user')).json().memberships).toEqual([]);
    const left = open.db.selectFrom('registrations').select('email').where('email', 'like', `%${email}`);
    expect(await left.execute()).toEqual([{ email: other }]);
  });

  it('ACC-1 without an invitation is refused where one is needed', async () => {
    const refused = await register(server, {});
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual({ invitation: ['An invitation is needed to sign up here.'] });
    expect(await countOf(server, 'registrations')).toBe(0);
  });

  it('ACC-1 A3 by nothing but a registration nobody signs in, whatever else they have of it', async () => {
    await register(open, {});
    const { path } = await linkMailedTo(open, email);
    const refusals = (await auditOf(open, 'session.refused', null)).length;
    const withoutLink = await guestWithCookies(open);
    const refused = await postLogin(withoutLink, { email, password: PASSWORD });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual({ email: ['These credentials do not match our records.'] });
    const withLink = await guestWithCookies(open);
    await withLink.send('GET', path);
    expect(await statusOf(withLink)).toBe(401);
    const wrong = await postLogin(withLink, { email, password: 'another tram over the harbour' });
    expect(wrong.json()).toEqual(refused.json());
    const ofOther = await postLogin(withLink, { email: `x${email}`, password: PASSWORD });
    expect(ofOther.json()).toEqual(refused.json());
    expect(await auditOf(open, 'session.refused', null)).toHaveLength(refusals + 3);
    const token = { email, password: PASSWORD, device_name: 'phone' };
    expect((await withLink.send('POST', '/api/tokens', { body: token })).statusCode).toBe(422);
    expect(await countOf(open, 'users')).toBe(0);
    expect((await postLogin(withLink, { email, password: PASSWORD })).statusCode).toBe(200);
  });

  it('A1 counts wrong passwords of a registration like all others', async () => {
    await register(open, {});
    const browser = await guestWithCookies(open);
    await browser.send('GET', (await linkMailedTo(open, email)).path);
    const ip = newAddress();
    for (let turn = 0; turn < 5; turn++) {
      expect((await postLogin(browser, { email, password: 'wrong horse', ip })).statusCode).toBe(422);
    }
    expect((await postLogin(browser, { email, password: PASSWORD, ip })).statusCode).toBe(429);
  });

  it('A3 answers a known and an unknown address alike, hashes for both and leaves the account alone', async () => {
    const known = await makeUser(open.db, { email, passwordHash: await testPasswordHash(TEST_APP_KEY) });
    const answers = [];
    for (const address of [known.email, `${crypto.randomUUID()}@people.test`]) {
      hash.mockClear();
      const { statusCode, payload, headers } = await register(open, { email: address });
      expect(hash).toHaveBeenCalledOnce();
      const { date, 'set-cookie': cookies, ...others } = headers;
      answers.push({
        statusCode,
        payload,
        others,
        cookies: [cookies ?? []].flat().length,
        hasDate: date !== undefined,
      });
    }
    expect(answers[0]?.statusCode).toBe(204);
    expect(answers[1]).toEqual(answers[0]);
    const [mail] = await mailsTo(open, known.email);
    expect(mail?.subject).toBe('You have an account at Wardline');
    expect(mail?.text).toContain(`${open.baseUrl}/sign-in\n`);
    expect(mail?.text).not.toContain('verify-email');
    expect((await postLogin(await guestWithCookies(open), { email, password: PASSWORD })).statusCode).toBe(422);
    expect((await postLogin(await guestWithCookies(open), { email })).statusCode).toBe(200);
  });

  it('A3 does the same work for a known address as for an unknown one where the invitation was held before', async () => {
    const workFor = async (address: string) => {
      await register(server, { invitation: invitation.token });
      return statementsOf(() => register(server, { email: address, invitation: invitation.token }));
    };
    const known = await makeUser(server.db);
    expect(await workFor(known.email)).toEqual(await workFor(`new.${email}`));
  });

  it('A3 does the same work for a known address as for an unknown one', async () => {
    await makeUser(open.db, { email });
    const workFor = async (address: string) => {
      hash.mockClear();
      const statements = await statementsOf(() => register(open, { email: address }));
      return { statements, hashed: hash.mock.calls.map(([, options]) => options) };
    };
    const ofKnown = await workFor(email);
    expect(insertedBy(ofKnown.statements)).toEqual(['registrations', 'jobs', 'audit_entries']);
    expect(ofKnown.hashed).toHaveLength(1);
    expect(await workFor(`${crypto.randomUUID()}@people.test`)).toEqual(ofKnown);
  });

  it('ACC-1 of somebody who has an account brings them the facility, with their own password and by the link', async () => {
    const known = await makeUser(server.db, { email, passwordHash: await testPasswordHash(TEST_APP_KEY) });
    await register(server, { invitation: invitation.token });
    const [mail] = await mailsTo(server, email);
    expect(mail?.subject).toBe(`Join ${invitation.facility.name} at Wardline`);
    const browser = await guestWithCookies(server);
    await browser.send('GET', (await linkMailedTo(server, email)).path);
    expect((await postLogin(browser, { email, password: PASSWORD })).statusCode).toBe(422);
    expect((await postLogin(browser, { email })).statusCode).toBe(200);
    const { id, memberships } = (await browser.send('GET', '/api/user')).json();
    expect(id).toBe(known.id);
    expect(memberships).toMatchObject([{ facility_id: invitation.facility.id, roles: ['Clinician'] }]);
    expect(await countOf(server, 'registrations')).toBe(0);
  });

  const follow = async (address: string) => {
    const browser = await guestWithCookies(server);
    await browser.send('GET', (await linkMailedTo(server, address)).path);
    return { browser, answer: await postLogin(browser, { email: address, password: PASSWORD }) };
  };
  const membersOf = (facilityId: string) =>
    server.db
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select('u.email')
      .where('m.facility_id', '=', facilityId)
      .where('u.id', '<>', invitation.adminId)
      .execute();

  it('ACC-1 an invitation outlasts a mistyped address: signing up again takes its force from the first time', async () => {
    const typo = `typo.${email}`;
    const link = `/api/invitations/${invitation.token}`;
    expect((await register(server, { invitation: invitation.token, email: typo })).statusCode).toBe(204);
    expect((await guest(server).send('GET', link, { ip: newAddress() })).statusCode).toBe(200);
    const stale = await linkMailedTo(server, typo);
    expect((await register(server, { invitation: invitation.token })).statusCode).toBe(204);
    const browser = await guestWithCookies(server);
    await browser.send('GET', stale.path);
    expect((await postLogin(browser, { email: typo, password: PASSWORD })).statusCode).toBe(422);
    expect((await follow(email)).answer.statusCode).toBe(200);
    expect(await membersOf(invitation.facility.id)).toEqual([{ email }]);
    expect((await guest(server).send('GET', link, { ip: newAddress() })).statusCode).toBe(404);
    const late = await register(server, { invitation: invitation.token, email: typo });
    expect(late.json().errors).toEqual({ invitation: ['This invitation is no longer valid.'] });
  });

  it('ACC-1 an invitation outlasts an address that has an account already and belongs to somebody else', async () => {
    const known = await makeUser(server.db);
    await register(server, { invitation: invitation.token, email: known.email });
    await register(server, { invitation: invitation.token });
    expect((await follow(email)).answer.statusCode).toBe(200);
    expect(await membersOf(invitation.facility.id)).toEqual([{ email }]);
  });

  it('ACC-1 an invitation is used once: of 50 who sign up with it at the same moment one joins', async () => {
    const racers = Array.from({ length: 50 }, (_, racer) => `racer${racer}.${email}`);
    const answers = await Promise.all(
      racers.map((racer) => register(server, { email: racer, invitation: invitation.token })),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([204]));
    const stored = await sql<{ email: string }>`
      select email from registrations where email = any(${racers}) and expires_at > now()`.execute(server.db);
    expect(stored.rows).toHaveLength(1);
    const last = stored.rows[0]?.email ?? '';
    expect((await follow(last)).answer.statusCode).toBe(200);
    expect(await membersOf(invitation.facility.id)).toEqual([{ email: last }]);
  });

  it('ACC-1 of a registration and of somebody signed in who use one invitation, whoever is first joins', async () => {
    await register(server, { invitation: invitation.token });
    const other = await makeUser(server.db);
    const asOther = await signedIn(server, other.id);
    const accepted = await asOther.send('POST', `/api/invitations/${invitation.token}/accept`, { ip: newAddress() });
    expect(accepted.statusCode).toBe(204);
    const { path } = await linkMailedTo(server, email);
    const location = '/sign-in?verify=1&redirect=%2Fdashboard%3Fverified%3D1%26invitation%3Dlost';
    expect((await guest(server).send('GET', path, { ip: newAddress() })).headers.location).toBe(location);
    const { browser } = await follow(email);
    expect((await browser.send('GET', '/api/user')).json().memberships).toEqual([]);
    expect(await membersOf(invitation.facility.id)).toEqual([{ email: other.email }]);
  });

  it('ACC-1 whoever signed up in time joins after the invitation’s last day', async () => {
    await register(server, { invitation: invitation.token });
    const { path } = await linkMailedTo(server, email);
    await sql`update invitations set expires_at = now() where id = ${invitation.id}`.execute(server.db);
    const browser = await guestWithCookies(server);
    await browser.send('GET', path);
    await postLogin(browser, { email, password: PASSWORD });
    expect(await membersOf(invitation.facility.id)).toEqual([{ email }]);
  });

  it('ACC-1 signing up anew while the mailed link is followed ends in one member, and nobody waits for the other', async () => {
    await register(server, { invitation: invitation.token });
    const { path } = await linkMailedTo(server, email);
    const browser = await guestWithCookies(server);
    await browser.send('GET', path);
    const again = Array.from({ length: 6 }, (_, turn) =>
      register(server, { email: `${turn}.${email}`, invitation: invitation.token }),
    );
    const answers = await Promise.all([postLogin(browser, { email, password: PASSWORD }), ...again]);
    for (const { statusCode } of answers) expect([200, 204, 422]).toContain(statusCode);
    expect((await membersOf(invitation.facility.id)).length).toBeLessThanOrEqual(1);
  });

  it('ACC-1 an invitation that was revoked after it was used to sign up gives no membership', async () => {
    await register(server, { invitation: invitation.token });
    const { path } = await linkMailedTo(server, email);
    await server.db
      .updateTable('invitations')
      .set({ revoked_at: new Date() })
      .where('id', '=', invitation.id)
      .execute();
    const browser = await guestWithCookies(server);
    await browser.send('GET', path);
    expect((await postLogin(browser, { email, password: PASSWORD })).statusCode).toBe(200);
    expect((await browser.send('GET', '/api/user')).json().memberships).toEqual([]);
  });

  it('ACC-1 twice at the same moment with the same link makes one account', async () => {
    await register(open, {});
    const { path } = await linkMailedTo(open, email);
    const browsers = await Promise.all(Array.from({ length: 8 }, () => guestWithCookies(open)));
    for (const browser of browsers) await browser.send('GET', path);
    const answers = await Promise.all(browsers.map((browser) => postLogin(browser, { email, password: PASSWORD })));
    for (const { statusCode } of answers) expect([200, 422]).toContain(statusCode);
    expect(answers.some((answer) => answer.statusCode === 200)).toBe(true);
    expect(await countOf(open, 'users')).toBe(1);
    expect((await postLogin(await guestWithCookies(open), { email, password: PASSWORD })).statusCode).toBe(200);
  });

  it('A29 takes no field that decides what one is or may', async () => {
    const body = { name: 'Robin Sample', email, password: PASSWORD, password_confirmation: PASSWORD };
    const client = await guestWithCookies(open);
    for (const field of ['id', 'is_operator', 'email_verified_at', 'role_ids', 'facility_id', 'password_hash']) {
      const response = await client.send('POST', '/register', { body: { ...body, [field]: true }, ip: newAddress() });
      expect(response.json().errors, field).toEqual({ [field]: ['This field is not known.'] });
    }
    expect(await countOf(open, 'registrations')).toBe(0);
  });

  it('ACC-2 is refused with a password that its owner’s name, address or facility gives away, and uses nothing up', async () => {
    const own = (await register(open, { name: 'Philomena Grau', password: 'tango philomena 1967' })).json().errors;
    expect(own).toEqual({ password: ['This password contains your name or your email address.'] });
    const ofPlace = { name: 'Ana Abel', invitation: invitation.token, password: `${invitation.facility.name} 1` };
    const weak = await register(server, ofPlace);
    expect(weak.json().errors).toEqual({ password: ['This password is too easy to guess.'] });
    expect((await register(server, { invitation: invitation.token })).statusCode).toBe(204);
  });

  it('A45 mails nothing that was typed, and audits the address as an HMAC only', async () => {
    const name = 'Win at https://evil.example now';
    await register(open, { name });
    const mails = await mailsTo(open, email);
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).not.toContain('evil.example');
    const [entry] = await auditOf(open, 'account.register', null);
    expect(entry?.detail).toEqual({ email_hmac: expect.stringMatching(/^[0-9a-f]{64}$/), invitation_id: null });
    expect(JSON.stringify(entry)).not.toContain(email);
  });

  it('A3 floods nobody: three mails an hour to one address, sixty registrations an hour from one place', async () => {
    for (let turn = 0; turn < 5; turn++) expect((await register(open, {})).statusCode).toBe(204);
    expect(await mailsTo(open, email)).toHaveLength(3);
    const ip = newAddress();
    const statuses: number[] = [];
    for (let turn = 0; turn < 61; turn++)
      statuses.push((await register(open, { email: `${turn}.${email}`, ip })).statusCode);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 204), 429]);
  });

  it('A3 floods nobody by one invitation: three mails an hour to one address, and those who replace count for the place', async () => {
    for (let turn = 0; turn < 5; turn++) {
      await register(server, { invitation: invitation.token });
      await mailsTo(server, email);
      await purgeExpired(server.db);
    }
    expect(await mailsTo(server, email)).toHaveLength(3);
    const ip = newAddress();
    const statuses: number[] = [];
    for (let turn = 0; turn < 61; turn++) {
      const input = { email: `${turn}.${email}`, invitation: invitation.token, ip };
      statuses.push((await register(server, input)).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 204), 429]);
  });

  it('A39 does not count against a place who was let in by an invitation', async () => {
    const ip = newAddress();
    for (let turn = 0; turn < 61; turn++) {
      const { token } = await makeInvitationElsewhere(server.db);
      const answer = await register(server, { email: `${turn}.${email}`, invitation: token, ip });
      expect(answer.statusCode).toBe(204);
    }
  });

  it('A6 needs the CSRF token like every form', async () => {
    const body = { name: 'Robin Sample', email, password: PASSWORD, password_confirmation: PASSWORD };
    expect((await guest(open).send('POST', '/register', { body })).statusCode).toBe(419);
  });
});
