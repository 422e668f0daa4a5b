import { Id } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';

export const ADMITTED = 'scim.admitted';

const Payload = z.object({ user_id: Id, facility_id: Id, is_new: z.boolean() });

interface MailDeps {
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicUrl: () => string;
}

/** Tells a person that a facility's directory has let them in; nothing in it was typed by whoever keeps the directory. */
export function mailAdmitted({ mailer, productName, publicUrl }: MailDeps): JobHandler {
  return async (given, { db }) => {
    const { user_id, facility_id, is_new } = Payload.parse(given);
    const found = await db
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .innerJoin('facilities as f', 'f.id', 'm.facility_id')
      .select(['u.email', 'f.name'])
      .where('m.user_id', '=', user_id)
      .where('m.facility_id', '=', facility_id)
      .where('m.ended_at', 'is', null)
      .where('u.disabled_at', 'is', null)
      .executeTakeFirst();
    if (!found) return;
    const way = is_new
      ? [
          'An account was made for you with this address. Sign in with your hospital account where the page offers it, or set a password:',
          `${publicUrl()}/forgot-password`,
        ]
      : ['You sign in as before:', `${publicUrl()}/sign-in`];
    const paragraphs = [
      `The staff directory of ${found.name} has made you a member there.`,
      ...way,
      `If you do not work at ${found.name}, tell whoever runs this installation.`,
    ];
    await mailer.send({
      to: found.email,
      subject: `You are a member of ${found.name} at ${productName}`,
      text: `${paragraphs.join('\n\n')}\n\n${productName}\n`,
    });
  };
}
