import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeSession, makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { createIdentify } from './identify.ts';
import { newToken } from './start-session.ts';

const log = createLog('silent');
let database: TestDatabase;
const fresh = () => createIdentify(database.db, { log, cacheMs: 0 });

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function makeToken(userId: string, options: { expiresAt?: Date; lastUsedAt?: Date } = {}): Promise<string> {
  const token = newToken();
  await database.db
    .insertInto('access_tokens')
    .values({
      id: newId(),
      user_id: userId,
      name: 'a device',
      token_hash: hashSecret(token),
      abilities: ['*'],
      expires_at: options.expiresAt ?? new Date(Date.now() + 86_400_000),
      last_used_at: options.lastUsedAt ?? null,
    })
    .execute();
  return token;
}

describe('identify', () => {
  it('AUTH-1 reads the person with active memberships, roles and permissions in one query', async () => {
    const { db } = database;
    const facility = await makeFacility(db, { name: 'St. Hedwig' });
    const left = await makeFacility(db);
    const user = await makeUser(db, { name: 'Nia Okafor' });
    await makeMembership(db, {
      userId: user.id,
      facility,
      roles: ['clinician', 'chargeNurse'],
      title: 'Charge nurse, MED 3A',
    });
    const ended = await makeMembership(db, { userId: user.id, facility: left, roles: ['clinician'] });
    await db.updateTable('memberships').set({ ended_at: new Date() }).where('id', '=', ended).execute();
    let queries = 0;
    const counted = db.withPlugin({
      transformQuery({ node }) {
        queries++;
        return node;
      },
      transformResult: async ({ result }) => result,
    });

    const credential = { kind: 'session', id: await makeSession(db, { userId: user.id }) } as const;
    const identify = createIdentify(counted, { log });
    // The first time it is noted that they were there as well, and for five minutes not again.
    await identify(credential);
    expect(queries).toBe(2);
    identify.forget({ userId: user.id });
    queries = 0;

    const identity = await identify(credential);

    expect(identity?.actor).toMatchObject({ userId: user.id, name: 'Nia Okafor', email: user.email });
    expect(identity?.cookieMaxAgeS).toBeNull();
    expect(identity?.actor.memberships).toHaveLength(1);
    const [membership] = identity?.actor.memberships ?? [];
    expect(membership).toMatchObject({
      facilityId: facility.id,
      facilityName: 'St. Hedwig',
      title: 'Charge nurse, MED 3A',
      roles: ['Charge nurse', 'Clinician'],
    });
    expect([...(membership?.permissions ?? [])].sort()).toEqual([
      'census.report_units',
      'census.view',
      'chats.break_glass',
      'chats.create',
      'examinations.sign',
      'examinations.write',
      'on_call.take',
      'phones.view',
      'results.assign',
    ]);
    expect(queries).toBe(1);
  });

  it('CHAT-12 notes that somebody was there at most once in five minutes, whichever process is asked, and never for a socket', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const id = await makeSession(db, { userId: user.id });
    const seen = async () =>
      (await db.selectFrom('last_seen').select('seen_at').where('user_id', '=', user.id).executeTakeFirst())?.seen_at;
    const setSeen = async (minutesAgo: number) => {
      const seenAt = new Date(Date.now() - minutesAgo * 60_000);
      await db.updateTable('last_seen').set({ seen_at: seenAt }).where('user_id', '=', user.id).execute();
      return seenAt;
    };
    await fresh().byKey(hashSecret(id).toString('hex'));
    expect(await seen()).toBeUndefined();
    await fresh()({ kind: 'session', id });
    expect(await seen()).toBeInstanceOf(Date);
    const lately = await setSeen(4);
    await fresh()({ kind: 'session', id });
    expect(await seen()).toEqual(lately);
    const before = await setSeen(6);
    await fresh()({ kind: 'session', id });
    expect((await seen())?.getTime()).toBeGreaterThan(before.getTime());
  });

  it('AUTH-1 knows a member without any role and a person without any facility', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const identity = await fresh()({ kind: 'session', id: await makeSession(db, { userId: user.id }) });
    expect(identity?.actor.memberships).toEqual([]);
    await makeMembership(db, { userId: user.id, facility: await makeFacility(db) });
    const member = await fresh()({ kind: 'session', id: await makeSession(db, { userId: user.id }) });
    expect(member?.actor.memberships).toMatchObject([{ roles: [], permissions: new Set() }]);
  });

  it('A9 takes nothing for an expired session, an expired or long unused token, or a disabled account', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const disabled = await makeUser(db, { disabledAt: new Date() });
    const past = new Date(Date.now() - 1_000);
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    const identify = fresh();
    const session = (id: string) => identify({ kind: 'session', id });
    const token = (text: string) => identify({ kind: 'token', token: text });
    expect(await session(await makeSession(db, { userId: user.id, lifetimeMs: -1_000 }))).toBeNull();
    expect(await session(await makeSession(db, { userId: disabled.id }))).toBeNull();
    expect(await token(await makeToken(user.id, { expiresAt: past }))).toBeNull();
    expect(await token(await makeToken(user.id, { lastUsedAt: longAgo }))).toBeNull();
    expect(await token(await makeToken(disabled.id))).toBeNull();
    expect(await token(await makeToken(user.id))).toMatchObject({ actor: { userId: user.id } });
  });

  it('A6 takes a session id for no token and a token for no session', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const identify = createIdentify(db, { log });
    const sessionId = await makeSession(db, { userId: user.id });
    const token = await makeToken(user.id);
    expect(await identify({ kind: 'session', id: sessionId })).not.toBeNull();
    expect(await identify({ kind: 'token', token })).not.toBeNull();
    expect(await identify({ kind: 'token', token: sessionId })).toBeNull();
    expect(await identify({ kind: 'session', id: token })).toBeNull();
    expect(await identify({ kind: 'token', token: '' })).toBeNull();
  });

  it('A9 remembers for at most five seconds, and forgets a person or a session at once', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const other = await makeUser(db);
    const [first, second, others] = [
      await makeSession(db, { userId: user.id }),
      await makeSession(db, { userId: user.id }),
      await makeSession(db, { userId: other.id }),
    ];
    const identify = createIdentify(db, { log, cacheMs: 3_600_000 });
    const ask = (id: string) => identify({ kind: 'session', id });
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    for (const id of [first, second, others]) expect(await ask(id)).not.toBeNull();
    await db.deleteFrom('sessions').where('user_id', 'in', [user.id, other.id]).execute();
    expect(await ask(first)).not.toBeNull();
    identify.forget({ key: hashSecret(first).toString('hex') });
    expect(await ask(first)).toBeNull();
    expect(await ask(second)).not.toBeNull();
    identify.forget({ userId: user.id });
    expect(await ask(second)).toBeNull();
    clock.mockReturnValue(now + 4_999);
    expect(await ask(others)).not.toBeNull();
    clock.mockReturnValue(now + 5_000);
    expect(await ask(others)).toBeNull();
    clock.mockRestore();
  });

  it('A9 does not remember an answer that was on its way when the right ended', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const id = await makeSession(db, { userId: user.id });
    const identify = createIdentify(db, { log });
    const onItsWay = identify({ kind: 'session', id });
    identify.forget({ userId: user.id });
    expect(await onItsWay).not.toBeNull();
    await db.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    expect(await identify({ kind: 'session', id })).toBeNull();
  });

  it('A9 does not remember a session longer than it lasts', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const id = await makeSession(db, { userId: user.id });
    const lasts = (ms: number) =>
      sql`update sessions set expires_at = now() + make_interval(secs => ${ms / 1000}) where user_id = ${user.id}`;
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    await db.transaction().execute(async (tx) => {
      // Within a transaction the database's clock stands still as well.
      const identify = createIdentify(tx, { log });
      await lasts(3_000).execute(tx);
      expect(await identify({ kind: 'session', id })).not.toBeNull();
      await lasts(0).execute(tx);
      clock.mockReturnValue(now + 2_999);
      expect(await identify({ kind: 'session', id })).not.toBeNull();
      clock.mockReturnValue(now + 3_000);
      expect(await identify({ kind: 'session', id })).toBeNull();
    });
    clock.mockRestore();
  });

  it('ACC-5 notes the use of a session and a token at most once a minute', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const id = await makeSession(db, { userId: user.id });
    const token = await makeToken(user.id);
    const identify = fresh();
    const read = async () => ({
      session: (
        await db.selectFrom('sessions').select('last_active_at as at').where('user_id', '=', user.id).execute()
      )[0],
      token: (
        await db.selectFrom('access_tokens').select('last_used_at as at').where('user_id', '=', user.id).execute()
      )[0],
    });
    const before = await read();
    await identify({ kind: 'session', id });
    await identify({ kind: 'token', token });
    const once = await read();
    expect(once.session).toEqual(before.session);
    expect(once.token?.at).toBeInstanceOf(Date);
    await identify({ kind: 'token', token });
    expect(await read()).toEqual(once);
    const twoMinutesAgo = new Date(Date.now() - 120_000);
    await db.updateTable('sessions').set({ last_active_at: twoMinutesAgo }).where('user_id', '=', user.id).execute();
    await db.updateTable('access_tokens').set({ last_used_at: twoMinutesAgo }).where('user_id', '=', user.id).execute();
    await Promise.all([identify({ kind: 'session', id }), identify({ kind: 'token', token })]);
    const after = await read();
    expect(after.session?.at.getTime()).toBeGreaterThan(twoMinutesAgo.getTime() + 60_000);
    expect(after.token?.at?.getTime()).toBeGreaterThan(twoMinutesAgo.getTime() + 60_000);
  });

  it('R12 goes on identifying when the use cannot be noted', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const id = await makeSession(db, { userId: user.id });
    await db
      .updateTable('sessions')
      .set({ last_active_at: new Date(Date.now() - 120_000) })
      .where('user_id', '=', user.id)
      .execute();
    await db.connection().execute(async (connection) => {
      const readOnly = createIdentify(connection, { log });
      await sql`set default_transaction_read_only = on`.execute(connection);
      expect(await readOnly({ kind: 'session', id })).not.toBeNull();
      await sql`reset default_transaction_read_only`.execute(connection);
    });
  });

  it('A10 tells sockets by their keys which sessions and tokens live', async () => {
    const { db } = database;
    const user = await makeUser(db);
    const disabled = await makeUser(db, { disabledAt: new Date() });
    const keyOf = (secret: string) => hashSecret(secret).toString('hex');
    const live = keyOf(await makeSession(db, { userId: user.id }));
    const liveToken = keyOf(await makeToken(user.id));
    const expired = keyOf(await makeSession(db, { userId: user.id, lifetimeMs: -1 }));
    const ofDisabled = keyOf(await makeSession(db, { userId: disabled.id }));
    const identify = fresh();
    const keys = [live, liveToken, expired, ofDisabled, 'not a key', keyOf('never issued')];
    expect(await identify.liveKeys(keys)).toEqual(new Set([live, liveToken]));
    expect(await identify.liveKeys([])).toEqual(new Set());
    expect((await identify.byKey(live))?.userId).toBe(user.id);
    expect(await identify.byKey(expired)).toBeNull();
    expect(await identify.byKey('not a key')).toBeNull();
  });
});
