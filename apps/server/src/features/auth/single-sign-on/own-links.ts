import type * as contract from '@wardline/contract/account/single-sign-on.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { factorChangeJob, lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { requireProvider } from './begin-single-sign-on.ts';
import { type FollowGroupsDeps, followGroups } from './follow-groups.ts';
import { deleteLink } from './link-queries.ts';
import type { Providers } from './providers.ts';

export function listProviderLinks({ providers }: { readonly providers: Providers }) {
  return async ({ actor, db }: RequestContext): Promise<ReplyOf<typeof contract.listProviderLinks>> => {
    const links = await db
      .selectFrom('sso_links')
      .select(['issuer', 'created_at', 'last_used_at'])
      .where('user_id', '=', actor.userId)
      .execute();
    return {
      data: providers.all.map(({ id, label, issuer }) => {
        const link = links.find((row) => row.issuer === issuer);
        return {
          ...{ provider: id, label },
          linked_at: link?.created_at.toISOString() ?? null,
          last_used_at: link?.last_used_at?.toISOString() ?? null,
        };
      }),
    };
  };
}

interface RemoveDeps extends FollowGroupsDeps {
  readonly providers: Providers;
}

/** Nobody says any more which groups one has: the roles that they gave end first. */
export function removeProviderLink(deps: RemoveDeps) {
  return async (
    ctx: RequestContext,
    { params }: { params: ParamsOf<typeof contract.removeProviderLink> },
  ): Promise<undefined> => {
    const { id, issuer } = requireProvider(deps, params);
    const { userId } = ctx.actor;
    const isLinked = await ctx.db
      .selectFrom('sso_links')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('issuer', '=', issuer)
      .executeTakeFirst();
    if (!isLinked) throw new AppError('not_found');
    await followGroups(deps, ctx, { userId, issuer, roles: [] });
    await ctx.write('sso.unlink', async (tx) => {
      if (!(await lockUser(tx, userId)) || !(await deleteLink(tx, userId, issuer))) throw new AppError('not_found');
      await enqueueJob(tx, factorChangeJob(userId, 'provider_unlinked'));
      return {
        result: undefined,
        audit: { objectType: 'user', objectId: userId, detail: { provider: id } },
        afterCommit: () => deps.identityChanged(userId),
      };
    });
  };
}
