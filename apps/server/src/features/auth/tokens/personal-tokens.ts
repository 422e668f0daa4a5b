import {
  type createPersonalToken as createEndpoint,
  type listPersonalTokens as listEndpoint,
  PERSONAL_TOKEN_LIMIT,
  type PersonalToken,
  type revokePersonalToken as revokeEndpoint,
} from '@wardline/contract/account/personal-tokens.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { hasForce, isPersonal } from '#/features/auth/account/token-force.ts';
import { lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import { type EndSessions, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import { newToken } from '#/features/auth/sessions/start-session.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';

export async function listPersonalTokens({
  actor,
  db,
}: Pick<RequestContext, 'actor' | 'db'>): Promise<ReplyOf<typeof listEndpoint>> {
  return { data: (await findTokens(db, actor.userId)).map(toToken) };
}

/** Makes a token for a program of the person's own. The answer is the only place that shows it. */
export async function createPersonalToken(
  ctx: RequestContext,
  { body }: { body: BodyOf<typeof createEndpoint> },
): Promise<ReplyOf<typeof createEndpoint>> {
  const { userId } = ctx.actor;
  const secret = newToken();
  const id = newId();
  return ctx.write('token.make', async (tx) => {
    // One at a time, so that the count of them holds.
    if (!(await lockUser(tx, userId))) throw new AppError('unauthenticated');
    if ((await findTokens(tx, userId)).length >= PERSONAL_TOKEN_LIMIT) throw tooManyTokens();
    await insertToken(tx, ctx.actor, { ...body, id, secret });
    await enqueueJob(tx, { kind: 'auth.token_made', payload: { user_id: userId, abilities: body.abilities } });
    const [made] = await findTokens(tx, userId, id);
    if (!made) throw new Error('the token that was made is not there');
    return {
      result: { access_token: toToken(made), plain_text_token: secret },
      audit: {
        objectType: 'access_token',
        objectId: id,
        detail: { abilities: body.abilities, days: body.expires_in_days },
      },
    };
  });
}

/** Takes the force of one's token; anybody else's does not exist. */
export function revokePersonalToken({ endSessions }: { readonly endSessions: EndSessions }) {
  return async (ctx: RequestContext, { params }: { params: ParamsOf<typeof revokeEndpoint> }): Promise<undefined> => {
    await ctx.write('token.revoke', async (tx) => {
      const ended = await deleteTokens(tx, ctx.actor.userId, params.token);
      if (ended.length === 0) throw new AppError('not_found');
      return {
        result: undefined,
        audit: { objectType: 'access_token', objectId: params.token },
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
  };
}

/** Takes the force of all. */
export function revokePersonalTokens({ endSessions }: { readonly endSessions: EndSessions }) {
  return async (ctx: RequestContext): Promise<undefined> => {
    const { userId } = ctx.actor;
    await ctx.write('token.revoke', async (tx) => {
      const ended = await deleteTokens(tx, userId);
      const audit = { objectType: 'user', objectId: userId, detail: { ended: ended.length } };
      return {
        result: undefined,
        audit: ended.length > 0 ? audit : null,
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
  };
}

function tooManyTokens(): AppError {
  return new AppError('conflict', { message: `You have ${PERSONAL_TOKEN_LIMIT} tokens. Revoke one first.` });
}

interface NewToken extends BodyOf<typeof createEndpoint> {
  readonly id: string;
  readonly secret: string;
}

/** A token is worth what the session is in which it was made: the second factor that was given there counts. */
async function insertToken(
  tx: DatabaseTransaction,
  { userId, credential: { key } }: RequestContext['actor'],
  token: NewToken,
): Promise<void> {
  const hash = Buffer.from(key, 'hex');
  await sql`
    insert into access_tokens (id, user_id, name, token_hash, abilities, expires_at, second_factor_at, factor_issuer)
    select ${token.id}, ${userId}, ${token.name}, ${hashSecret(token.secret)}, ${[...token.abilities]}::text[],
      now() + make_interval(days => ${token.expires_in_days}), c.second_factor_at, c.factor_issuer
    from (
      select second_factor_at, factor_issuer from sessions where id_hash = ${hash}
      union all
      select second_factor_at, factor_issuer from access_tokens where token_hash = ${hash}
    ) c`.execute(tx);
}

async function deleteTokens(tx: DatabaseTransaction, userId: string, id?: string): Promise<Buffer[]> {
  const ended = await tx
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .where(isPersonal)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .returning('token_hash')
    .execute();
  return ended.map((row) => row.token_hash);
}

interface TokenRow {
  id: string;
  name: string;
  abilities: PersonalToken['abilities'];
  last_used_at: Date | null;
  expires_at: Date;
  created_at: Date;
}

const tokenRows = typedRows<TokenRow>({
  id: 'string',
  name: 'string',
  abilities: 'array',
  last_used_at: 'date?',
  expires_at: 'date',
  created_at: 'date',
});

/** The personal tokens of somebody that have force, the newest first. */
async function findTokens(
  db: Database | DatabaseTransaction,
  userId: string,
  id: string | null = null,
): Promise<TokenRow[]> {
  const query = sql`
    select id, name, abilities, date_trunc('hour', last_used_at) as last_used_at, expires_at, created_at
    from access_tokens
    where user_id = ${userId} and ${isPersonal} and ${hasForce} and (${id}::uuid is null or id = ${id}::uuid)
    order by created_at desc, id`;
  return tokenRows.read(db, query);
}

function toToken(row: TokenRow): PersonalToken {
  return {
    ...row,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
