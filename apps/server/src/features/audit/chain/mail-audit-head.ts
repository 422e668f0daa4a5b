import { Day } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import { JobFailure } from '#/platform/jobs/describe-failure.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';

export const AUDIT_HEAD_MAIL = 'audit.head';

const AuditHeadMail = z.object({ seq: z.int(), hash: z.string(), day: Day });

interface AuditHeadMailDeps {
  readonly mailer: Mailer;
  readonly operatorEmail: string | null;
  readonly productName: string;
}

/** The job that carries the end of the chain outside, once a day. It names nobody. */
export function mailAuditHead({ mailer, operatorEmail, productName }: AuditHeadMailDeps): JobHandler {
  return async (payload) => {
    const { seq, hash, day } = AuditHeadMail.parse(payload);
    if (operatorEmail === null) throw new JobFailure('the operator has no address any more');
    const paragraphs = [
      `The audit of this installation ended here on ${day} (UTC):`,
      `Entry: ${seq}\nHash: ${hash}`,
      'Keep this email. Someone who owns the database and the server could rewrite the whole audit and recompute every hash, but could not change what is in your mailbox.',
      'To check the audit against it, run this on the server:',
      `npm run audit -- verify --head ${seq}:${hash}`,
      productName,
    ];
    await mailer.send({
      to: operatorEmail,
      subject: `${productName} audit, ${day}: entry ${seq}`,
      text: `${paragraphs.join('\n\n')}\n`,
    });
  };
}
