import type { createToken as endpoint } from '@wardline/contract/account/auth.ts';
import { EVERY_ABILITY } from '@wardline/contract/account/personal-tokens.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { type CredentialCheck, checkCredentials } from '#/features/auth/credentials/check-credentials.ts';
import { checkSecondStep, type SecondStepCheck } from '#/features/auth/second-factor/check-second-step.ts';
import { hasSecondFactor } from '#/features/auth/second-factor/second-factor-queries.ts';
import { newToken, TOKEN_LIFETIME_S } from '#/features/auth/sessions/start-session.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';

/** A bearer token for 90 days; one that is not used for 30 has no force. This answer is the only place that shows it. */
export function createToken({
  check,
  secondStep,
}: {
  readonly check: CredentialCheck;
  readonly secondStep: SecondStepCheck;
}) {
  return async (
    ctx: RequestContext<Actor | null>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const account = await checkCredentials(check, ctx, body);
    const { userId } = account;
    const owner = { userId, email: body.email };
    const hasFactor = await hasSecondFactor(ctx.db, userId);
    const step = hasFactor ? await checkSecondStep(secondStep, ctx, owner, body) : null;
    const token = newToken();
    const id = newId();
    await ctx.write('token.create', async (tx) => {
      await account.confirm(tx);
      await step?.take(tx);
      await insertToken(tx, {
        id,
        userId,
        name: body.device_name,
        tokenHash: hashSecret(token),
        hasGivenFactor: step !== null,
        lifetimeS: TOKEN_LIFETIME_S,
      });
      return {
        result: undefined,
        audit: {
          actorId: userId,
          objectType: 'access_token',
          objectId: id,
          ...(step && { detail: { second: step.method } }),
        },
      };
    });
    return { token };
  };
}

interface NewToken {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly tokenHash: Buffer;
  readonly hasGivenFactor: boolean;
  readonly lifetimeS: number;
}

async function insertToken(tx: DatabaseTransaction, token: NewToken): Promise<void> {
  await tx
    .insertInto('access_tokens')
    .values({
      id: token.id,
      user_id: token.userId,
      name: token.name,
      token_hash: token.tokenHash,
      abilities: [EVERY_ABILITY],
      second_factor_at: token.hasGivenFactor ? sql`now()` : null,
      expires_at: sql`now() + make_interval(secs => ${token.lifetimeS})`,
    })
    .execute();
}
