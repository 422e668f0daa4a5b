import type * as contract from '@wardline/contract/account/single-sign-on.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { insertAttempt, type NewAttempt, type SecretsOf } from './attempt-queries.ts';
import { logFailure } from './failures.ts';
import type { Provider, Providers } from './providers.ts';

export interface BeginDeps {
  readonly providers: Providers;
  readonly secretsOf: SecretsOf;
  readonly limits: Pick<AccountLimits, 'singleSignOn'>;
}

type Context = RequestContext<Actor | null>;
type Begun = ReplyOf<typeof contract.beginSingleSignOn>;

/** A POST with the CSRF token, so that no other site sends a browser on this way (A7). */
export function beginSingleSignOn(deps: BeginDeps) {
  return async (
    ctx: Context,
    {
      params,
      body,
    }: { params: ParamsOf<typeof contract.beginSingleSignOn>; body: BodyOf<typeof contract.beginSingleSignOn> },
  ): Promise<Begun> => {
    const provider = requireProvider(deps, params);
    // Nobody is to wonder whose session this is (A7).
    if (ctx.actor !== null)
      throw new AppError('conflict', { message: 'You are signed in already. Load the page again.' });
    if (ctx.http.sessionId === null) throw new AppError('not_found');
    return leave(deps, ctx, provider, {
      ...{ sessionHash: hashSecret(ctx.http.sessionId), purpose: 'sign_in', userId: null },
      ...{ remember: body.remember ?? false, returnTo: body.redirect ?? '/dashboard' },
    });
  };
}

/** To show, in one's own session, which account at the provider is one's own. */
export function beginProviderLink(deps: BeginDeps) {
  return async (
    ctx: RequestContext,
    { params }: { params: ParamsOf<typeof contract.beginProviderLink> },
  ): Promise<Begun> => leave(deps, ctx, requireProvider(deps, params), { ...ownAttempt(ctx), purpose: 'link' });
}

export function beginProviderConfirmation(deps: BeginDeps) {
  return async (
    ctx: RequestContext,
    {
      params,
      body,
    }: {
      params: ParamsOf<typeof contract.beginProviderConfirmation>;
      body: BodyOf<typeof contract.beginProviderConfirmation>;
    },
  ): Promise<Begun> => leave(deps, ctx, requireProvider(deps, params), { ...ownAttempt(ctx), purpose: body.purpose });
}

function ownAttempt({ actor }: RequestContext) {
  const sessionHash = Buffer.from(actor.credential.key, 'hex');
  return { sessionHash, userId: actor.userId, remember: false, returnTo: '/settings' };
}

export function requireProvider(
  { providers }: Pick<BeginDeps, 'providers'>,
  { provider: id }: { provider: string },
): Provider {
  const provider = providers.find(id);
  if (!provider) throw new AppError('not_found');
  return provider;
}

async function leave(
  { secretsOf, limits }: BeginDeps,
  { db, http, log }: Context,
  provider: Provider,
  attempt: Omit<NewAttempt, 'provider'>,
): Promise<Begun> {
  await limits.singleSignOn.take(placeOf(http.ip));
  const secrets = secretsOf();
  const isAnew = attempt.purpose === 'confirm' || attempt.purpose === 'unlock';
  const url = await provider.authorizationUrl(secrets, { isAnew }).catch((error: unknown) => {
    logFailure(log, provider, error);
    throw new AppError('bad_gateway', { message: `${provider.label} can’t be reached right now. Try again later.` });
  });
  await insertAttempt(db, secrets.state, { ...attempt, provider: provider.id });
  return { location: url.href };
}
