import type { SystemAccount } from '@wardline/contract/facilities/system-accounts.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newToken } from '#/features/auth/sessions/start-session.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';
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
import { mailsTo } from '#/testing/mailed-links.ts';
import {
  actsOf,
  audited,
  auditOf,
  guestWithCookies,
  postLogin,
  signedIn,
  statusOf,
  type TestClient,
  withSession,
  withToken,
} from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

const SERVER_ACCOUNT = '00000000-0000-7000-8000-000000000001';

let server: TestServer;
let facility: MadeFacility;
let operator: MadeUser;
let asOperator: TestClient;
let person: MadeUser;
let asPerson: TestClient;

beforeAll(async () => {
  // Sockets that close were closed by what was done, not by the gateway's own look.
  server = await startTestServer({ looksAfterSockets: false });
  facility = await makeFacility(server.db, { name: 'St. Hedwig' });
});
afterAll(() => server.close());

beforeEach(async () => {
  await sql`update users set is_operator = false`.execute(server.db);
  operator = await makeUser(server.db, { name: 'Noa Operator', isOperator: true });
  asOperator = await signedIn(server, operator.id);
  person = await makeUser(server.db, { name: 'Mira Okafor', passwordHash: await testPasswordHash(TEST_APP_KEY) });
  await makeMembership(server.db, { userId: person.id, facility, roles: ['clinician', 'facilityAdministrator'] });
  asPerson = await signedIn(server, person.id);
});

const pathOf = (user: MadeUser, what: string) => `/api/system/accounts/${user.id}/${what}`;
const disable = (user: MadeUser, client = asOperator) =>
  client.send('PUT', pathOf(user, 'disabled'), { body: { reason: 'Left the hospital' } });

async function withBearer(userId: string): Promise<TestClient> {
  const token = newToken();
  const row = { id: newId(), user_id: userId, name: 'phone', abilities: ['*'], token_hash: hashSecret(token) };
  await server.db
    .insertInto('access_tokens')
    .values({ ...row, expires_at: new Date(Date.now() + 3_600_000) })
    .execute();
  return withToken(server, token);
}

async function accountOf({ email }: MadeUser): Promise<SystemAccount> {
  const answer = await asOperator.send('GET', `/api/system/accounts?q=${encodeURIComponent(email)}`);
  return answer.json().data[0];
}

