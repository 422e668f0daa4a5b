import { Email, Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Transaction } from '#/platform/http/context.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { hashOfNobody, insertInvitation, issueSecret, newSecret } from './core/insert-invitation.ts';
import { type InvitationMailDeps, invitationMail } from './core/invitation-mail.ts';

export const ADMINISTRATOR_MAIL = 'invitations.administrator';

interface NewAdministrator {
  readonly facilityId: string;
  readonly email: string;
  /** The system administrator, while whose office it stands. */
  readonly createdBy: string;
  readonly roleId: string;
}

/** Invites somebody to administer a facility, in the place of whom was invited before. The link goes by mail and to nobody else. */
export async function inviteAdministrator(tx: Transaction, invited: NewAdministrator): Promise<void> {
  const { facilityId, email, createdBy, roleId } = invited;
  await tx
    .updateTable('invitations')
    .set({ revoked_at: sql`now()` })
    .where('facility_id', '=', facilityId)
    .where('is_for_administrator', '=', true)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  const id = newId();
  await insertInvitation(tx, {
    ...{ id, facilityId, createdBy, isForAdministrator: true, roleIds: [roleId] },
    tokenHash: hashOfNobody(),
    ...{ title: null, note: null, email },
  });
  await enqueueJob(tx, { kind: ADMINISTRATOR_MAIL, payload: { invitation_id: id, email } });
}

const AdministratorMail = z.object({ invitation_id: Id, email: Email });

/** The job that makes the secret of the link and mails it. One that runs twice takes the force of its own first link. */
export function mailAdministrator(deps: InvitationMailDeps): JobHandler {
  return async (payload, context) => {
    const { invitation_id: id, email } = AdministratorMail.parse(payload);
    const secret = newSecret();
    const facilityName = await createJobWrite(context)('invitation.create', async (tx) => {
      const issued = await issueSecret(tx, id, secret);
      if (!issued) return { result: null, audit: null };
      const { facility_id: facilityId, name } = issued;
      return { result: name, audit: { facilityId, objectType: 'invitation', objectId: id } };
    });
    if (facilityName === null) return;
    await deps.mailer.send({
      to: email,
      ...invitationMail(deps, {
        ...{ secret, subject: `You are invited to administer ${facilityName}` },
        begin: `You are invited to administer ${facilityName} at ${deps.productName}. Follow this link, choose a password or sign in with the account you have, and invite your colleagues:`,
      }),
    });
  };
}
