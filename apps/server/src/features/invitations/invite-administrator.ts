import { randomBytes } from 'node:crypto';
import { Email, Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Transaction } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { newId } from '#/platform/new-id.ts';
import { insertInvitation } from './create-invitation.ts';

export const ADMINISTRATOR_MAIL = 'invitations.administrator';

const LONGEST_NOTE = 120;

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
    // Nobody has the secret of this hash: the job makes the one that is mailed.
    tokenHash: hashSecret(randomBytes(32).toString('base64url')),
    ...{ title: null, note: email.slice(0, LONGEST_NOTE) },
  });
  await enqueueJob(tx, { kind: ADMINISTRATOR_MAIL, payload: { invitation_id: id, email } });
}

const AdministratorMail = z.object({ invitation_id: Id, email: Email });

export interface AdministratorMailDeps {
  readonly mailer: Mailer;
  readonly publicUrl: () => string;
  readonly productName: string;
}

/** The job that makes the secret of the link and mails it. One that runs twice takes the force of its own first link. */
export function mailAdministrator({ mailer, publicUrl, productName }: AdministratorMailDeps): JobHandler {
  return async (payload, context) => {
    const { invitation_id: id, email } = AdministratorMail.parse(payload);
    const token = randomBytes(32).toString('base64url');
    const facilityName = await createJobWrite(context)('invitation.create', async (tx) => {
      const issued = await issue(tx, id, hashSecret(token));
      if (!issued) return { result: null, audit: null };
      const { facility_id: facilityId, name } = issued;
      return { result: name, audit: { facilityId, objectType: 'invitation', objectId: id } };
    });
    if (facilityName === null) return;
    const paragraphs = [
      `You are invited to administer ${facilityName} at ${productName}. Follow this link, choose a password or sign in with the account you have, and invite your colleagues:`,
      `${publicUrl()}/sign-up?${new URLSearchParams({ invitation: token }).toString()}`,
      'The link is good for 7 days and for one person. If you do not expect it, do nothing.',
      productName,
    ];
    await mailer.send({
      to: email,
      subject: `You are invited to administer ${facilityName}`,
      text: `${paragraphs.join('\n\n')}\n`,
    });
  };
}

/** Gives the invitation this secret while it stands; undefined where it was used or revoked meanwhile. */
async function issue(tx: Transaction, id: string, tokenHash: Buffer) {
  return tx
    .updateTable('invitations as i')
    .from('facilities as f')
    .set({ token_hash: tokenHash })
    .whereRef('f.id', '=', 'i.facility_id')
    .where('i.id', '=', id)
    .where('i.used_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .returning(['i.facility_id', 'f.name'])
    .executeTakeFirst();
}
