import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { passHorizon } from '#/platform/postgres/testing/pass-horizon.ts';
import { createSoftAuthenticator, localhostOf } from '#/testing/counterparts/soft-authenticator.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import {
  codeOf,
  type MadeUser,
  makeApp,
  makePasskey,
  makeSession,
  makeUser,
  testPasswordHash,
} from '#/testing/factories/users.ts';
import {
  auditOf,
  guestWithCookies,
  newAddress,
  postLogin,
  signedIn,
  type TestClient,
  withSession,
  withToken,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

const TODAY = '2020-01-01';
const LATER = '2999-12-31';
const CLOSED = { code: 'second_factor_needed' };

let server: TestServer;
let facility: MadeFacility;
let other: MadeFacility;
let admin: MadeUser;
let nurse: MadeUser;
let asAdmin: TestClient;
/** Signed in with the password alone. */
let asNurse: TestClient;
let chatId: string;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server;
  [facility, other] = [await makeFacility(db), await makeFacility(db)];
  const passwordHash = await testPasswordHash(TEST_APP_KEY);
  [admin, nurse] = [await makeUser(db), await makeUser(db, { passwordHash })];
  await makePasskey(db, admin.id);
  await makeMembership(db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  for (const of of [facility, other])
    await makeMembership(db, { userId: nurse.id, facility: of, roles: ['clinician'] });
  const people = { kind: 'group', title: 'Bed 4', participants: [{ userId: nurse.id }, { userId: admin.id }] } as const;
  ({ id: chatId } = await makeChat(db, { facilityId: facility.id, ...people }));
  asAdmin = await signedIn(server, admin.id);
  asNurse = await withPassword(nurse.id);
});

async function withPassword(userId: string): Promise<TestClient> {
  return withSession(server, await makeSession(server.db, { userId }));
}

async function setRule(from: string | null, who = asAdmin, minutes = 15) {
  const found = server.db.selectFrom('facilities').select('version').where('id', '=', facility.id);
  const { version } = await found.executeTakeFirstOrThrow();
  const body = { expected_version: version, second_factor_from: from, idle_lock_minutes: minutes };
  return who.send('PUT', `/api/facilities/${facility.id}/policies`, { body });
}

const units = (who: TestClient, of = facility) => who.send('GET', `/api/facilities/${of.id}/units`);
const me = async (who: TestClient) => (await who.send('GET', '/api/user')).json();
const changed = async (who: TestClient, cursor?: string) =>
  (await who.send('GET', `/api/sync${cursor === undefined ? '' : `?cursor=${cursor}`}`)).json();

describe('setting the rule', () => {
  it('ACC-3 asks a second factor of who sets the day, in this session, so that somebody can take it back', async () => {
    const alone = await withPassword(admin.id);
    const refused = await setRule(TODAY, alone);
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      { second_factor_from: ['Set up a second factor for yourself first, and sign in with it.'] },
    ]);
    await server.db.deleteFrom('passkeys').where('user_id', '=', admin.id).execute();
    expect((await setRule(TODAY)).statusCode).toBe(422);
    expect((await setRule(null, alone, 5)).json()).toMatchObject({ second_factor_from: null, idle_lock_minutes: 5 });
  });

  it('ADM-1 is told, counted and audited, and a version that is old or a day that is none is refused', async () => {
    for (const isConfirmed of [true, false]) {
      const { id } = await makeUser(server.db);
      await makeMembership(server.db, { userId: id, facility });
      await makeApp(server.db, { userId: id, appKey: TEST_APP_KEY, isConfirmed });
    }
    // The nurse, and whose app was never confirmed.
    expect((await setRule(LATER)).json()).toMatchObject({ second_factor_from: LATER, without_factor_count: 2 });
    const [entry] = await auditOf(server, 'facility.set_policies', admin.id);
    expect(entry).toMatchObject({ facility_id: facility.id, detail: { second_factor_from: LATER } });
    const stale = { expected_version: 1, second_factor_from: null, idle_lock_minutes: 15 };
    const path = `/api/facilities/${facility.id}/policies`;
    expect((await asAdmin.send('PUT', path, { body: stale })).statusCode).toBe(409);
    for (const day of ['2026-02-30', 'soon']) expect((await setRule(day)).statusCode).toBe(422);
    for (const minutes of [0, 61, 1.5]) expect((await setRule(null, asAdmin, minutes)).statusCode).toBe(422);
    expect((await setRule(null, asNurse)).statusCode).toBe(403);
  });

  it('ACC-3 leaves all open until its day, and says which day that is', async () => {
    await setRule(LATER);
    expect((await units(asNurse)).statusCode).toBe(200);
    const rule = { facility_id: facility.id, facility_name: facility.name, from: LATER, is_closed: false };
    expect(await me(asNurse)).toMatchObject({ has_second_factor: false, factor_rules: [rule] });
  });
});

