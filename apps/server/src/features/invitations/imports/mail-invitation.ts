import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { issueSecret, newSecret } from '#/features/invitations/core/insert-invitation.ts';
import { type InvitationMailDeps, invitationMail } from '#/features/invitations/core/invitation-mail.ts';
import type { Database } from '#/platform/db/database.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';

export const IMPORT_MAIL_JOB = 'invitations.mail';

const OfInvitation = z.object({ invitation_id: Id });

/** The job that makes the secret of one person's link and mails it. One that runs twice takes the force of its own first link. */
export function mailInvitation(deps: InvitationMailDeps): JobHandler {
  return async (payload, context) => {
    const { invitation_id: id } = OfInvitation.parse(payload);
    const unsent = await findUnsent(context.db, id);
    if (!unsent) return;
    const write = createJobWrite(context);
    const secret = newSecret();
    const facilityName = await write('invitation.mail', async (tx) => {
      const issued = await issueSecret(tx, id, secret);
      if (issued) {
        const audit = { facilityId: issued.facility_id, objectType: 'invitation', objectId: id };
        return { result: issued.name, audit };
      }
      const gone = { state: 'refused', problem: 'The invitation was used or revoked before its mail went out.' };
      await tx.updateTable('invitation_import_lines').set(gone).where('invitation_id', '=', id).execute();
      return { result: null, audit: null };
    });
    if (facilityName === null) return;
    await deps.mailer.send({
      to: unsent.email,
      ...invitationMail(deps, {
        ...{ secret, subject: `You are invited to ${facilityName}` },
        begin: `${unsent.inviter} invites you to ${facilityName} at ${deps.productName}. Follow this link, and choose a password or sign in with the account you have:`,
      }),
    });
    await write('invitation.mail', async (tx) => {
      await tx
        .updateTable('invitation_import_lines')
        .set({ state: 'mailed' })
        .where('invitation_id', '=', id)
        .execute();
      return { result: undefined, audit: null };
    });
  };
}

/** To whom it goes and who invites; undefined where it went out, or is kept no longer. */
async function findUnsent(db: Database, id: string): Promise<{ email: string; inviter: string } | undefined> {
  return db
    .selectFrom('invitation_import_lines as l')
    .innerJoin('invitation_imports as i', 'i.id', 'l.import_id')
    .innerJoin('users as u', 'u.id', 'i.created_by')
    .select(['l.email', sql<string>`u.name`.as('inviter')])
    .where('l.invitation_id', '=', id)
    .where('l.state', '=', 'invited')
    .executeTakeFirst();
}
