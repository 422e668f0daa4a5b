import { randomBytes } from 'node:crypto';
import type * as contract from '@wardline/contract/account/scim.ts';
import { SCIM_TOKEN_LIMIT, type ScimToken } from '@wardline/contract/account/scim.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type Actor, hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { action, authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';
import type { ScimDeps } from './scim-deps.ts';

interface InFacility {
  readonly facilityId: string;
}

const seeFacility = action<InFacility>(
  'facility.see',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

/** A directory lets people in and puts them out. */
const manageDirectory = action<InFacility>('directory.manage', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'members.manage'),
);

function requireManager(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, manageDirectory, { facilityId });
}

export async function listScimTokens(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params }: { params: ParamsOf<typeof contract.listScimTokens> },
): Promise<ReplyOf<typeof contract.listScimTokens>> {
  requireManager(actor, params.facility);
  return { data: await findTokens(db, params.facility) };
}

/** Makes a token for a directory. The answer is the only place that shows it. */
export function createScimToken({ directory }: Pick<ScimDeps, 'directory'>) {
  return async (
    ctx: RequestContext,
    {
      params,
      body,
    }: { params: ParamsOf<typeof contract.createScimToken>; body: BodyOf<typeof contract.createScimToken> },
  ): Promise<ReplyOf<typeof contract.createScimToken>> => {
    const { facility: facilityId } = params;
    requireManager(ctx.actor, facilityId);
    const secret = `wardline_scim_${randomBytes(32).toString('base64url')}`;
    const id = newId();
    return ctx.write('scim.token.create', async (tx) => {
      await directory.hold(tx, { facilityId, userId: ctx.actor.userId });
      if ((await findTokens(tx, facilityId)).length >= SCIM_TOKEN_LIMIT) {
        throw new AppError('conflict', { message: `There are ${SCIM_TOKEN_LIMIT} tokens. Revoke one first.` });
      }
      await tx
        .insertInto('scim_tokens')
        .values({
          ...{
            id,
            facility_id: facilityId,
            name: body.name,
            token_hash: hashSecret(secret),
            created_by: ctx.actor.userId,
          },
          expires_at: sql`now() + make_interval(days => ${body.expires_in_days})`,
        })
        .execute();
      const made = (await findTokens(tx, facilityId)).find((token) => token.id === id);
      if (!made) throw new Error('the token that was made is not there');
      return {
        result: { scim_token: made, plain_text_token: secret },
        audit: { facilityId, objectType: 'scim_token', objectId: id, detail: { days: body.expires_in_days } },
      };
    });
  };
}

export async function revokeScimToken(
  ctx: RequestContext,
  { params }: { params: ParamsOf<typeof contract.revokeScimToken> },
): Promise<undefined> {
  const { facility: facilityId, token: id } = params;
  requireManager(ctx.actor, facilityId);
  await ctx.write('scim.token.revoke', async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('scim_tokens')
      .where('id', '=', id)
      .where('facility_id', '=', facilityId)
      .executeTakeFirst();
    await authorizeNow(tx, ctx.actor, manageDirectory, { facilityId });
    if (numDeletedRows === 0n) throw new AppError('not_found');
    return { result: undefined, audit: { facilityId, objectType: 'scim_token', objectId: id } };
  });
}

interface TokenRow {
  id: string;
  name: string;
  user_id: string;
  user_name: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
}

const tokenRows = typedRows<TokenRow>({
  id: 'string',
  name: 'string',
  user_id: 'string',
  user_name: 'string',
  created_at: 'date',
  last_used_at: 'date?',
  expires_at: 'date',
});

async function findTokens(db: Database | DatabaseTransaction, facilityId: string): Promise<ScimToken[]> {
  const query = sql`
    select t.id, t.name, u.id as user_id, u.name as user_name, t.created_at, t.last_used_at, t.expires_at
    from scim_tokens t join users u on u.id = t.created_by
    where t.facility_id = ${facilityId} and t.expires_at > now() order by t.created_at desc, t.id`;
  return (await tokenRows.read(db, query)).map(({ id, name, user_id, user_name, ...at }) => ({
    ...{ id, name, created_by: { user_id, name: user_name } },
    created_at: at.created_at.toISOString(),
    last_used_at: at.last_used_at?.toISOString() ?? null,
    expires_at: at.expires_at.toISOString(),
  }));
}

const BEARER = /^Bearer (wardline_scim_[\w-]{43})$/i;

const callers = typedRows<{ id: string; facility_id: string; created_by: string; elsewhere: string[] }>({
  id: 'string',
  facility_id: 'string',
  created_by: 'string',
  elsewhere: 'array',
});

/** Whose token a request carries, read now; null for none that has force. Its use is noted at most once a minute. */
export async function findCaller(db: Database, authorization: string | undefined) {
  const [, secret] = BEARER.exec(authorization ?? '') ?? [];
  if (secret === undefined) return null;
  const hash = hashSecret(secret);
  const found = await callers.first(
    db,
    sql`
      select t.id, t.facility_id, t.created_by, array(
        select o.facility_id from memberships o
        where o.user_id = t.created_by and o.facility_id <> t.facility_id and o.ended_at is null) as elsewhere
      from scim_tokens t
      join facilities f on f.id = t.facility_id and f.deactivated_at is null
      where t.token_hash = ${hash} and t.expires_at > now() and exists (
        select from memberships m join users u on u.id = m.user_id and u.disabled_at is null
          join membership_roles h on h.membership_id = m.id join roles r on r.id = h.role_id
        where m.user_id = t.created_by and m.facility_id = t.facility_id and m.ended_at is null
          and 'members.manage' = any(r.permissions))`,
  );
  if (!found) return null;
  await db
    .updateTable('scim_tokens')
    .set({ last_used_at: sql`now()` })
    .where('id', '=', found.id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<', sql<Date>`now() - interval '1 minute'`)]),
    )
    .execute();
  const { id: tokenId, facility_id: facilityId, created_by: userId, elsewhere } = found;
  return { tokenId, maker: { facilityId, userId }, elsewhere };
}

export async function purgeScimTokens(db: Database): Promise<void> {
  await db.deleteFrom('scim_tokens').where('expires_at', '<', sql<Date>`now()`).execute();
}
