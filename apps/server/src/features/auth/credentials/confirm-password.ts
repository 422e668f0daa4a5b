import type * as contract from '@wardline/contract/account/second-factor.ts';
import type { BodyOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { isPasswordConfirmed, notePasswordConfirmed } from '#/platform/http/authorization/password-confirmation.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { CredentialCheck } from './check-credentials.ts';
import { confirmOwnPassword } from './confirm-own-password.ts';

/** Opens to this session, for a while, what asks for the password. */
export function confirmPassword({ check }: { readonly check: CredentialCheck }) {
  return async (
    ctx: RequestContext,
    { body }: { body: BodyOf<typeof contract.confirmPassword> },
  ): Promise<ReplyOf<typeof contract.confirmPassword>> => {
    const { userId } = ctx.actor;
    await confirmOwnPassword(check, ctx, body.password, 'password');
    await ctx.write('password.confirm', async (tx) => {
      await notePasswordConfirmed(tx, ctx.actor);
      return { result: undefined, audit: { objectType: 'user', objectId: userId } };
    });
    return {};
  };
}

export async function getConfirmedPasswordStatus(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { query }: { query: QueryOf<typeof contract.getConfirmedPasswordStatus> },
): Promise<ReplyOf<typeof contract.getConfirmedPasswordStatus>> {
  const within = query.seconds === undefined ? undefined : Number(query.seconds);
  return { confirmed: await isPasswordConfirmed(db, actor, within) };
}
