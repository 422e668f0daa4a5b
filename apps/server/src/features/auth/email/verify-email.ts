import type { verifyEmail as endpoint } from '@wardline/contract/account/account.ts';
import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { deleteEmailChange, voidResetLinks } from '#/features/auth/account/account-queries.ts';
import { lockAddress } from '#/features/auth/account/credential-queries.ts';
import { addressOf, hashOfEmail, type VerifyLink } from '#/features/auth/account/links.ts';
import {
  type FollowedRegistrationDeps,
  findRegistration,
  joinAsInvited,
} from '#/features/auth/registration/followed-registration.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { findAddressToVerify } from './email-change-queries.ts';

export type VerifyEmailDeps = FollowedRegistrationDeps & MoveToAddressDeps;

type Context = RequestContext<Actor | null>;

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly query: QueryOf<typeof endpoint>;
}

const VERIFIED = '/dashboard?verified=1';
/** The same where somebody else used the invitation, or it was revoked, before the link was followed. */
const INVITATION_LOST = `${VERIFIED}&invitation=lost`;

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
    const { invitation_id: invitationId } = registration;
    const isLost = invitationId !== null && !(await parts.invitations.stands(ctx.db, invitationId));
    const redirect = isLost ? INVITATION_LOST : VERIFIED;
    return `/sign-in?${new URLSearchParams({ verify: '1', redirect }).toString()}`;
  }
  if (ctx.actor.email !== registration.email) return null;
  const hasForce = await joinAsInvited(parts, ctx, { registration, userId: ctx.actor.userId });
  return hasForce ? VERIFIED : INVITATION_LOST;
}

/** Null where no such address waits, somebody else is signed in, or the address is somebody else's by now. */
async function ofChange(parts: VerifyEmailDeps, ctx: Context, link: VerifyLink): Promise<string | null> {
  const address = await findAddressToVerify(ctx.db, link.id);
  if (!address || hashOfEmail(address.email) !== link.hash) return null;
  if (ctx.actor === null) return `/sign-in?${new URLSearchParams({ redirect: addressOf(link) }).toString()}`;
  if (ctx.actor.userId !== link.id) return null;
  return (await moveToAddress(parts, ctx, { userId: link.id, email: address.email })) ? VERIFIED : null;
}

interface MoveToAddressDeps {
  readonly identityChanged: (userId: string) => void | Promise<void>;
}

/**
 * Makes an address the person's own and verified, and has the one before told. False when it is somebody else's: the
 * change is then forgotten.
 */
async function moveToAddress(
  { identityChanged }: MoveToAddressDeps,
  ctx: RequestContext<Actor | null>,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<boolean> {
  return ctx.write('email.verify', async (tx) => {
    const audit = { objectType: 'user', objectId: userId };
    await deleteEmailChange(tx, userId);
    const before = await verifyAddress(tx, { userId, email });
    if (before === undefined)
      return { result: false, audit: { ...audit, outcome: 'refused', detail: { is_taken: true } } };
    await voidResetLinks(tx, userId);
    const isOther = before !== email;
    if (isOther) await enqueueJob(tx, { kind: 'auth.email_changed', payload: { old_email: before } });
    return {
      result: true,
      audit: { ...audit, detail: { is_other: isOther } },
      afterCommit: () => identityChanged(userId),
    };
  });
}

const formerAddresses = typedRows<{ email: string }>({ email: 'string' });

/** Makes this the person's verified address. Gives the one before, or undefined when the address is somebody else's. */
async function verifyAddress(
  tx: DatabaseTransaction,
  { userId, email }: { userId: string; email: string },
): Promise<string | undefined> {
  await lockAddress(tx, email);
  const query = sql`
    with before as (select id, email from users where id = ${userId} and disabled_at is null for no key update)
    update users u set email = ${email}, email_verified_at = now(), updated_at = now()
    from before where u.id = before.id and not exists (select from users o where o.email = ${email} and o.id <> u.id)
    returning before.email`;
  return (await formerAddresses.first(tx, query))?.email;
}
