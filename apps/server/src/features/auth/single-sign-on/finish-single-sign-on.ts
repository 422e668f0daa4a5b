import type { finishSingleSignOn as endpoint, SsoFailure } from '@wardline/contract/account/single-sign-on.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { hasSecondFactor, lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import { type FinishSignInDeps, finishSignIn } from '#/features/auth/sessions/finish-sign-in.ts';
import { askSecondStep } from '#/features/auth/sessions/sign-in.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { notePasswordConfirmed } from '#/platform/http/authorization/password-confirmation.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { type Attempt, takeAttempt } from './attempt-queries.ts';
import { type BeginDeps, requireProvider } from './begin-single-sign-on.ts';
import { failureOf, logFailure, SsoRefusal } from './failures.ts';
import { type FollowGroupsDeps, followGroups } from './follow-groups.ts';
import { noteLinkUse } from './link-queries.ts';
import { CLOCK_TOLERANCE_S, type Provider } from './providers.ts';
import { type Asserted, readClaims } from './read-claims.ts';
import { type SettleDeps, settleAccount, settleOwnLink } from './settle-account.ts';

export interface FinishDeps extends FinishSignInDeps, FollowGroupsDeps, SettleDeps, Omit<BeginDeps, 'limits'> {
  readonly check: FinishSignInDeps['check'];
  readonly identityChanged: FollowGroupsDeps['identityChanged'];
}

type Context = RequestContext<Actor | null>;

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly query: Readonly<Record<string, unknown>>;
}

interface Way {
  readonly provider: Provider;
  readonly attempt: Attempt;
  readonly asserted: Asserted;
}

/**
 * A GET that changes something: the state is the proof that this browser went there, and it is good once. Whatever goes
 * wrong leads to a page that says so.
 */
export function finishSingleSignOn(deps: FinishDeps) {
  return async (ctx: Context, { params, query }: Input): Promise<ReplyOf<typeof endpoint>> => {
    const provider = requireProvider(deps, params);
    const texts = textsOf(query);
    const { state = '' } = texts;
    const { sessionId } = ctx.http;
    const sought = { state, provider: provider.id };
    const attempt = sessionId && (await takeAttempt(ctx.db, { ...sought, sessionHash: hashSecret(sessionId) }));
    if (!attempt) return { location: ctx.actor ? '/dashboard' : placeOfFailure('expired', null) };
    try {
      const asserted = await redeem(deps, ctx, { provider, attempt, query: texts });
      return { location: await END[attempt.purpose](deps, ctx, { provider, attempt, asserted }) };
    } catch (error) {
      if (!(error instanceof SsoRefusal)) throw error;
      await noteRefusal(ctx, provider, error);
      return { location: placeOfFailure(error.why, attempt) };
    }
  };
}

/** Each by itself: what came twice is not taken. */
function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(query).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}

async function redeem(
  { secretsOf }: FinishDeps,
  { log }: Context,
  { provider, attempt, query }: { provider: Provider; attempt: Attempt; query: Record<string, string> },
): Promise<Asserted> {
  const isAnew = isConfirmation(attempt);
  const claims = await provider
    .redeem({ query, secrets: secretsOf(query['state']), isAnew })
    .catch((error: unknown) => {
      logFailure(log, provider, error);
      throw new SsoRefusal(failureOf(error));
    });
  const asserted = readClaims(provider, claims);
  if (asserted === null) throw new SsoRefusal('provider');
  const since = attempt.created_at.getTime() / 1000 - CLOCK_TOLERANCE_S;
  if (isAnew && (asserted.authenticatedAtS ?? 0) < since) throw new SsoRefusal('not_again', attempt.user_id);
  return asserted;
}

function isConfirmation({ purpose }: Attempt): boolean {
  return purpose === 'confirm' || purpose === 'unlock';
}

