import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { type MadeRegistration, makeInvitationElsewhere, makeRegistration } from '#/testing/factories/accounts.ts';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { linkMailedTo, mailsTo, verifyLinkOf } from '#/testing/mailed-links.ts';
import { auditOf, guest, guestWithCookies, postLogin, signedIn, statusOf } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

const INVALID = '/sign-in?link=invalid';
const VERIFIED = '/dashboard?verified=1';

let server: TestServer;
let passwordHash: string;
let person: MadeUser;
let registration: MadeRegistration;

beforeAll(async () => {
  server = await startTestServer();
  passwordHash = await testPasswordHash(TEST_APP_KEY);
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash });
  registration = await makeRegistration(server.db, { passwordHash });
});

const pathOf = (url: URL) => url.pathname + url.search;

async function follow(url: URL | string, client = guest(server)) {
  const response = await client.send('GET', typeof url === 'string' ? url : pathOf(url));
  expect(response.statusCode).toBe(302);
  return response.headers.location;
}

/** A person who asked for a new address, which waits for its link. */
async function askForAddress(email: string) {
  const client = await signedIn(server, person.id);
  const body = { email, current_password: TEST_PASSWORD };
  expect((await client.send('PUT', '/api/user/email', { body })).statusCode).toBe(200);
  return client;
}

const newAddress = () => `${crypto.randomUUID()}@people.test`;
const emailOf = async () =>
  (await server.db.selectFrom('users').select('email').where('id', '=', person.id).executeTakeFirstOrThrow()).email;

