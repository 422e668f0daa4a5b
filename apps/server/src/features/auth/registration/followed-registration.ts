import { type Selectable, sql } from 'kysely';
import { insertUser } from '#/features/auth/account/credential-queries.ts';
import type { Links } from '#/features/auth/account/links.ts';
import { refused } from '#/features/auth/credentials/check-credentials.ts';
import type { InvitationAccess } from '#/features/auth/registration/invitation-access.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Registrations } from '#/platform/db/types.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';

export type Registration = Omit<Selectable<Registrations>, 'created_at'>;

const COLUMNS = ['id', 'name', 'email', 'password_hash', 'invitation_id', 'expires_at'] as const;

/** The registration while its link can be followed. */
export async function findRegistration(db: Database, id: string): Promise<Registration | undefined> {
  return db
    .selectFrom('registrations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

export interface FollowedRegistrationDeps {
  readonly identityChanged: (userId: string) => void | Promise<void>;
  readonly invitations: InvitationAccess;
  readonly links: Links;
}

type Context = RequestContext<Actor | null>;

/** The registration whose mailed link was followed in this browser within the half hour. */
export async function findFollowed(
  { links }: FollowedRegistrationDeps,
  { db, http }: Context,
): Promise<Registration | null> {
  const id = http.followedLink === null ? null : links.registrationOf(http.followedLink);
  return id === null ? null : ((await findRegistration(db, id)) ?? null);
}

interface Settlement {
  readonly registration: Registration;
  readonly userId: string;
}

/** Makes the account, its address verified, and a member of the facility that invited. */
export async function createAccount(
  { invitations }: FollowedRegistrationDeps,
  ctx: Context,
  { registration, userId }: Settlement,
): Promise<void> {
  const { id, name, email, password_hash, invitation_id: invitationId } = registration;
  await ctx.write('account.create', async (tx) => {
    const invitation = await holdInvitation(invitations, tx, invitationId);
    const isOurs = await takeRegistration(tx, registration);
    // Another tab was faster, or the address was taken meanwhile.
    if (!isOurs || !(await insertUser(tx, { id: userId, name, email, password_hash }))) throw refused();
    const joined = invitation && (await invitations.join(tx, { invitationId: invitation.id, userId }));
    return {
      result: undefined,
      audit: {
        actorId: userId,
        facilityId: joined?.facilityId ?? null,
        objectType: 'user',
        objectId: userId,
        detail: { registration_id: id, invitation_id: invitationId },
      },
    };
  });
}

/** The address has an account: what the registration still brings is its invitation. False where that has no force any more. */
export async function joinAsInvited(
  { identityChanged, invitations }: FollowedRegistrationDeps,
  ctx: Context,
  { registration, userId }: Settlement,
): Promise<boolean> {
  const { invitation_id: invitationId } = registration;
  return ctx.write('registration.settle', async (tx) => {
    const invitation = await holdInvitation(invitations, tx, invitationId);
    if (!(await takeRegistration(tx, registration))) return { result: true, audit: null };
    const joined = invitation && (await invitations.join(tx, { invitationId: invitation.id, userId }));
    return {
      result: invitationId === null || invitation !== null,
      audit: {
        actorId: userId,
        facilityId: joined?.facilityId ?? null,
        objectType: 'registration',
        objectId: registration.id,
        detail: { invitation_id: invitationId },
      },
      publish: joined?.changes ?? [],
      afterCommit: () => identityChanged(userId),
    };
  });
}

/** Before the registration is taken, in the order in which signing up anew takes them: neither waits for the other. */
async function holdInvitation(invitations: InvitationAccess, tx: DatabaseTransaction, id: string | null) {
  return id === null ? null : invitations.hold(tx, { id });
}

/**
 * Takes a registration out, and with it the others of its address that bring no invitation: there is an account now.
 * False when somebody else took it.
 */
async function takeRegistration(tx: DatabaseTransaction, { id, email }: Registration): Promise<boolean> {
  const taken = await tx
    .deleteFrom('registrations')
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (taken.numDeletedRows === 0n) return false;
  await tx.deleteFrom('registrations').where('email', '=', email).where('invitation_id', 'is', null).execute();
  return true;
}