/** What each way ends with; resolves to where the browser is led. */
const END: Readonly<Record<Attempt['purpose'], (deps: FinishDeps, ctx: Context, way: Way) => Promise<string>>> = {
  sign_in: enter,
  async link(deps, ctx, way) {
    const { userId } = ownOf(ctx, way);
    await settleOwnLink(ctx, { ...way, userId });
    await follow(deps, ctx, way, userId);
    return '/settings#sso=linked';
  },
  async confirm(_deps, ctx, way) {
    await confirmAs(ctx, way, 'password.confirm');
    return '/settings#sso=confirmed';
  },
  async unlock(_deps, ctx, way) {
    await confirmAs(ctx, way, 'sso.confirm');
    return '/dashboard#sso=unlocked';
  },
};

async function enter(deps: FinishDeps, ctx: Context, { provider, attempt, asserted }: Way): Promise<string> {
  const { userId, email } = await settleAccount(deps, ctx, provider, asserted);
  const { remember, return_to: returnTo } = attempt;
  const confirm = async (tx: Transaction) => {
    const isThere = (await lockUser(tx, userId)) && (await noteLinkUse(tx, userId, asserted));
    if (!isThere) throw new SsoRefusal('no_account', userId);
  };
  await follow(deps, ctx, { provider, asserted }, userId);
  if (!asserted.hasFactor && (await hasSecondFactor(ctx.db, userId))) {
    await askSecondStep(ctx, { userId, confirm }, { remember, detail: { provider: provider.id } });
    return signInPage('second-step', returnTo);
  }
  await finishSignIn(deps, ctx, {
    ...{ userId, email, remember, confirm, provider: { id: provider.id, issuer: asserted.issuer } },
    ...(asserted.hasFactor && { second: 'provider' }),
  });
  return returnTo;
}

function follow(deps: FinishDeps, ctx: Context, { asserted }: Pick<Way, 'provider' | 'asserted'>, userId: string) {
  return followGroups(deps, ctx, { userId, issuer: asserted.issuer, roles: asserted.roles });
}

/** The session that went there is the one that came back, so its person is as well. */
function ownOf({ actor }: Context, { attempt }: Way): Actor {
  if (actor === null || actor.userId !== attempt.user_id) throw new SsoRefusal('expired');
  return actor;
}

async function confirmAs(ctx: Context, way: Way, action: 'password.confirm' | 'sso.confirm'): Promise<void> {
  const actor = ownOf(ctx, way);
  const { userId } = actor;
  await ctx.write(action, async (tx) => {
    if (!(await noteLinkUse(tx, userId, way.asserted))) throw new SsoRefusal('other_person', userId);
    if (action === 'password.confirm') await notePasswordConfirmed(tx, actor);
    else {
      const key = Buffer.from(actor.credential.key, 'hex');
      await tx.updateTable('sessions').set({ provider_unlocked_at: sql`now()` }).where('id_hash', '=', key).execute();
    }
    const detail = { method: 'provider', provider: way.provider.id };
    return { result: undefined, audit: { objectType: 'user', objectId: userId, detail } };
  });
}

async function noteRefusal(ctx: Context, { id }: Provider, { why, userId }: SsoRefusal): Promise<void> {
  const whose = userId === null ? {} : { objectType: 'user', objectId: userId };
  const audit = { ...whose, outcome: 'refused', detail: { provider: id, why } } as const;
  await ctx.write('sso.refused', async () => ({ result: undefined, audit }));
}

function placeOfFailure(why: SsoFailure, attempt: Attempt | null): string {
  if (attempt === null || attempt.purpose === 'sign_in') return signInPage(why, attempt?.return_to ?? null);
  return `${attempt.purpose === 'unlock' ? '/dashboard' : '/settings'}#sso=${why}`;
}

function signInPage(word: string, returnTo: string | null): string {
  const search = returnTo === null ? '' : `?${new URLSearchParams({ redirect: returnTo }).toString()}`;
  return `/sign-in${search}#sso=${word}`;
}