describe('a disabled account', () => {
  it('ADM-2 ACC-7 A9 is dead at once: the cookie and the bearer token at every address, its sockets, its shifts', async () => {
    const { id: chatId } = await makeChat(server.db, {
      ...{ facilityId: facility.id, kind: 'group', title: 'Ward round' },
      participants: [{ userId: person.id }],
    });
    const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Registrar ${newId()}` });
    const span = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 3_600_000) };
    await makeShift(server.db, { facilityId: facility.id, roleId, userId: person.id, ...span });
    const bearer = await withBearer(person.id);
    const addresses = [
      '/api/user',
      '/api/sync',
      '/api/facilities',
      `/api/facilities/${facility.id}/members`,
      `/api/chats/${chatId}`,
      `/api/chats/${chatId}/messages?limit=5`,
    ];
    const sockets = [await openSocket(server), await openSocket(server)];
    for (const client of [asPerson, bearer]) {
      for (const address of addresses) expect((await client.send('GET', address)).statusCode, address).toBe(200);
    }
    expect(await sockets[0]?.join(asPerson, `private-App.Models.User.${person.id}`)).toBe('joined');
    expect(await sockets[1]?.join(bearer, `presence-chat.${chatId}`)).toBe('joined');

    expect((await disable(person)).json()).toMatchObject({
      ...{ id: person.id, disabled: { reason: 'Left the hospital' }, open_sessions: 0 },
    });
    // Not after a second: with the answer.
    for (const client of [asPerson, bearer]) {
      for (const address of addresses) expect((await client.send('GET', address)).statusCode, address).toBe(401);
      const body = { client_id: newId(), body: 'Still here' };
      expect((await client.send('POST', `/api/chats/${chatId}/messages`, { body })).statusCode).toBeGreaterThan(400);
    }
    expect(await Promise.all(sockets.map((socket) => socket.closed))).toEqual([4009, 4009]);
    const { rows } = await sql`select from on_call_shifts where user_id = ${person.id} and ends_at > now()`.execute(
      server.db,
    );
    expect(rows).toEqual([]);
    const messages = await server.db.selectFrom('messages').select('id').where('chat_id', '=', chatId).execute();
    expect(messages).toEqual([]);
  });

  it('ADM-2 A3 is refused at sign-in with the answer to a wrong password, until it is enabled again', async () => {
    await disable(person);
    const refused = await postLogin(await guestWithCookies(server), { email: person.email });
    const wrong = await postLogin(await guestWithCookies(server), { email: person.email, password: 'wrong password' });
    expect([refused.statusCode, refused.json()]).toEqual([wrong.statusCode, wrong.json()]);
    expect(refused.statusCode).toBe(422);

    const enabled = await asOperator.send('DELETE', pathOf(person, 'disabled'));
    expect(enabled.json()).toMatchObject({ id: person.id, disabled: null });
    expect((await postLogin(await guestWithCookies(server), { email: person.email })).statusCode).toBe(200);
    expect(await statusOf(asPerson)).toBe(401);
  });

  it('ADM-2 is audited without its reason, and its person is mailed', async () => {
    await disable(person);
    await disable(person);
    await asOperator.send('DELETE', pathOf(person, 'disabled'));
    const entries = [
      ...(await auditOf(server, 'account.disable', operator.id)),
      ...(await auditOf(server, 'account.enable', operator.id)),
    ];
    expect(entries.map(({ object_id, detail }) => [object_id, detail])).toEqual([
      [person.id, { ended: 1 }],
      [person.id, null],
    ]);
    expect(JSON.stringify(entries)).not.toContain('Left the hospital');
    // Jobs run side by side: which of the two goes out first is left open.
    const subjects = (await mailsTo(server, person.email)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([
      'Your account at Wardline was disabled',
      'Your account at Wardline was enabled again',
    ]);
  });
});

describe('the acts on an account', () => {
  it('ADM-2 ACC-7 all its sessions end at once, and it signs in again', async () => {
    const socket = await openSocket(server);
    await socket.join(asPerson, `private-App.Models.User.${person.id}`);
    const bearer = await withBearer(person.id);
    const answer = await asOperator.send('DELETE', pathOf(person, 'sessions'));
    expect(answer.json()).toMatchObject({ open_sessions: 0, disabled: null });
    expect([await statusOf(asPerson), await statusOf(bearer), await socket.closed]).toEqual([401, 401, 4009]);
    expect((await postLogin(await guestWithCookies(server), { email: person.email })).statusCode).toBe(200);
    expect((await mailsTo(server, person.email)).at(-1)?.subject).toBe('You were signed out at Wardline');
  });

  it('ADM-2 second factors are reset: the password alone signs in, and all that was signed in has ended', async () => {
    await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
    await makePasskey(server.db, person.id);
    expect((await accountOf(person)).second_factors).toEqual({ app: true, passkeys: 1, providers: 0 });
    const answer = await asOperator.send('DELETE', pathOf(person, 'second-factors'));
    expect(answer.json()).toMatchObject({
      ...{ loses_password: false, account: { second_factors: { app: false, passkeys: 0, providers: 0 } } },
    });
    expect(await statusOf(asPerson)).toBe(401);
    const again = await postLogin(await guestWithCookies(server), { email: person.email });
    expect(again.json()).toEqual({ two_factor: false });
    expect((await auditOf(server, 'second_factor.reset', operator.id))[0]).toMatchObject({ object_id: person.id });
  });

  it('ADM-2 A9 who is made a system administrator is one at once, and who no longer is, is signed out', async () => {
    expect((await asPerson.send('GET', '/api/system/warnings')).statusCode).toBe(404);
    expect((await asOperator.send('PUT', pathOf(person, 'operator'))).json()).toMatchObject({ is_operator: true });
    expect((await asPerson.send('GET', '/api/system/warnings')).statusCode).toBe(200);
    expect((await asOperator.send('DELETE', pathOf(person, 'operator'))).json()).toMatchObject({ is_operator: false });
    expect(await statusOf(asPerson)).toBe(401);
    const anew = await signedIn(server, person.id);
    expect((await anew.send('GET', '/api/system/warnings')).statusCode).toBe(404);
    const subjects = (await mailsTo(server, person.email)).map(({ subject }) => subject);
    // Each is on its way by itself.
    expect(subjects.toSorted()).toEqual([
      'You are a system administrator of Wardline',
      'You are no longer a system administrator of Wardline',
    ]);
  });

  it('ADM-2 ADM-3 each is one entry of the audit that names the account and what ended, and a repeat is none', async () => {
    const twice = async (method: 'PUT' | 'DELETE', what: string, body?: object) => {
      for (let turn = 0; turn < 2; turn++) await asOperator.send(method, pathOf(person, what), body ? { body } : {});
    };
    await twice('PUT', 'operator');
    await twice('DELETE', 'operator');
    await signedIn(server, person.id);
    await withBearer(person.id);
    await twice('DELETE', 'sessions');
    await signedIn(server, person.id);
    await twice('PUT', 'disabled', { reason: 'Left the hospital' });
    await twice('DELETE', 'disabled');
    await makeApp(server.db, { userId: person.id, appKey: TEST_APP_KEY });
    await makePasskey(server.db, person.id);
    await signedIn(server, person.id);
    await asOperator.send('DELETE', pathOf(person, 'second-factors'));
    const account = ['user', person.id] as const;
    expect(await actsOf(server, operator.id)).toEqual([
      audited('operator.add', account),
      audited('operator.remove', account, { detail: { ended: 1 } }),
      audited('account.end_sessions', account, { detail: { ended: 2 } }),
      audited('account.disable', account, { detail: { ended: 1 } }),
      audited('account.enable', account),
      audited('second_factor.reset', account, {
        detail: { passkeys: 1, hadApp: true, endedSessions: 1, losesPassword: false },
      }),
    ]);
    const subjects = (await mailsTo(server, person.email)).map(({ subject }) => subject);
    // What was done twice is told once.
    expect(subjects.filter((subject) => subject === 'You were signed out at Wardline')).toHaveLength(1);
    expect(subjects).toHaveLength(new Set(subjects).size);
  });

  it('ADM-2 A30 a disabled account is made no system administrator', async () => {
    await disable(person);
    expect((await asOperator.send('PUT', pathOf(person, 'operator'))).statusCode).toBe(409);
  });

  const acts = [
    ['PUT', 'disabled', { reason: 'Left the hospital' }],
    ['DELETE', 'disabled', undefined],
    ['DELETE', 'sessions', undefined],
    ['DELETE', 'second-factors', undefined],
    ['PUT', 'operator', undefined],
    ['DELETE', 'operator', undefined],
  ] as const;

  it.each(acts)('ADM-2 A30 %s %s is done to nobody’s own account, nor to the server’s', async (method, what, body) => {
    await makeUser(server.db, { isOperator: true });
    const request = body ? { body } : {};
    const own = await asOperator.send(method, pathOf(operator, what), request);
    expect(own.statusCode).toBe(409);
    expect(await statusOf(asOperator)).toBe(200);
    const ofServer = { ...operator, id: SERVER_ACCOUNT };
    expect((await asOperator.send(method, pathOf(ofServer, what), request)).statusCode).toBe(404);
  });

  it.each(acts)('ADM-2 A30 %s %s asks for the password once more', async (method, what, body) => {
    const unconfirmed = withSession(
      server,
      await makeSession(server.db, { userId: operator.id, isConfirmed: false, hasGivenFactor: true }),
    );
    const answer = await unconfirmed.send(method, pathOf(person, what), body ? { body } : {});
    expect(answer.statusCode).toBe(423);
    expect(await statusOf(asPerson)).toBe(200);
  });

  it.each(acts)('PERM-4 A30 %s %s is not there for a facility administrator', async (method, what, body) => {
    const answer = await asPerson.send(method, pathOf(operator, what), body ? { body } : {});
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.', code: 'not_found' }]);
    expect(await statusOf(asOperator)).toBe(200);
  });
});

describe('the last system administrator', () => {
  const operatorsLeft = async () =>
    (
      await server.db
        .selectFrom('users')
        .select('id')
        .where('is_operator', '=', true)
        .where('disabled_at', 'is', null)
        .execute()
    ).length;

  it.each([
    ['take it from each other', 'DELETE', 'operator', undefined],
    ['disable each other', 'PUT', 'disabled', { reason: 'Left the hospital' }],
  ] as const)('ADM-2 A30 stays where two %s at the same moment', async (_, method, what, body) => {
    for (let round = 0; round < 5; round++) {
      await sql`update users set is_operator = false`.execute(server.db);
      const [one, two] = [
        await makeUser(server.db, { isOperator: true }),
        await makeUser(server.db, { isOperator: true }),
      ];
      const [asOne, asTwo] = [await signedIn(server, one.id), await signedIn(server, two.id)];
      const request = body ? { body } : {};
      const answers = await Promise.all([
        asOne.send(method, pathOf(two, what), request),
        asTwo.send(method, pathOf(one, what), request),
      ]);
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
      expect(await operatorsLeft()).toBe(1);
    }
  });
});

describe('the list of accounts', () => {
  it('ADM-2 says of each where it belongs, how it signs in and about when it was there, and no more', async () => {
    await sql`insert into last_seen (user_id, seen_at) values (${person.id}, now() - interval '30 minutes')
      on conflict (user_id) do update set seen_at = excluded.seen_at`.execute(server.db);
    expect(await accountOf(person)).toEqual({
      ...{ id: person.id, name: 'Mira Okafor', email: person.email, is_operator: false, disabled: null },
      facilities: [{ id: facility.id, name: 'St. Hedwig', roles: ['Clinician', 'Facility administrator'] }],
      ...{
        last_seen: 'hour',
        is_unused: false,
        second_factors: { app: false, passkeys: 0, providers: 0 },
        open_sessions: 1,
      },
    });
  });

  it('ADM-2 says of an account from this week that nobody has used it yet, and of an older one when it was not used', async () => {
    const { db } = server;
    const unused = await makeUser(db);
    const old = await makeUser(db);
    await db
      .updateTable('users')
      .set({ created_at: sql`now() - interval '8 days'` })
      .where('id', '=', old.id)
      .execute();
    expect(await accountOf(unused)).toMatchObject({ last_seen: null, is_unused: true });
    expect(await accountOf(old)).toMatchObject({ last_seen: null, is_unused: false });
  });

  it('ADM-2 comes by name, page by page, each account once; the disabled are in it and the server is not', async () => {
    const names = ['Zoë', 'aron', 'Ärmin', 'Bo'].map((name) => `${name} Pager`);
    for (const name of names)
      await makeUser(server.db, { name, disabledAt: name.startsWith('Bo') ? new Date() : null });
    const seen: string[] = [];
    for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 9; pages++) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await asOperator.send('GET', `/api/system/accounts?q=pager&limit=2${after}`)).json();
      seen.push(...page.data.map(({ name }: SystemAccount) => name));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['Ärmin Pager', 'aron Pager', 'Bo Pager', 'Zoë Pager']);
    const all = (await asOperator.send('GET', '/api/system/accounts?limit=200')).payload;
    expect(all).not.toContain(SERVER_ACCOUNT);
    expect((await asOperator.send('GET', `/api/system/accounts?cursor=${newId()}`)).statusCode).toBe(422);
  });

  it('ADM-2 A40 takes a search for what it says, wildcards too', async () => {
    const named = await makeUser(server.db, { name: '100%_Sure' });
    const found = async (q: string) =>
      (await asOperator.send('GET', `/api/system/accounts?q=${encodeURIComponent(q)}`)).json().data;
    expect((await found('0%_s')).map(({ id }: SystemAccount) => id)).toEqual([named.id]);
    expect(await found('%%%')).toEqual([]);
    expect((await found(person.email.toUpperCase())).map(({ id }: SystemAccount) => id)).toEqual([person.id]);
  });
});