describe('a mailed link', () => {
  it('A4 that is late, altered, signed by somebody else or not signed leads nowhere, always in the same way', async () => {
    const url = verifyLinkOf(registration);
    const forged = (change: (to: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return copy;
    };
    const other = await makeRegistration(server.db, { passwordHash });
    const wrong = [
      verifyLinkOf({ ...registration, expiresAt: new Date(Date.now() - 1_000) }),
      forged((to) => to.searchParams.set('expires', '99999999999')),
      forged((to) => to.searchParams.set('signature', 'f'.repeat(64))),
      forged((to) => to.searchParams.set('signature', `${to.searchParams.get('signature')}0`)),
      forged((to) => to.searchParams.delete('signature')),
      forged((to) => to.searchParams.delete('expires')),
      forged((to) => {
        to.pathname = to.pathname.replace(registration.id, other.id);
      }),
      verifyLinkOf({ ...registration, id: crypto.randomUUID() }),
      verifyLinkOf({ ...registration, email: other.email }),
    ];
    for (const link of wrong) {
      const response = await guest(server).send('GET', pathOf(link));
      expect(response.headers.location, link.href).toBe(INVALID);
      expect(String(response.headers['set-cookie']), link.href).not.toContain('wardline_link');
    }
    const asPerson = await signedIn(server, person.id);
    for (const link of wrong) expect(await follow(link, asPerson)).toBe('/verify-email?link=invalid');
    expect(await follow(url)).toContain('/sign-in?verify=1');
  });

  it('A4 of a registration has no force after a day', async () => {
    await server.db
      .updateTable('registrations')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', registration.id)
      .execute();
    expect(await follow(verifyLinkOf(registration))).toBe(INVALID);
  });

  it('A4 followed by a mail program changes nothing and says nothing of itself to a script', async () => {
    const url = verifyLinkOf(registration);
    for (let turn = 0; turn < 3; turn++) {
      const response = await guest(server).send('GET', pathOf(url));
      const note = [response.headers['set-cookie'] ?? []]
        .flat()
        .find((line) => String(line).startsWith('wardline_link='));
      expect(note).toMatch(/; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(response.headers['referrer-policy']).toBe('no-referrer');
    }
    const found = await server.db.selectFrom('users').select('id').where('email', '=', registration.email).execute();
    expect(found).toEqual([]);
  });

  it('A4 its note in the browser cannot be made by hand', async () => {
    const browser = await guestWithCookies(server);
    for (const note of [registration.id, `${registration.id}.${'0'.repeat(64)}`, `${registration.id}.`, '.', '%00']) {
      browser.cookies.set('wardline_link', note);
      expect((await postLogin(browser, { email: registration.email })).statusCode, note).toBe(422);
    }
  });

  it('A4 behind HTTPS notes itself in a cookie that is bound to the host', async () => {
    const secure = await startTestServer({ publicUrl: 'https://chat.hospital.example' });
    try {
      const made = await makeRegistration(secure.db, { passwordHash });
      const response = await guest(secure).send('GET', pathOf(verifyLinkOf(made)));
      expect(String(response.headers['set-cookie'])).toMatch(/__Host-wardline_link=[^;]+;.* Secure/);
    } finally {
      await secure.close();
    }
  });

  it('ACC-1 of a registration brings its facility at once to who is signed in with that address, on all tabs', async () => {
    const { id, facility } = await makeInvitationElsewhere(server.db, { roles: ['clinician'] });
    const theirs = await makeRegistration(server.db, { passwordHash, email: person.email, invitationId: id });
    const client = await signedIn(server, person.id);
    const socket = await openSocket(server);
    await socket.join(client, `private-App.Models.User.${person.id}`);
    expect(await follow(verifyLinkOf(theirs), client)).toBe(VERIFIED);
    const changes = await socket.next((frame) => frame.event === 'App\\Events\\MembershipChanged');
    expect(changes.data).toEqual({ facility_id: facility.id, chat_id: null, change: 'added' });
    socket.close();
    expect((await client.send('GET', '/api/user')).json().memberships).toMatchObject([{ facility_id: facility.id }]);
    expect(await auditOf(server, 'registration.settle', person.id)).toMatchObject([{ facility_id: facility.id }]);
    expect(await follow(verifyLinkOf(theirs), client)).toBe('/verify-email?link=invalid');
  });

  it('A16 of a registration does nothing for somebody else who is signed in', async () => {
    const client = await signedIn(server, person.id);
    expect(await follow(verifyLinkOf(registration), client)).toBe('/verify-email?link=invalid');
    expect(await follow(verifyLinkOf(registration))).toContain('verify=1');
  });
});

describe('a changed address', () => {
  it('ACC-5 counts once its link was followed; the one before is told twice', async () => {
    const email = newAddress();
    const client = await askForAddress(email);
    expect(await emailOf()).toBe(person.email);
    const [asked] = await mailsTo(server, person.email);
    expect(asked?.subject).toBe('A new address for your account at Wardline');
    expect(asked?.text).not.toContain(email);
    const { path } = await linkMailedTo(server, email);
    expect(await follow(path, client)).toBe(VERIFIED);
    expect(await emailOf()).toBe(email);
    expect((await client.send('GET', '/api/user')).json()).toMatchObject({ email });
    expect((await client.send('GET', '/api/user/account')).json()).toMatchObject({ email, pending_email: null });
    const told = (await mailsTo(server, person.email)).at(-1);
    expect(told?.subject).toBe('Your address for Wardline was changed');
    expect((await postLogin(await guestWithCookies(server), { email })).statusCode).toBe(200);
    expect((await postLogin(await guestWithCookies(server), { email: person.email })).statusCode).toBe(422);
    expect(await follow(path, client)).toBe('/verify-email?link=invalid');
  });

  it('A38 leads who is signed out to the sign-in and back to the link, and nowhere else', async () => {
    const email = newAddress();
    await askForAddress(email);
    const { path } = await linkMailedTo(server, email);
    const location = new URL((await follow(path)) ?? '', server.baseUrl);
    expect(location.origin).toBe(server.baseUrl);
    expect(location.pathname).toBe('/sign-in');
    expect(location.searchParams.get('redirect')).toBe(path);
    expect(await emailOf()).toBe(person.email);
  });

  it('A16 is not verified by somebody else, nor after it was cancelled or replaced', async () => {
    const email = newAddress();
    const client = await askForAddress(email);
    const { path } = await linkMailedTo(server, email);
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    expect(await follow(path, stranger)).toBe('/verify-email?link=invalid');
    await askForAddress(newAddress());
    expect(await follow(path, client)).toBe('/verify-email?link=invalid');
    await askForAddress(email);
    await client.send('DELETE', '/api/user/email');
    expect(await follow(path, client)).toBe('/verify-email?link=invalid');
    expect(await emailOf()).toBe(person.email);
  });

  it('A3 that somebody took meanwhile is forgotten; of eight who want it at the same moment one gets it', async () => {
    const email = newAddress();
    const people = await Promise.all(Array.from({ length: 8 }, () => makeUser(server.db, { passwordHash })));
    const racers = await Promise.all(people.map((racer) => signedIn(server, racer.id)));
    const expiresAt = new Date(Date.now() + 3_600_000);
    await server.db
      .insertInto('email_changes')
      .values(people.map((racer) => ({ user_id: racer.id, email, expires_at: expiresAt })))
      .execute();
    const places = await Promise.all(
      racers.map((racer, place) => follow(verifyLinkOf({ id: people[place]?.id ?? '', email, expiresAt }), racer)),
    );
    expect(places.sort()).toEqual([VERIFIED, ...Array.from({ length: 7 }, () => '/verify-email?link=invalid')]);
    const waiting = await server.db.selectFrom('email_changes').select('user_id').where('email', '=', email).execute();
    expect(waiting).toEqual([]);
  });

  it('A4 takes the force of links for a new password that were mailed to the address before', async () => {
    const email = newAddress();
    const client = await askForAddress(email);
    const { path } = await linkMailedTo(server, email);
    await guestWithCookies(server).then((browser) =>
      browser.send('POST', '/forgot-password', { body: { email: person.email } }),
    );
    const { path: reset } = await linkMailedTo(server, person.email);
    expect(await follow(path, client)).toBe(VERIFIED);
    const [, , token] = reset.split(/[/?]/);
    const browser = await guestWithCookies(server);
    const password = {
      password: 'violet tram over the harbour',
      password_confirmation: 'violet tram over the harbour',
    };
    for (const address of [person.email, email]) {
      const answer = await browser.send('POST', '/reset-password', { body: { token, email: address, ...password } });
      expect(answer.json().errors).toEqual({ email: ['This link is no longer valid. Ask for a new one.'] });
    }
    expect(await statusOf(client)).toBe(200);
  });

  it('ACC-5 an address that was never verified is verified by a link that is sent again', async () => {
    await server.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', person.id).execute();
    const client = await signedIn(server, person.id);
    const sent = await client.send('POST', '/email/verification-notification');
    expect(sent.json()).toEqual({ status: `A link is on its way to ${person.email}.` });
    const before = (await mailsTo(server, person.email)).length;
    expect(await follow((await linkMailedTo(server, person.email)).path, client)).toBe(VERIFIED);
    expect((await client.send('GET', '/api/user')).json().email_verified_at).toEqual(expect.any(String));
    expect(await mailsTo(server, person.email)).toHaveLength(before);
    const again = await client.send('POST', '/email/verification-notification');
    expect(again.json()).toEqual({ status: 'Your address is verified.' });
  });
});

it('A4 the mail to an address of somebody who is gone meanwhile is not sent, and not tried again', async () => {
  const payload = JSON.stringify({ user_id: crypto.randomUUID() });
  const id = newId();
  await server.db.insertInto('jobs').values({ id, kind: 'auth.verification', payload }).execute();
  await server.runJobs();
  const job = server.db.selectFrom('jobs').select(['attempts', 'last_error']).where('id', '=', id);
  expect(await job.execute()).toEqual([]);
});
