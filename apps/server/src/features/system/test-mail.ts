import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { testMail as endpoint } from '@wardline/contract/facilities/system.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { describeFailure, JobFailure } from '#/platform/jobs/describe-failure.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';

export interface TestMailDeps {
  readonly mailer: Mailer;
  readonly keepsMails: boolean;
  readonly productName: string;
  /** Counts one of a person; throws 429 where it is one too many. */
  readonly takeTest: (userId: string) => Promise<void>;
}

const PATIENCE_MS = 20_000;

/** To one's own address, at once and not by the queue: whoever pressed the button reads there what came of it. */
export function testMail({ mailer, keepsMails, productName, takeTest }: TestMailDeps) {
  return async ({ actor, write }: Pick<RequestContext, 'actor' | 'write'>): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    await takeTest(actor.userId);
    const sending = mailer.send({
      to: actor.email,
      subject: `Test email of ${productName}`,
      text: `${actor.name} sent this from the system administration to see whether email goes out. It does.\n\n${productName}\n`,
    });
    const reason = await failureOf(sending);
    const outcome = reason !== null ? 'failed' : keepsMails ? 'kept' : 'sent';
    await write('mail.test', async () => ({
      result: undefined,
      audit: { objectType: 'user', objectId: actor.userId, detail: { outcome } },
    }));
    return { to: actor.email, outcome, reason };
  };
}

/** Null where it went out. */
async function failureOf(sending: Promise<void>): Promise<string | null> {
  const stop = new AbortController();
  const tooLong = sleep(PATIENCE_MS, undefined, { signal: stop.signal }).then(() => {
    throw new JobFailure('the mail server took longer than 20 s');
  });
  try {
    await Promise.race([sending, tooLong]);
    return null;
  } catch (error) {
    return describeFailure(error);
  } finally {
    stop.abort();
  }
}
