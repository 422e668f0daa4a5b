import type { FollowedRegistrationDeps } from '#/features/auth/registration/followed-registration.ts';
import type { MoveToAddressDeps } from './move-to-address.ts';
import type { verifyEmail as endpoint } from '@wardline/contract/account.ts';
import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { addressOf, hashOfEmail, type VerifyLink } from '#/features/auth/account/links.ts';
import { joinAsInvited } from '#/features/auth/registration/followed-registration.ts';
import { findRegistration } from '#/features/auth/registration/registration-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findAddressToVerify } from './email-change-queries.ts';
import { moveToAddress } from './move-to-address.ts';

export type VerifyEmailDeps = FollowedRegistrationDeps & MoveToAddressDeps;

type Context = RequestContext<Actor | null>;

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly query: QueryOf<typeof endpoint>;
}

const VERIFIED = '/dashboard?verified=1';

/**
 * Where a mailed link leads. It is a GET, and mail programs open links by themselves: it changes something only for who is
 * signed in as the person it is for. Everybody else is led to the sign-in.
 */
export function verifyEmail(parts: VerifyEmailDeps) {
  return async (ctx: Context, { params, query }: Input): Promise<ReplyOf<typeof endpoint>> => {
    const link = { ...params, expires: query.expires ?? '', signature: query.signature ?? '' };
    const isValid = parts.links.isValid(link);
    const location = isValid ? ((await ofRegistration(parts, ctx, link)) ?? (await ofChange(parts, ctx, link))) : null;
    return { location: location ?? `${ctx.actor ? '/verify-email' : '/sign-in'}?link=invalid` };
  };
}

/** Null where the link is of no registration, or somebody else is signed in. */
async function ofRegistration(parts: VerifyEmailDeps, ctx: Context, { id, hash }: VerifyLink): Promise<string | null> {
  const registration = await findRegistration(ctx.db, id);
  if (!registration || hashOfEmail(registration.email) !== hash) return null;
  if (ctx.actor === null) {
    ctx.http.noteFollowedLink(parts.links.noteOf(id));
    return `/sign-in?${new URLSearchParams({ verify: '1', redirect: VERIFIED }).toString()}`;
  }
  if (ctx.actor.email !== registration.email) return null;
  await joinAsInvited(parts, ctx, { registration, userId: ctx.actor.userId });
  return VERIFIED;
}

/** Null where no such address waits, somebody else is signed in, or the address is somebody else's by now. */
async function ofChange(parts: VerifyEmailDeps, ctx: Context, link: VerifyLink): Promise<string | null> {
  const address = await findAddressToVerify(ctx.db, link.id);
  if (!address || hashOfEmail(address.email) !== link.hash) return null;
  if (ctx.actor === null) return `/sign-in?${new URLSearchParams({ redirect: addressOf(link) }).toString()}`;
  if (ctx.actor.userId !== link.id) return null;
  return (await moveToAddress(parts, ctx, { userId: link.id, email: address.email })) ? VERIFIED : null;
}