describe('from its day on', () => {
  it('ACC-3 I2 ends at once what sockets without a second factor hear of it, and leaves the other facility', async () => {
    const [socket, proven] = [await openSocket(server), await openSocket(server)];
    for (const of of [facility, other]) expect(await socket.join(asNurse, `private-facility.${of.id}`)).toBe('joined');
    expect(await socket.join(asNurse, `presence-chat.${chatId}`)).toBe('joined');
    expect(await proven.join(asAdmin, `presence-chat.${chatId}`)).toBe('joined');
    await setRule(TODAY);
    await socket.settle();
    const ended = socket.frames
      .filter(({ event }) => event === 'pusher:subscription_error')
      .map((frame) => frame.channel);
    expect(ended.toSorted()).toEqual([`presence-chat.${chatId}`, `private-facility.${facility.id}`]);
    await proven.settle();
    expect(proven.frames.filter(({ event }) => event === 'pusher:subscription_error')).toEqual([]);
    expect((await units(asNurse)).json()).toMatchObject(CLOSED);
    expect((await units(asNurse, other)).statusCode).toBe(200);
    expect((await me(asNurse)).memberships.map((place: { facility_id: string }) => place.facility_id)).toEqual([
      other.id,
    ]);
    expect((await units(asAdmin)).statusCode).toBe(200);
    for (const each of [socket, proven]) each.close();
  });

  it('ACC-3 cuts the socket that hears of the person’s chats, which comes back without those of the facility', async () => {
    const own = `private-App.Models.User.${nurse.id}`;
    const socket = await openSocket(server);
    await socket.join(asNurse, own);
    await setRule(TODAY);
    expect(await socket.closed).toBe(4100);
    const again = await openSocket(server);
    expect(await again.join(asNurse, own)).toBe('joined');
    const body = { client_id: crypto.randomUUID(), body: 'Calcium 2.9' };
    expect((await asAdmin.send('POST', `/api/chats/${chatId}/messages`, { body })).statusCode).toBe(201);
    await again.settle();
    expect(JSON.stringify(again.frames)).not.toContain('Calcium');
    again.close();
  });

  it('A16 stores no message of a session without a second factor, though its person is in the chat', async () => {
    await setRule(TODAY);
    const body = { client_id: crypto.randomUUID(), body: 'Sent past the rule' };
    expect((await asNurse.send('POST', `/api/chats/${chatId}/messages`, { body })).json()).toMatchObject(CLOSED);
    const stored = await server.db
      .selectFrom('messages')
      .select('id')
      .where('client_id', '=', body.client_id)
      .execute();
    expect(stored).toEqual([]);
  });

  it('ACC-3 A32 takes its chats off the device, and gives them back once a passkey was shown', async () => {
    const before = await changed(asNurse);
    expect(before.chats).toMatchObject([{ id: chatId }]);
    await setRule(TODAY);
    const closed = await changed(asNurse, before.cursor);
    expect([closed.chats, closed.removed_chat_ids]).toEqual([[], [chatId]]);
    const phone = createSoftAuthenticator(localhostOf(server.baseUrl));
    const socket = await openSocket(server);
    await socket.join(asNurse, `private-App.Models.User.${nurse.id}`);
    const { challenge } = (await asNurse.send('POST', '/api/user/passkeys/options')).json();
    const made = { name: 'Phone', credential: phone.register(challenge) };
    expect((await asNurse.send('POST', '/api/user/passkeys', { body: made })).statusCode).toBe(201);
    await socket.next(({ event }) => event === 'App\\Events\\MembershipChanged');
    socket.close();
    expect((await units(asNurse)).statusCode).toBe(200);
    const opened = await changed(asNurse, closed.cursor);
    expect([opened.chats[0]?.id, opened.removed_chat_ids]).toEqual([chatId, []]);

    const elsewhere = await withPassword(nurse.id);
    expect((await units(elsewhere)).json()).toMatchObject(CLOSED);
    const asked = (await elsewhere.send('POST', '/api/user/passkeys/confirm/options')).json();
    expect(asked.allowCredentials).toMatchObject([{ id: phone.id }]);
    const confirm = (credential: unknown) =>
      elsewhere.send('POST', '/api/user/passkeys/confirm', { body: { credential }, ip: newAddress() });
    expect((await confirm(phone.answer(asked.challenge, { isVerified: false }))).statusCode).toBe(422);
    expect((await units(elsewhere)).json()).toMatchObject(CLOSED);
    const anew = (await elsewhere.send('POST', '/api/user/passkeys/confirm/options')).json();
    expect((await confirm(phone.answer(anew.challenge))).statusCode).toBe(201);
    expect((await units(elsewhere)).statusCode).toBe(200);
    expect((await confirm(phone.answer(anew.challenge))).statusCode).toBe(422);
  });

  it('ACC-3 the passkey of another person opens nothing', async () => {
    await setRule(TODAY);
    const phone = createSoftAuthenticator(localhostOf(server.baseUrl));
    const stranger = await signedIn(server, (await makeUser(server.db)).id);
    const { challenge } = (await stranger.send('POST', '/api/user/passkeys/options')).json();
    await stranger.send('POST', '/api/user/passkeys', { body: { name: 'x', credential: phone.register(challenge) } });
    await makePasskey(server.db, nurse.id);
    const asked = (await asNurse.send('POST', '/api/user/passkeys/confirm/options')).json();
    const credential = phone.answer(asked.challenge);
    const refused = await asNurse.send('POST', '/api/user/passkeys/confirm', {
      body: { credential },
      ip: newAddress(),
    });
    expect(refused.statusCode).toBe(422);
    expect((await units(asNurse)).json()).toMatchObject(CLOSED);
  });

  it('ACC-3 signing in or making a token with the code of the app opens it, with a password alone it stays closed', async () => {
    await setRule(TODAY);
    const alone = await guestWithCookies(server);
    await postLogin(alone, { email: nurse.email });
    expect((await units(alone)).json()).toMatchObject(CLOSED);
    await makeApp(server.db, { userId: nurse.id, appKey: TEST_APP_KEY });
    const browser = await guestWithCookies(server);
    expect((await postLogin(browser, { email: nurse.email })).json()).toEqual({ two_factor: true });
    const body = { code: codeOf() };
    expect((await browser.send('POST', '/two-factor-challenge', { body, ip: newAddress() })).statusCode).toBe(204);
    expect((await units(browser)).statusCode).toBe(200);
    const account = {
      email: nurse.email,
      password: 'correct horse battery',
      device_name: 'feed',
      code: codeOf(undefined, 1),
    };
    const made = await (await guestWithCookies(server)).send('POST', '/api/tokens', {
      body: account,
      ip: newAddress(),
    });
    expect((await units(withToken(server, made.json().token))).statusCode).toBe(200);
  });

  it('ACC-3 keeps the last factor of a member from being removed, and lets another go', async () => {
    await setRule(TODAY);
    await makeApp(server.db, { userId: nurse.id, appKey: TEST_APP_KEY });
    const passkey = await makePasskey(server.db, nurse.id);
    const proven = await signedIn(server, nurse.id);
    expect((await proven.send('DELETE', '/user/two-factor-authentication')).statusCode).toBe(200);
    const kept = await proven.send('DELETE', `/api/user/passkeys/${passkey}`);
    expect([kept.statusCode, kept.json().message]).toEqual([
      409,
      `${facility.name} needs a second factor. Add another one before you remove this one.`,
    ]);
    expect((await units(proven)).statusCode).toBe(200);
    await setRule(LATER);
    expect((await proven.send('DELETE', `/api/user/passkeys/${passkey}`)).statusCode).toBe(204);
    await setRule(TODAY).then((answer) => expect(answer.statusCode).toBe(200));
    expect((await units(proven)).json()).toMatchObject(CLOSED);
  });

  it('ACC-3 taken back, everything is open again, and devices find the chats of it and no other', async () => {
    // Whoever sets the rule sees both.
    await makeMembership(server.db, { userId: admin.id, facility: other, roles: ['facilityAdministrator'] });
    const participants = [{ userId: nurse.id }, { userId: admin.id }];
    const elsewhere = await makeChat(server.db, { facilityId: other.id, participants });
    await passHorizon(server.db);
    await setRule(TODAY);
    const idsOf = ({ chats }: { chats: { id: string }[] }) => chats.map(({ id }) => id);
    const closed = await changed(asNurse);
    expect(idsOf(closed)).toEqual([elsewhere.id]);
    await passHorizon(server.db);
    expect((await setRule(null)).statusCode).toBe(200);
    const opened = await changed(asNurse, closed.cursor);
    expect([idsOf(opened), opened.removed_chat_ids]).toEqual([[chatId], []]);
  });
});

it('ACC-6 says after how many minutes to lock: the strictest of the person’s facilities, and not on their own device', async () => {
  await setRule(null, asAdmin, 4);
  expect((await me(asNurse)).lock_after_minutes).toBe(4);
  const own = await guestWithCookies(server);
  await postLogin(own, { email: nurse.email, remember: true });
  expect((await me(own)).lock_after_minutes).toBeNull();
});
