import type { contactOperator as endpoint } from '@wardline/contract/account/account.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import type { TakeMessage } from './contact-limits.ts';
import { CONTACT_MESSAGE } from './contact-message.ts';

export interface ContactOperatorDeps {
  /** Null where no mail would reach anybody. */
  readonly operatorEmail: string | null;
  readonly takeMessage: TakeMessage;
}

/** Queues a message to the operator. What was written stays in the job until it is sent and nowhere else. */
export function contactOperator({ operatorEmail, takeMessage }: ContactOperatorDeps) {
  return async (
    ctx: Pick<RequestContext<Actor | null>, 'write' | 'http'>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<undefined> => {
    if (operatorEmail === null) {
      throw new AppError('unavailable', {
        message: 'This server cannot send email, so your message would reach no one. Contact the operator another way.',
      });
    }
    await takeMessage(ctx.http.ip);
    await ctx.write('contact.send', async (tx) => {
      await enqueueJob(tx, { kind: CONTACT_MESSAGE, payload: body });
      return { result: undefined, audit: { objectType: 'contact_message' } };
    });
  };
}
