import { contactOperator } from '@wardline/contract/account/account.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';

export const CONTACT_MESSAGE = 'contact.message';

interface ContactMessageDeps {
  readonly mailer: Mailer;
  readonly operatorEmail: string | null;
  readonly productName: string;
}

/** The job that mails what somebody wrote to the operator; an answer goes to who wrote it. */
export function mailContactMessage({ mailer, operatorEmail, productName }: ContactMessageDeps): JobHandler {
  return async (payload) => {
    const { name, email, message } = contactOperator.body.parse(payload);
    if (operatorEmail === null) throw new Error('The operator has no address any more.');
    await mailer.send({
      to: operatorEmail,
      replyTo: email,
      subject: `${productName}: message from ${name}`,
      text: `${name} <${email}> wrote by the contact form:\n\n${message}\n`,
    });
  };
}
