import type { register as endpoint } from '@wardline/contract/account/account.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import { auditedEmail } from '#/features/auth/account/audited-email.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import type { CheckNewPassword } from '#/features/auth/credentials/new-password.ts';
import type { InvitationAccess } from '#/features/auth/registration/invitation-access.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import type { Registration } from './followed-registration.ts';

const LIFETIME_S = 24 * 60 * 60;

interface RegisterDeps {
  readonly appKey: Buffer;
  readonly check: CredentialCheck;
  readonly checkNewPassword: CheckNewPassword;
  readonly invitations: InvitationAccess;
  readonly limits: AccountLimits;
  readonly signUp: 'open' | 'invitation';
}

/**
 * Asks for an account. The same work and answer for every address: what is known of it decides only what the job mails.
 * Nothing can be done with what is stored here until the mailed link and the password come together (sign-in.ts).
 */
export function register(parts: RegisterDeps) {
  const { appKey, check, checkNewPassword, invitations, limits, signUp } = parts;
  return async (ctx: RequestContext<Actor | null>, { body }: { body: BodyOf<typeof endpoint> }): Promise<undefined> => {
    const { name, email, password, invitation: token } = body;
    const place = placeOf(ctx.http.ip);
    if (token === undefined && signUp === 'invitation') {
      throw invalidField('invitation', 'An invitation is needed to sign up here.');
    }
    ctx.http.noteQuota(await limits.registrations.take(place));
    checkNewPassword(password, { email, name });
    const passwordHash = await check.passwords.hash(password);
    const id = newId();
    const replaced = await ctx.write('account.register', async (tx) => {
      const invitation = token === undefined ? null : await invitations.hold(tx, { token });
      if (token !== undefined && !invitation) throw invalidField('invitation', 'This invitation is no longer valid.');
      if (invitation) checkNewPassword(password, { email, name, facilityNames: [invitation.facilityName] });
      const registration = { id, name, email, password_hash: passwordHash, invitation_id: invitation?.id ?? null };
      const replaced = invitation ? await replaceRegistration(tx, invitation.id) : undefined;
      await insertRegistration(tx, registration);
      await enqueueJob(tx, { kind: 'auth.registered', payload: { registration_id: id } });
      return {
        result: replaced,
        audit: {
          objectType: 'registration',
          objectId: id,
          detail: {
            ...auditedEmail(appKey, email),
            invitation_id: registration.invitation_id,
            ...(replaced && { replaced: replaced.id }),
          },
        },
      };
    });
    // Who was let in is no flood: a whole course of new colleagues may sign up from one address.
    if (token !== undefined && !replaced) await limits.registrations.giveBack(place);
  };
}

/**
 * Takes the force of the registration that the invitation was held for, whose link nobody has followed to its end: the
 * address was mistyped, or is somebody else's. Its row goes on counting towards the mails of its address.
 */
async function replaceRegistration(tx: DatabaseTransaction, invitationId: string): Promise<{ id: string } | undefined> {
  return tx
    .updateTable('registrations')
    .set({ invitation_id: null, expires_at: sql`least(expires_at, now())` })
    .where('invitation_id', '=', invitationId)
    .returning('id')
    .executeTakeFirst();
}

async function insertRegistration(
  tx: DatabaseTransaction,
  registration: Omit<Registration, 'expires_at'>,
): Promise<void> {
  await tx
    .insertInto('registrations')
    .values({ ...registration, expires_at: sql`now() + make_interval(secs => ${LIFETIME_S})` })
    .execute();
}
