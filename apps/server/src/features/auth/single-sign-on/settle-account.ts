import { insertUser } from '#/features/auth/account/credential-queries.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import { hashByLot } from '#/features/auth/credentials/passwords.ts';
import { factorChangeJob, lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { decideAccount, decideOwnLink } from './decide-account.ts';
import { SsoRefusal } from './failures.ts';
import { findByAddress, findLinked, findSubject, insertLink } from './link-queries.ts';
import type { Provider } from './providers.ts';
import type { Asserted } from './read-claims.ts';

export interface SettleDeps {
  readonly check: Pick<CredentialCheck, 'passwords'>;
}

type Context = Pick<RequestContext<Actor | null>, 'db' | 'write'>;

/** Whom this sign-in is of; links or makes the account where that is due. Throws an SsoRefusal. */
export async function settleAccount(
  deps: SettleDeps,
  ctx: Context,
  provider: Provider,
  asserted: Asserted,
): Promise<{ readonly userId: string; readonly email: string }> {
  const { issuer, verifiedEmail } = asserted;
  const decision = decideAccount({
    linkedTo: await findLinked(ctx.db, asserted),
    sameAddress: verifiedEmail === null ? null : await findByAddress(ctx.db, verifiedEmail, issuer),
    hasVerifiedEmail: verifiedEmail !== null,
    mayCreate: provider.create_accounts,
  });
  if (decision.does === 'refuse') throw new SsoRefusal(decision.why);
  if (decision.does === 'create') return createAccount(deps, ctx, provider, asserted);
  const { userId } = decision;
  if (decision.does === 'link') {
    await link(ctx, { userId, provider, asserted }, async (tx) => {
      const isStillTheirs = await lockVerified(tx, userId, verifiedEmail ?? '');
      if (!isStillTheirs) throw new SsoRefusal('account_unverified', userId);
    });
  }
  const found = ctx.db.selectFrom('users').select('email').where('id', '=', userId);
  const user = await found.where('disabled_at', 'is', null).executeTakeFirst();
  if (!user) throw new SsoRefusal('no_account', userId);
  return { userId, email: user.email };
}

/** Links the account of who is signed in; a repeat changes nothing. */
export async function settleOwnLink(
  ctx: Context,
  own: { readonly userId: string; readonly provider: Provider; readonly asserted: Asserted },
): Promise<void> {
  const { userId, asserted } = own;
  const { issuer, subject } = asserted;
  const [linkedTo, ownSubject] = [await findLinked(ctx.db, asserted), await findSubject(ctx.db, userId, issuer)];
  const decision = decideOwnLink(userId, { linkedTo, ownSubject, subject });
  if (decision === 'conflict') throw new SsoRefusal('conflict', userId);
  if (decision === 'linked') return;
  await link(ctx, own, async (tx) => {
    if (!(await lockUser(tx, userId))) throw new SsoRefusal('no_account', userId);
  });
}

async function link(
  { write }: Context,
  { userId, provider, asserted }: { userId: string; provider: Provider; asserted: Asserted },
  hold: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await write('sso.link', async (tx) => {
    await hold(tx);
    const isNew = await insertLink(tx, userId, asserted);
    // Somebody else was faster; where it was the same person in another tab, it is done.
    if (!isNew && (await findLinked(tx, asserted)) !== userId) throw new SsoRefusal('conflict', userId);
    if (!isNew) return { result: undefined, audit: null };
    await enqueueJob(tx, factorChangeJob(userId, 'provider_linked'));
    const detail = { provider: provider.id };
    return {
      result: undefined,
      audit: { actorId: userId, objectType: 'user', objectId: userId, detail },
    };
  });
}

/** Its password is drawn by lot: a mailed link sets one that somebody knows. */
async function createAccount(
  { check }: SettleDeps,
  { write }: Context,
  provider: Provider,
  asserted: Asserted,
): Promise<{ userId: string; email: string }> {
  const email = asserted.verifiedEmail ?? '';
  const [userId, name] = [newId(), asserted.name ?? email.split('@')[0] ?? email];
  const password_hash = await hashByLot(check.passwords);
  await write('account.create', async (tx) => {
    const isMade = await insertUser(tx, { id: userId, name, email, password_hash });
    if (!isMade || !(await insertLink(tx, userId, asserted))) throw new SsoRefusal('conflict');
    const detail = { provider: provider.id };
    return { result: undefined, audit: { actorId: userId, objectType: 'user', objectId: userId, detail } };
  });
  return { userId, email };
}

/** Holds the account; false where the address is not its own and verified any more. */
async function lockVerified(tx: Transaction, userId: string, email: string): Promise<boolean> {
  const held = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('email', '=', email)
    .where('email_verified_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held !== undefined;
}
