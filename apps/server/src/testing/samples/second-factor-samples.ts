import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import {
  codeOf,
  makeApp,
  makePersonalToken,
  makeUser,
  TEST_PASSWORD,
  testPasswordHash,
} from '#/testing/factories/users.ts';
import { guestWithCookies, postLogin, type TestClient } from '#/testing/test-client.ts';
import { SAMPLE_PROVIDER, TEST_APP_KEY } from '#/testing/test-server.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

const OF_PROVIDER = { provider: SAMPLE_PROVIDER.id };

/** For each endpoint of second factors a request of anybody about themselves. */
export const SECOND_FACTOR_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  answerTwoFactorChallenge: async () => ({ body: { code: codeOf() } }),
  beginTwoFactor: async () => ({}),
  getTwoFactorQrCode: async (world) => {
    await giveEverybodyAnApp(world, { isConfirmed: false });
    return {};
  },
  getTwoFactorSecret: async (world) => {
    await giveEverybodyAnApp(world, { isConfirmed: false });
    return {};
  },
  confirmTwoFactor: async (world) => {
    await giveEverybodyAnApp(world, { isConfirmed: false });
    return { body: { code: codeOf() } };
  },
  endTwoFactor: async (world) => {
    await giveEverybodyAnApp(world, { isConfirmed: true });
    return {};
  },
  listRecoveryCodes: async () => ({}),
  renewRecoveryCodes: async (world) => {
    await giveEverybodyAnApp(world, { isConfirmed: true });
    return {};
  },
  confirmPassword: async ({ server }) => {
    await server.db
      .updateTable('users')
      .set({ password_hash: await testPasswordHash(TEST_APP_KEY) })
      .execute();
    return { body: { password: TEST_PASSWORD } };
  },
  unlockScreen: async ({ server }) => {
    await server.db
      .updateTable('users')
      .set({ password_hash: await testPasswordHash(TEST_APP_KEY) })
      .execute();
    return { body: { password: TEST_PASSWORD } };
  },
  getConfirmedPasswordStatus: async () => ({}),
  getSecondFactors: async () => ({}),
  listPasskeys: async () => ({}),
  beginPasskey: async () => ({}),
  // What comes of a challenge hangs on the session that it was made for: features/auth/passkeys has it.
  createPasskey: async () => ({ body: { name: 'Phone', credential: {} } }),
  renamePasskey: async (world) => ({ params: { passkey: await newPasskey(world) }, body: { name: 'Old phone' } }),
  removePasskey: async (world) => ({ params: { passkey: await newPasskey(world) } }),
  listPersonalTokens: async () => ({}),
  createPersonalToken: async ({ server }) => {
    // A person has so many and no more.
    await sql`delete from access_tokens where name = 'Sample token'`.execute(server.db);
    return { body: { name: 'Sample token', abilities: ['chats:read'], expires_in_days: 7 } };
  },
  revokePersonalToken: async ({ server, ours }) => {
    const { id } = await makePersonalToken(server.db, { userId: ours.entitled.id, abilities: ['chats:read'] });
    return { params: { token: id } };
  },
  revokePersonalTokens: async () => ({}),
  beginPasskeySignIn: async () => ({}),
  signInWithPasskey: async () => ({ body: { credential: {} } }),
  beginPasskeyConfirmation: async () => ({}),
  confirmWithPasskey: async () => ({ body: { credential: {} } }),
  beginSingleSignOn: async () => ({ params: OF_PROVIDER, body: { redirect: '/chat' } }),
  finishSingleSignOn: async () => ({ params: OF_PROVIDER }),
  beginProviderLink: async () => ({ params: OF_PROVIDER }),
  beginProviderConfirmation: async () => ({ params: OF_PROVIDER, body: { purpose: 'confirm' } }),
  listProviderLinks: async () => ({}),
  removeProviderLink: async ({ server, ours }) => {
    const link = { issuer: SAMPLE_PROVIDER.issuer, subject: 'sample', user_id: ours.entitled.id };
    await server.db
      .insertInto('sso_links')
      .values(link)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return { params: OF_PROVIDER };
  },
};

async function giveEverybodyAnApp({ server, ...world }: World, { isConfirmed }: { isConfirmed: boolean }) {
  const { ours, theirs, former, operator } = world;
  for (const { id } of [ours.entitled, ours.reader, ours.member, theirs.entitled, former, operator]) {
    await makeApp(server.db, { userId: id, appKey: TEST_APP_KEY, isConfirmed });
  }
}

/** Somebody whose password was right and whose code is still to come. */
export async function halfSignedIn({ server }: World): Promise<TestClient> {
  const { id, email } = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  await makeApp(server.db, { userId: id, appKey: TEST_APP_KEY });
  const client = await guestWithCookies(server);
  await postLogin(client, { email });
  return client;
}

/** Of the one who is entitled. */
async function newPasskey({ server, ours }: World): Promise<string> {
  const id = randomUUID();
  await server.db
    .insertInto('passkeys')
    .values({
      ...{ id, user_id: ours.entitled.id, name: 'Phone' },
      ...{ credential_id: Buffer.from(id), public_key: Buffer.from('a key') },
    })
    .execute();
  return id;
}
