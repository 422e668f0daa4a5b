import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type * as contract from '@wardline/contract/account/passkeys.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import { confirmOwnPassword } from '#/features/auth/credentials/confirm-own-password.ts';
import { openClosedFacilities } from '#/features/auth/second-factor/factor-rule.ts';
import { lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import { type AppError, invalidField } from '#/platform/http/app-error.ts';
import { notePasswordConfirmed } from '#/platform/http/authorization/password-confirmation.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { type PasskeyDeps, requireParty } from './add-passkey.ts';
import { findPasskey, notePasskeyUse, putChallenge, takeChallenge } from './passkey-queries.ts';
import { verifyAnswer } from './verify-answer.ts';

interface ConfirmDeps extends Pick<PasskeyDeps, 'relyingParty' | 'identityChanged'> {
  readonly limits: Pick<AccountLimits, 'passkeys'>;
}

/** Only a passkey of whoever is signed in is of use here, so the browser is told which those are. */
export function beginPasskeyConfirmation({ relyingParty, limits }: ConfirmDeps) {
  return async ({ actor, db, http }: RequestContext): Promise<ReplyOf<typeof contract.beginPasskeyConfirmation>> => {
    const { id: rpID } = requireParty(relyingParty());
    await limits.passkeys.take(placeOf(http.ip));
    const known = await db
      .selectFrom('passkeys')
      .select(['credential_id', 'transports'])
      .where('user_id', '=', actor.userId)
      .execute();
    const options = await generateAuthenticationOptions({
      ...{ rpID, userVerification: 'required' },
      allowCredentials: known.map((row) => ({
        id: row.credential_id.toString('base64url'),
        transports: row.transports,
      })),
    });
    await putChallenge(db, { sessionHash: keyOf(actor), purpose: 'confirm', challenge: options.challenge });
    return { ...options };
  };
}

/** In the place of the password, and as the second factor of a session that a password alone began. */
export function confirmWithPasskey(parts: ConfirmDeps) {
  return async (
    ctx: RequestContext,
    { body }: { body: BodyOf<typeof contract.confirmWithPasskey> },
  ): Promise<ReplyOf<typeof contract.confirmWithPasskey>> => {
    const { userId } = ctx.actor;
    const use = await checkOwnPasskey(parts, ctx, body.credential);
    await ctx.write('password.confirm', async (tx) => {
      await use(tx);
      await notePasswordConfirmed(tx, ctx.actor);
      const publishToAll = await openClosedFacilities(tx, ctx.actor);
      return {
        result: undefined,
        audit: { objectType: 'user', objectId: userId, detail: { method: 'passkey' } },
        publishToAll,
        afterCommit: () => parts.identityChanged(userId),
      };
    });
    return {};
  };
}

/** Opens the covered screen of a shared device. What asks for the password asks for it as before. */
export function unlockScreen(parts: ConfirmDeps & { readonly check: CredentialCheck }) {
  return async (ctx: RequestContext, { body }: { body: BodyOf<typeof contract.unlockScreen> }): Promise<undefined> => {
    const { method, use } = await checkUnlock(parts, ctx, body);
    const { userId } = ctx.actor;
    await ctx.write('session.unlock', async (tx) => {
      await use?.(tx);
      return { result: undefined, audit: { objectType: 'user', objectId: userId, detail: { method } } };
    });
  };
}

interface UnlockCheck {
  readonly method: 'passkey' | 'provider' | 'password';
  /** Takes the one use, where there is one. */
  readonly use?: (tx: Transaction) => Promise<void>;
}

async function checkUnlock(
  parts: ConfirmDeps & { readonly check: CredentialCheck },
  ctx: RequestContext,
  { credential, by_provider: byProvider, password }: BodyOf<typeof contract.unlockScreen>,
): Promise<UnlockCheck> {
  if (credential) return { method: 'passkey', use: await checkOwnPasskey(parts, ctx, credential) };
  if (byProvider) return { method: 'provider', use: (tx) => takeProviderUnlock(tx, keyOf(ctx.actor)) };
  await confirmOwnPassword(parts.check, ctx, password ?? '', 'password');
  return { method: 'password' };
}

/** What a provider said on the way back to this session, a minute ago at most. */
async function takeProviderUnlock(tx: Transaction, key: Buffer): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ provider_unlocked_at: null })
    .where('id_hash', '=', key)
    .where('provider_unlocked_at', '>', sql<Date>`now() - interval '1 minute'`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw invalidField('by_provider', 'This took too long. Try again.');
}

/** Answers what takes the one use of it, in the transaction that acts on it; refuses everybody else's. */
async function checkOwnPasskey(
  { relyingParty, limits }: ConfirmDeps,
  ctx: RequestContext,
  credential: Readonly<Record<string, unknown>>,
): Promise<(tx: Transaction) => Promise<void>> {
  const party = requireParty(relyingParty());
  const { userId } = ctx.actor;
  await limits.passkeys.take(placeOf(ctx.http.ip));
  const challenge = await takeChallenge(ctx.db, { sessionHash: keyOf(ctx.actor), purpose: 'confirm' });
  const { id } = credential;
  const isId = typeof id === 'string' && id.length <= 2048;
  const found = isId ? await findPasskey(ctx.db, Buffer.from(id, 'base64url')) : null;
  const passkey = found?.user_id === userId ? found : null;
  const counter = passkey && (await verifyAnswer(party, { challenge, passkey, credential }));
  if (passkey === null || counter === null) {
    const audit = { objectType: 'user', objectId: userId, outcome: 'refused' } as const;
    await ctx.write('passkey.refused', async () => ({ result: undefined, audit }));
    throw notTaken();
  }
  return async (tx) => {
    if (!(await lockUser(tx, userId)) || !(await notePasskeyUse(tx, passkey, counter))) throw notTaken();
  };
}

function keyOf({ credential }: RequestContext['actor']): Buffer {
  return Buffer.from(credential.key, 'hex');
}

function notTaken(): AppError {
  return invalidField('credential', 'This passkey was not accepted. Use your password.');
}
