import type { createToken as endpoint } from '@wardline/contract/account/auth.ts';
import { EVERY_ABILITY, PERSONAL_TOKEN_LIMIT } from '@wardline/contract/account/personal-tokens.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { type SqlBool, sql } from 'kysely';
import { hasForce, isPersonal } from '#/features/auth/account/token-force.ts';
import { type CredentialCheck, checkCredentials } from '#/features/auth/credentials/check-credentials.ts';
import { checkSecondStep, type SecondStepCheck } from '#/features/auth/second-factor/check-second-step.ts';
import { hasSecondFactor } from '#/features/auth/second-factor/second-factor-queries.ts';
import { type EndSessions, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import { newToken, TOKEN_LIFETIME_S } from '#/features/auth/sessions/start-session.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';

/** As many as somebody may make for programs, so that the two lists are as long as each other. */
const APPS_PER_USER = PERSONAL_TOKEN_LIMIT;

/**
 * A bearer token for 90 days; one that is not used for 30 has no force, and of a person's beyond twenty those end that were not used for
 * longest. This answer is the only place that shows it.
 */
export function createToken({
  check,
  secondStep,
  endSessions,
}: {
  readonly check: CredentialCheck;
  readonly secondStep: SecondStepCheck;
  readonly endSessions: EndSessions;
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
      const ended = await endIdleTokens(tx, userId, APPS_PER_USER - 1);
      await insertToken(tx, {
        id,
        userId,
        name: body.device_name,
        tokenHash: hashSecret(token),
        hasGivenFactor: step !== null,
        lifetimeS: TOKEN_LIFETIME_S,
      });
      const detail = { ...(step && { second: step.method }), ...(ended.length > 0 && { ended: ended.length }) };
      const audit = { actorId: userId, objectType: 'access_token', objectId: id };
      return {
        result: undefined,
        audit: Object.keys(detail).length > 0 ? { ...audit, detail } : audit,
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
    return { token };
  };
}

/** Ends all but the last used `keep` of the apps that signed in as a person. Returns the hashes of the ended. */
async function endIdleTokens(tx: DatabaseTransaction, userId: string, keep: number): Promise<Buffer[]> {
  const kept = tx
    .selectFrom('access_tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`not ${isPersonal}`)
    .where(hasForce)
    .orderBy(sql`coalesce(last_used_at, created_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(keep);
  const ended = await tx
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`not ${isPersonal}`)
    .where(hasForce)
    .where('id', 'not in', kept)
    .returning('token_hash')
    .execute();
  return ended.map((row) => row.token_hash);
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
