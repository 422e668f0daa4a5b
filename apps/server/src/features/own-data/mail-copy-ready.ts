import { COPY_HOURS } from '@wardline/contract/account/own-data.ts';
import { Id } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';

const OfCopy = z.object({ copy_id: Id });

interface MailDeps {
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicUrl: () => string;
}

/** Tells the person that the copy waits; the mail holds nothing of it, and the address asks who one is. */
export function mailCopyReady({ mailer, productName, publicUrl }: MailDeps): JobHandler {
  return async (payload, { db }) => {
    const found = await db
      .selectFrom('own_data_copies as c')
      .innerJoin('users as u', 'u.id', 'c.user_id')
      .select('u.email')
      .where('c.id', '=', OfCopy.parse(payload).copy_id)
      .where('c.ready_at', 'is not', null)
      .where('u.disabled_at', 'is', null)
      .executeTakeFirst();
    if (!found) return;
    const text = [
      `Someone who is signed in to your account asked for a copy of your data at ${productName}. It is ready; sign in and download it within ${COPY_HOURS} hours:`,
      `${publicUrl()}/settings#data`,
      'If it was not you, set a new password at once, which also ends every other session:',
      `${publicUrl()}/forgot-password`,
      productName,
    ];
    await mailer.send({
      to: found.email,
      subject: `Your copy of your data at ${productName} is ready`,
      text: `${text.join('\n\n')}\n`,
    });
  };
}
