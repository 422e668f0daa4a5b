import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeRegistration, makeResetLink } from '#/testing/factories/accounts.ts';
import { makeSession, makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { purgeExpired } from './purge-expired.ts';
import { newToken } from './sessions/start-session.ts';

const HOUR_MS = 3_600_000;
const at = (inMs: number) => new Date(Date.now() + inMs);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** One of each thing that expires. */
async function makeOneOfEach(inMs: number): Promise<void> {
  const { db } = database;
  const { id: userId } = await makeUser(db);
  await makeSession(db, { userId, lifetimeMs: inMs });
  const token = { id: newId(), user_id: userId, name: 'phone', abilities: ['*'], expires_at: at(inMs) };
  await db
    .insertInto('access_tokens')
    .values({ ...token, token_hash: Buffer.from(newToken().slice(-32)) })
    .execute();
  const registration = await makeRegistration(db, { passwordHash: 'unused', expiresAt: at(inMs) });
  await db
    .updateTable('registrations')
    .set({ created_at: at(inMs - 24 * HOUR_MS) })
    .where('id', '=', registration.id)
    .execute();
  await db
    .insertInto('email_changes')
    .values({ user_id: userId, email: `${userId}@new.test`, expires_at: at(inMs) })
    .execute();
}

describe('what has expired', () => {
  it('A8 is removed: sessions, tokens, registrations, changed addresses; what is in time stays', async () => {
    await makeOneOfEach(-1_000);
    await makeOneOfEach(HOUR_MS);
    await purgeExpired(database.db);
    for (const table of ['sessions', 'access_tokens', 'registrations', 'email_changes'] as const) {
      const left = await database.db.selectFrom(table).select('expires_at').execute();
      expect(left, table).toHaveLength(1);
      expect(Number(left[0]?.expires_at), table).toBeGreaterThan(Date.now());
    }
  });

  it('A3 a registration that was replaced stays as long as it counts', async () => {
    const { db } = database;
    await db.deleteFrom('registrations').execute();
    const { id } = await makeRegistration(db, { passwordHash: 'unused', expiresAt: at(-1_000) });
    await purgeExpired(db);
    expect(await db.selectFrom('registrations').select('id').execute()).toEqual([{ id }]);
  });

  it('A4 links for a new password stay as long as they count', async () => {
    const { db } = database;
    const { id: userId } = await makeUser(db);
    await makeResetLink(db, { userId, expiresAt: at(-1_000) });
    await makeResetLink(db, { userId, expiresAt: at(-HOUR_MS) });
    await db
      .updateTable('password_resets')
      .set({ created_at: at(-HOUR_MS - 60_000) })
      .where('expires_at', '<', at(-HOUR_MS / 2))
      .execute();
    await purgeExpired(db);
    expect(await db.selectFrom('password_resets').select('job_id').execute()).toHaveLength(1);
  });
});
